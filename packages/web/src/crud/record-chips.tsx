import { useQuery } from '@tanstack/react-query'
import { find } from '../api/reads.ts'
import { type Choice, choiceLabel } from '../ui/fields/choice.ts'
import { FilterChip } from './filter-chip.tsx'

type Props = { area: string; label?: string; ids: readonly string[]; onChange: (ids: string[]) => void }

/** The chips of the records that a filter has chosen. Until the records are read, a chip shows the id. */
export function RecordChips({ area, label, ids, onChange }: Props) {
  const rows = useQuery(find<Choice>(area, { ids, per_page: Math.min(250, ids.length) })).data?.data
  const named = (id: string) => {
    const row = rows?.find((row) => String(row.id) === id)
    return row ? choiceLabel(row) : `#${id}`
  }
  return ids.map((id) => (
    <FilterChip
      key={id}
      text={label ? `${label}: ${named(id)}` : named(id)}
      onClear={() => onChange(ids.filter((other) => other !== id))}
    />
  ))
}
