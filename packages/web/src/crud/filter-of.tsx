import { useQuery } from '@tanstack/react-query'
import { find } from '../api/reads.ts'
import { MultiSelect } from '../ui/select.tsx'
import classes from './list-bar.module.css'

type Props = { area: string; label: string; chosen: readonly string[]; onChange: (ids: string[]) => void }

const MANY = 250

/** A filter by the records of another area. Few lists have one, so it is fetched by those alone. */
export default function FilterOf({ area, label, chosen, onChange }: Props) {
  const rows = useQuery(find<{ id: number; name: string }>(area, { per_page: MANY })).data?.data
  return (
    <MultiSelect
      className={classes['of'] ?? ''}
      aria-label={label}
      placeholder={chosen.length ? '' : `${label}: all`}
      data={rows?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      // What is chosen has no name before the records are there.
      value={rows ? [...chosen] : []}
      onChange={onChange}
      nothingFoundMessage="No results found"
    />
  )
}
