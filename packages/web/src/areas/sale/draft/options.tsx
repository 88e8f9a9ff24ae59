import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { BatchRow } from '@backstock/contract/batch.ts'
import type { InvoiceLacks } from '@backstock/contract/invoice-lacks.ts'
import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import { EXCEL_FROM_ITEMS } from '@backstock/contract/sale-status.ts'
import { Checkbox, NativeSelect, Stack, Title } from '@mantine/core'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { LANGUAGES } from '../../../widgets/language-choices.ts'
import { SellersLacks } from './lacks.tsx'

export type DraftOptions = {
  reference_number: string
  includeVat: boolean
  remove_from_batch: boolean
  remove_from_basket: boolean
  create_invoice: boolean
  /** Null stands for the usual language of the customer. */
  invoice_lang: InvoiceLanguage | null
  /** Null until the person decides. Until then the number of items decides. */
  create_excel: boolean | null
  send_email: boolean
  delete_batch: boolean
}

export const DEFAULT_OPTIONS: DraftOptions = {
  reference_number: '',
  includeVat: false,
  remove_from_batch: true,
  remove_from_basket: true,
  create_invoice: true,
  invoice_lang: null,
  create_excel: null,
  send_email: true,
  delete_batch: false,
}

type Props = {
  options: DraftOptions
  /** True if an Excel sheet will be made. */
  excel: boolean
  /** The usual language of the customer's invoices; null if there is no customer yet. */
  usualLang: InvoiceLanguage | null
  /** The facts that the invoice would lack; undefined if no invoice is wanted. */
  lacks: InvoiceLacks | undefined
  /** The batch that the items come from; null if they come from none. */
  batch: BatchRow | null
  errors: FieldErrors
  onChange: (patch: Partial<DraftOptions>) => void
}

/** The reference number, and the choice of what else is made with the sale. */
export function DraftOptionsPanel({ options, excel, usualLang, lacks, batch, errors, onChange }: Props) {
  const box = (
    name: Exclude<keyof DraftOptions, 'reference_number' | 'create_excel' | 'invoice_lang'>,
    label: string,
  ) => (
    <Checkbox
      label={label}
      checked={options[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <Panel>
      <Title order={2} mb="md">
        Options
      </Title>
      <Stack gap="sm">
        <TextField
          label="Reference number"
          autoComplete="off"
          style={{ maxWidth: 320 }}
          value={options.reference_number}
          error={errors['reference_number']}
          onChange={(event) => onChange({ reference_number: event.currentTarget.value })}
        />
        {box('create_invoice', 'Create invoice')}
        {options.create_invoice && (
          <Stack gap="xs" ml={28}>
            <NativeSelect
              label="Language of the invoice"
              description="Its email is in this language, too."
              maw={320}
              value={options.invoice_lang ?? ''}
              error={errors['invoice_lang']}
              data={[
                {
                  value: '',
                  label: usualLang ? `Same as customer (${LANGUAGE_NAMES[usualLang]})` : 'Same as customer',
                },
                ...LANGUAGES,
              ]}
              onChange={(event) =>
                onChange({ invoice_lang: (event.currentTarget.value || null) as InvoiceLanguage | null })
              }
            />
            <SellersLacks lacks={lacks} />
          </Stack>
        )}
        <Checkbox
          label="Create Excel"
          description={`Ticked automatically for more than ${EXCEL_FROM_ITEMS} items.`}
          checked={excel}
          onChange={(event) => onChange({ create_excel: event.currentTarget.checked })}
        />
        {box('send_email', 'Send email')}
        {box('remove_from_basket', 'Remove items from basket')}
        {box('remove_from_batch', 'Remove items from batch')}
        {batch && (
          <Checkbox
            label={`Delete batch #${batch.id} - ${batch.name}`}
            description={
              batch.is_locked
                ? 'This batch is locked and cannot be deleted.'
                : 'Its items that are not sold go back to In Stock.'
            }
            disabled={batch.is_locked}
            checked={options.delete_batch}
            onChange={(event) => onChange({ delete_batch: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Panel>
  )
}
