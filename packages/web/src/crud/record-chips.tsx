import { useQuery } from '@tanstack/react-query'
import { find } from '../api/reads.ts'
import { type Choice, choiceLabel } from '../ui/fields/choice.ts'
import { FilterChip } from './filter-chip.tsx'

type Props = { area: string; label?: string; ids: readonly string[]; onChange: (ids: string[]) => void }

/** The most records with a chip of their own. A link may name hundreds, and nobody reads so many chips. */
const SHOWN = 20

/**
 * The chips of the records that a filter has chosen. Until the records are read, a chip shows the id. One chip stands
 * for all beyond the first 20.
 */
export function RecordChips({ area, label, ids, onChange }: Props) {
  const shown = ids.slice(0, SHOWN)
  const others = ids.length - shown.length
  const rows = useQuery(find<Choice>(area, { ids: shown, per_page: shown.length })).data?.data
  const named = (id: string) => {
    const row = rows?.find((row) => String(row.id) === id)
    return row ? choiceLabel(row) : `#${id}`
  }
  const textOf = (value: string) => (label ? `${label}: ${value}` : value)
  return (
    <>
      {shown.map((id) => (
        <FilterChip key={id} text={textOf(named(id))} onClear={() => onChange(ids.filter((other) => other !== id))} />
      ))}
      {others > 0 && (
        <FilterChip text={textOf(`${others.toLocaleString('en')} more`)} onClear={() => onChange(shown)} />
      )}
    </>
  )
}
