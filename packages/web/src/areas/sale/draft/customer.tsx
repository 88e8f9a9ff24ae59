import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Customer } from '@backstock/contract/customer.ts'
import type { InvoiceLacks } from '@backstock/contract/invoice-lacks.ts'
import type { NewCustomer } from '@backstock/contract/sale.ts'
import { Anchor, Button, Group, Modal, SegmentedControl, Text, Title } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { record } from '../../../api/reads.ts'
import { RecordForm } from '../../../crud/record-form.tsx'
import { useCreateDialog } from '../../../crud/use-create-dialog.tsx'
import { askToLeave } from '../../../ui/feedback/leave-guard.ts'
import { FieldGrid } from '../../../ui/fields/field-grid.tsx'
import { RemoteSelect } from '../../../ui/fields/remote-select.tsx'
import { SearchSelect } from '../../../ui/fields/search-select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { COUNTRY_CHOICES } from '../../../widgets/address-fields.tsx'
import { onAddressPaste, pastedParts } from '../../../widgets/address-paste.ts'
import { VatNumberField } from '../../../widgets/number-fields.tsx'
import { customer as customerArea } from '../../customer/customer.tsx'
import { namesIn } from '../../customer/names-in.ts'
import { BuyerDetails } from '../buyer-details.tsx'
import { DraftLacks } from './lacks.tsx'

const BUYER = ['buyer'] as const

type FieldName = keyof NewCustomer
export type DraftCustomer = {
  /** True if the customer is typed on the sale itself. The form keeps both, the chosen customer and the typed one. */
  isNew: boolean
  id: number | null
  typed: Record<FieldName, string>
}

export const NEW_CUSTOMER_FIELDS: readonly { name: FieldName; label: string; required?: boolean; type?: string }[] = [
  { name: 'customer_first_name', label: 'First name', required: true },
  { name: 'customer_last_name', label: 'Last name', required: true },
  { name: 'customer_email', label: 'Email', required: true, type: 'email' },
  { name: 'customer_phone', label: 'Phone', type: 'tel' },
  { name: 'customer_company_name', label: 'Company' },
  { name: 'customer_vat_number', label: 'VAT number' },
  { name: 'customer_address1', label: 'Address line 1', required: true },
  { name: 'customer_address2', label: 'Address line 2' },
  { name: 'customer_postal_code', label: 'Postal code', required: true },
  { name: 'customer_city', label: 'City', required: true },
  { name: 'customer_state', label: 'State' },
  { name: 'customer_country_code', label: 'Country' },
]

export const NO_CUSTOMER: DraftCustomer = {
  isNew: false,
  id: null,
  typed: Object.fromEntries(NEW_CUSTOMER_FIELDS.map(({ name }) => [name, ''])) as DraftCustomer['typed'],
}

const namesOf = (parts: Partial<Record<FieldName, string>>) => Object.keys(parts)

type Props = {
  customer: DraftCustomer
  /** The country of a new customer whose country is not given. */
  home: string | null
  /** The facts that the invoice would lack; undefined if no invoice is wanted. */
  lacks: InvoiceLacks | undefined
  errors: FieldErrors
  /** `fields` names the changed fields, so that the form removes their errors. */
  onChange: (customer: DraftCustomer, ...fields: string[]) => void
}

/** The buyer: a customer of the list, or a new one that is typed here. */
export function DraftCustomerPanel({ customer, home, lacks, errors, onChange }: Props) {
  return (
    <Panel>
      <Group justify="space-between" mb="md">
        <Title order={2}>Customer</Title>
        <SegmentedControl
          aria-label="Which customer"
          value={customer.isNew ? 'new' : 'known'}
          onChange={(value) => onChange({ ...customer, isNew: value === 'new' }, 'customer')}
          data={[
            { value: 'known', label: 'Existing customer' },
            { value: 'new', label: 'New customer' },
          ]}
        />
      </Group>
      {customer.isNew ? (
        <>
          {errors['customer'] && !NEW_CUSTOMER_FIELDS.some(({ name }) => errors[name]) && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="sm">
              {errors['customer']}
            </Text>
          )}
          <NewCustomerFields
            typed={customer.typed}
            home={home}
            errors={errors}
            onType={(parts) => onChange({ ...customer, typed: { ...customer.typed, ...parts } }, ...namesOf(parts))}
          />
          <DraftLacks lacks={lacks} sides={BUYER} />
        </>
      ) : (
        <CustomerChoice
          id={customer.id}
          lacks={lacks}
          error={errors['customer']}
          onChoose={(id) => onChange({ ...customer, id }, 'customer')}
        />
      )}
    </Panel>
  )
}

function CustomerChoice(props: {
  id: number | null
  lacks: InvoiceLacks | undefined
  error?: string | undefined
  onChoose: (id: number | null) => void
}) {
  const { id, lacks, error, onChoose } = props
  const found = useQuery({ ...record<Customer>('customer', id ?? 0), enabled: id !== null })
  const chosen = id === null ? undefined : found.data
  const [open, setOpen] = useState<'add' | 'edit' | null>(null)
  const [saves, setSaves] = useState(0)
  const unsaved = useRef(false)
  const [asking, setAsking] = useState(false)
  const newCustomer = useCreateDialog(customerArea, namesIn)
  const close = async () => {
    setAsking(true)
    if (!unsaved.current || (await askToLeave())) setOpen(null)
    setAsking(false)
  }
  return (
    <>
      <RemoteSelect<Customer>
        // The select remembers the customer's name, and the dialog may have changed it. A new key mounts the select
        // again.
        key={saves}
        area="customer"
        label="Customer"
        required
        create={newCustomer.create}
        value={id}
        onChange={onChoose}
        labelOf={(row) => [row.full_name, row.company_name, row.email].filter(Boolean).join(' · ')}
        error={error}
      />
      {newCustomer.dialog}
      <Group gap="xs" mt="sm">
        <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setOpen('add')}>
          Add customer
        </Button>
        <Button
          variant="default"
          leftSection={<IconPencil size={15} />}
          disabled={!chosen}
          onClick={() => setOpen('edit')}
        >
          Edit customer
        </Button>
      </Group>
      {chosen && (
        <>
          <BuyerDetails buyer={chosen} address={chosen.delivery_address} billingAddress={chosen.billing_address} />
          <DraftLacks lacks={lacks} sides={BUYER}>
            <Anchor component="button" type="button" inherit onClick={() => setOpen('edit')}>
              Edit customer
            </Anchor>
          </DraftLacks>
        </>
      )}
      <Modal
        opened={open !== null}
        onClose={() => void close()}
        // While the question about unsaved text is open, Escape closes the question and not this dialog.
        closeOnEscape={!asking}
        trapFocus={!asking}
        closeOnClickOutside={!asking}
        size="xl"
        title={open === 'edit' && chosen ? `Customer #${chosen.id}` : 'New Customer'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <RecordForm
          area={customerArea}
          row={open === 'edit' ? (chosen ?? null) : null}
          onUnsaved={(now) => {
            unsaved.current = now
          }}
          onSaved={(saved) => {
            onChoose(saved)
            setSaves(saves + 1)
            setOpen(null)
          }}
        />
      </Modal>
    </>
  )
}

function NewCustomerFields(props: {
  typed: DraftCustomer['typed']
  home: string | null
  errors: FieldErrors
  onType: (parts: Partial<Record<FieldName, string>>) => void
}) {
  const fill = onAddressPaste((parts) => {
    const { address_1, ...others } = pastedParts(parts)
    const named = Object.entries(others).map(([name, value]) => [`customer_${name.replace('_2', '2')}`, value])
    props.onType({ customer_address1: address_1, ...Object.fromEntries(named) })
  })
  return (
    <FieldGrid>
      {NEW_CUSTOMER_FIELDS.map(({ name, label, required = false, type = 'text' }) =>
        name === 'customer_country_code' ? (
          <SearchSelect
            key={name}
            label={label}
            description="If you choose none, your own country."
            data={COUNTRY_CHOICES}
            clearable
            value={props.typed[name] || null}
            error={props.errors[name]}
            onChange={(code) => props.onType({ [name]: code ?? '' })}
          />
        ) : name === 'customer_vat_number' ? (
          <VatNumberField
            key={name}
            country={props.typed.customer_country_code || props.home}
            value={props.typed[name]}
            error={props.errors[name]}
            onChange={(event) => props.onType({ [name]: event.currentTarget.value })}
          />
        ) : (
          <TextField
            key={name}
            label={label}
            type={type}
            autoComplete="off"
            withAsterisk={required}
            value={props.typed[name]}
            error={props.errors[name]}
            onChange={(event) => props.onType({ [name]: event.currentTarget.value })}
            {...(name === 'customer_address1' && { onPaste: fill })}
          />
        ),
      )}
    </FieldGrid>
  )
}
