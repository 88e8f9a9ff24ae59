import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { formatDate } from '../ui/fields/date-format.ts'
import type { Filter } from './area.ts'
import { FilterChip } from './filter-chip.tsx'
import { choose, type ListState } from './list-state.ts'
import { RecordChips } from './record-chips.tsx'
import type { ListChange } from './use-list-state.ts'

type Props = { filters: readonly Filter[]; chosen: ListState['chosen']; onChange: ListChange }

/** The text of a filter's value on its chip. */
function chipText({ label, options, isAmount, isDay }: Filter, value: string): string {
  if (isAmount) return `${label}: ${formatMoney(Number(value))} ${CURRENCY}`
  if (isDay) return `${label}: ${formatDate(value, 'dd/MM/yyyy')}`
  const [only, second] = options
  if (only && !second) return only.label
  return `${label}: ${options.find((option) => option.value === value)?.label ?? value}`
}

/**
 * The chips of the filters under 'More filters'. The code is loaded only if such a filter is set, because most lists
 * have none.
 */
export default function ChosenFilters({ filters, chosen, onChange }: Props) {
  return filters.map((filter) => {
    const { name, label, of } = filter
    const values = chosen[name] ?? []
    if (values.length === 0) return null
    const change = (wanted: string[]) => onChange(choose(name, values, wanted))
    if (of) return <RecordChips key={name} area={of} label={label} ids={values} onChange={change} />
    return values.map((value) => (
      <FilterChip
        key={`${name} ${value}`}
        text={chipText(filter, value)}
        onClear={() => change(values.filter((other) => other !== value))}
      />
    ))
  })
}
