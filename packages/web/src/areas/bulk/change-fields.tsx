import type { BatchRow } from '@backstock/contract/batch.ts'
import { FUNCTIONAL, FUNCTIONAL_NAMES } from '@backstock/contract/device-function.ts'
import { HAND_SET_STATUSES } from '@backstock/contract/stock-status.ts'
import { ActionIcon, Button, Checkbox, Textarea } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { createNamed } from '../../api/create-named.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { useCreateDialog } from '../../crud/use-create-dialog.tsx'
import { type Choice, choiceLabel } from '../../ui/fields/choice.ts'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { PURCHASE_CHOICES } from '../../widgets/purchase-choices.ts'
import { vat } from '../vat/vat.tsx'
import { type Chosen, FIELD_NAMES, FIELDS, type Field, type Values } from './changes.ts'
import classes from './edit.module.css'
import { PriceChange } from './price-change.tsx'

const FUNCTIONS = [
  ...FUNCTIONAL.map((value) => ({ value, label: FUNCTIONAL_NAMES[value] })),
  { value: '', label: 'Unknown' },
]
const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]
const REFERRED = {
  grade_id: { area: 'grade', none: 'No grade' },
  supplier_id: { area: 'supplier', none: 'No supplier' },
  batch_id: { area: 'batch', none: 'In no batch' },
  vat_type_id: { area: 'vat', none: 'No VAT' },
} as const

type Props = {
  fields: readonly Field[]
  values: Values
  problems: Partial<Record<Field, string>>
  /** True if the person knows the order of the items, as in the basket. Then a pasted column may hold prices alone. */
  isOrdered: boolean
  /** Nothing can be changed while the changes are sent. The fields are not disabled, because that loses the focus. */
  readOnly: boolean
  onFields: (fields: Field[]) => void
  onChange: (change: Partial<Values>) => void
}

/** The choice of fields to change, and an input for each chosen field. */
export function ChangeFields({ fields, onFields, ...rest }: Props) {
  const choose = (next: Field[]) => {
    if (!rest.readOnly) onFields(next)
  }
  return (
    <>
      <fieldset className={classes['choice']}>
        <legend>What do you want to change?</legend>
        {FIELD_NAMES.map((field) => {
          const isChosen = fields.includes(field)
          return (
            <Button
              key={field}
              size="xs"
              radius="xl"
              variant={isChosen ? 'light' : 'default'}
              aria-pressed={isChosen}
              aria-disabled={rest.readOnly}
              onClick={() => choose(isChosen ? fields.filter((other) => other !== field) : [...fields, field])}
            >
              {FIELDS[field]}
            </Button>
          )
        })}
      </fieldset>
      {fields.map((field) => (
        <div key={field} className={classes['field']}>
          <div className={classes['inputs']} data-field={field}>
            <FieldInput field={field} {...rest} />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={classes['leave'] ?? ''}
            aria-label={`Do not change: ${FIELDS[field]}`}
            title="Do not change"
            aria-disabled={rest.readOnly}
            onClick={() => choose(fields.filter((other) => other !== field))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
    </>
  )
}

type InputProps = Omit<Props, 'fields' | 'onFields'> & { field: Field }

function FieldInput({ field, values, problems, isOrdered, readOnly, onChange }: InputProps) {
  const error = problems[field] || undefined
  const label = FIELDS[field]
  switch (field) {
    case 'sales_price':
    case 'purchase_price':
      return (
        <PriceChange
          field={field}
          value={values[field]}
          isOrdered={isOrdered}
          readOnly={readOnly}
          error={error}
          onChange={(value) => onChange({ [field]: value })}
        />
      )
    case 'status':
      return (
        <Select
          label={label}
          placeholder="Choose…"
          readOnly={readOnly}
          data={[...HAND_SET_STATUSES]}
          error={error}
          value={values.status}
          onChange={(status) => onChange({ status: status as Values['status'] })}
        />
      )
    case 'functional':
      return (
        <Select
          label={label}
          placeholder="Choose…"
          readOnly={readOnly}
          data={FUNCTIONS}
          error={error}
          value={values.functional}
          onChange={(functional) => onChange({ functional: functional as Values['functional'] })}
        />
      )
    case 'purchase_treatment':
      return (
        <Select
          label={label}
          placeholder="Choose…"
          readOnly={readOnly}
          data={PURCHASE_CHOICES}
          error={error}
          value={values.purchase_treatment}
          onChange={(chosen) => onChange({ purchase_treatment: chosen as Values['purchase_treatment'] })}
        />
      )
    case 'network_locked':
      return (
        <Select
          label={label}
          placeholder="Choose…"
          readOnly={readOnly}
          data={YES_NO}
          error={error}
          value={values.network_locked === null ? null : String(values.network_locked)}
          onChange={(chosen) => onChange({ network_locked: chosen === 'true' })}
        />
      )
    case 'location': {
      const { text, none } = values.location
      return (
        <>
          <TextField
            label={label}
            autoComplete="off"
            maxLength={255}
            disabled={none}
            readOnly={readOnly}
            error={error}
            value={text}
            onChange={(event) => onChange({ location: { text: event.currentTarget.value, none } })}
          />
          <None
            label="No location"
            checked={none}
            readOnly={readOnly}
            onChange={(none) => onChange({ location: { text, none } })}
          />
        </>
      )
    }
    case 'note':
      return (
        <Textarea
          label={label}
          description="It is added to each item's engineer notes."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          readOnly={readOnly}
          error={error}
          value={values.note}
          onChange={(event) => onChange({ note: event.currentTarget.value })}
        />
      )
    default:
      return (
        <Referred
          field={field}
          value={values[field]}
          error={error}
          readOnly={readOnly}
          onChange={(value) => onChange({ [field]: value })}
        />
      )
  }
}

type ReferredProps = {
  field: keyof typeof REFERRED
  value: Chosen
  error: string | undefined
  readOnly: boolean
  onChange: (value: Chosen) => void
}

/** A record that a field may refer to. Only a batch can be locked. */
type Referable = Choice & Partial<Pick<BatchRow, 'is_locked'>>

const nameOf = (row: Referable) => (row.is_locked ? `${choiceLabel(row)} (locked)` : choiceLabel(row))

/**
 * The input for a field that refers to a record. 'None' can be chosen too. A record that does not exist yet is created
 * in place, except a batch.
 */
function Referred({ field, value: { id, none }, error, readOnly, onChange }: ReferredProps) {
  const mayCreateLists = isAdmin(useMe())
  const newVat = useCreateDialog(vat, (name) => ({ name }))
  const creates = {
    grade_id: mayCreateLists && createNamed<Referable>('grade'),
    supplier_id: createNamed<Referable>('supplier'),
    batch_id: false,
    vat_type_id: mayCreateLists && newVat.create,
  } as const
  return (
    <>
      {newVat.dialog}
      <RemoteSelect<Referable>
        area={REFERRED[field].area}
        label={FIELDS[field]}
        create={creates[field]}
        disabled={none}
        readOnly={readOnly}
        error={error}
        optionDisabled={({ is_locked }) => is_locked === true}
        labelOf={nameOf}
        value={id}
        onChange={(id) => onChange({ id, none })}
      />
      <None
        label={REFERRED[field].none}
        checked={none}
        readOnly={readOnly}
        onChange={(none) => onChange({ id, none })}
      />
    </>
  )
}

type NoneProps = { label: string; checked: boolean; readOnly: boolean; onChange: (none: boolean) => void }

function None({ label, checked, readOnly, onChange }: NoneProps) {
  return (
    <Checkbox
      size="xs"
      mt={8}
      label={label}
      checked={checked}
      readOnly={readOnly}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
