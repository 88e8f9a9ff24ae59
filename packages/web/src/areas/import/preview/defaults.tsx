import { columnLabel } from '@backstock/contract/column-label.ts'
import { DEFAULT_FIELDS, type DefaultField } from '@backstock/contract/csv-columns.ts'
import type { ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { DOLLARS } from '@backstock/contract/import-prices.ts'
import { PURCHASE_CURRENCIES } from '@backstock/contract/purchase-currency.ts'
import { NEW_STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import { PURCHASE_TREATMENT_NAMES, PURCHASE_TREATMENTS } from '@backstock/contract/treatment.ts'
import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { find } from '../../../api/reads.ts'
import { DateField } from '../../../ui/fields/date-field.tsx'
import { dayInWords } from '../../../ui/fields/date-format.ts'
import { SearchSelect } from '../../../ui/fields/search-select.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { today } from '../../../ui/fields/today.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import classes from './preview.module.css'
import { PriceField } from './price.tsx'
import { CurrencySelect, type FieldProps, PreviewRate, Take } from './rate.tsx'
import { ASKING, aboutDollar, lastSaid } from './words.ts'

/** How many names a select loads: more than a shop has makes, categories or VAT types. */
const ALL_NAMES = 250

type Props = { plan: ImportPreview; onChange: (changes: PreviewChanges) => void }

/** The values that the file lacks. Each counts for all of its rows. */
export const PreviewDefaults = memo(function PreviewDefaults({ plan, onChange }: Props) {
  // The fields that the file has. A column without values does not count.
  const there = new Set(plan.columns.flatMap(({ field, samples }) => (samples.length > 0 ? [field] : [])))
  const asked = new Set(plan.reasons.map(({ asks }) => asks))
  const isAsked = (field: DefaultField) => {
    if (plan.defaults[field] !== undefined) return true
    switch (field) {
      case 'category':
      case 'make':
        return asked.has(field) || !there.has(field)
      case 'purchase_price':
        return asked.has('price')
      case 'purchase_currency':
        return !there.has(field) && there.has('purchase_price')
      default:
        return !there.has(field)
    }
  }
  const lacking = DEFAULT_FIELDS.filter((field) => field !== 'supplier' && isAsked(field))
  if (lacking.length + plan.currencies.length === 0) return null
  const first = plan.currencies.find(({ rate }) => rate === null)
  return (
    <Panel>
      <Title order={2}>For all rows</Title>
      <Text size="sm" c="dimmed" mb="sm">
        Values that the file does not contain.
      </Text>
      <div className={classes['fields']}>
        {lacking.map((field) => {
          const now = plan.defaults[field] ?? null
          // A date field reports a date only when the whole date is typed.
          const set = (value: string | null) => value !== now && onChange({ defaults: { [field]: value } })
          const remembered = plan.remembered_defaults[field]
          const from = remembered && { description: `Remembered from ${lastSaid(remembered)}` }
          const proposed = field === 'purchase_currency' || field === 'purchase_date' ? plan.proposed[field] : undefined
          return (
            <div key={field}>
              <DefaultInput field={field} label={columnLabel(field)} value={now} onChange={set} {...from} />
              {proposed !== undefined && proposed !== now && !(field === 'purchase_date' && proposed > today()) && (
                <Take onClick={() => set(proposed)}>
                  Take {field === 'purchase_date' ? dayInWords(proposed) : proposed}, from the file’s title
                </Take>
              )}
            </div>
          )
        })}
        {plan.dollar && (
          <Select
            label="The sign $ means"
            description={aboutDollar(plan.dollar)}
            data={DOLLAR_NAMES}
            value={plan.dollar.means}
            onChange={(chosen) => {
              const dollar = DOLLARS.find((one) => one === chosen)
              if (dollar) onChange({ dollar })
            }}
          />
        )}
        {plan.currencies.map((foreign) => (
          <PreviewRate
            key={foreign.currency}
            foreign={foreign}
            isFirst={foreign === first}
            onChange={(rate) => onChange({ rates: [{ currency: foreign.currency, rate }] })}
          />
        ))}
      </div>
    </Panel>
  )
})

const DOLLAR_NAMES = DOLLARS.map((value) => ({ value, label: `${value} · ${PURCHASE_CURRENCIES[value]}` }))

function DefaultInput({ field, ...props }: FieldProps & { field: DefaultField }) {
  switch (field) {
    case 'supplier':
      return null
    case 'category':
      return <NameSelect id={ASKING.category} area={field} {...props} />
    case 'make':
      return <NameSelect id={ASKING.make} area={field} {...props} />
    case 'vat':
      return <NameSelect area={field} {...props} />
    case 'purchase_vat':
      return <Select {...props} clearable placeholder="Same as supplier" data={PURCHASES} />
    case 'purchase_price':
      return <PriceField id={ASKING.price} {...props} />
    case 'purchase_currency':
      return <CurrencySelect {...props} />
    case 'purchase_date':
      return <DateField {...props} dateStyle="yyyy-mm-dd" max={today()} />
    case 'status':
      return <Select {...props} placeholder={NEW_STOCK_STATUSES[0]} clearable data={[...NEW_STOCK_STATUSES]} />
  }
}
const PURCHASES = PURCHASE_TREATMENTS.map((value) => ({ value, label: PURCHASE_TREATMENT_NAMES[value] }))

/** Chooses a record, and gives its name, since a file also names records. */
function NameSelect({ area, value, ...props }: FieldProps & { id?: string; area: 'category' | 'make' | 'vat' }) {
  const found = useQuery(find<{ name: string }>(area, { per_page: ALL_NAMES, order_by: 'name_asc' }))
  const names = found.data?.data.map(({ name }) => name) ?? []
  const data = value === null || names.includes(value) ? names : [value, ...names]
  return <SearchSelect {...props} clearable placeholder="None" data={data} value={value} />
}
