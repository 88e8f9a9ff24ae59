import { DateField } from '../ui/fields/date-field.tsx'
import classes from './list-bar.module.css'

type Props = { label: string; day: string | null; onChange: (day: string | null) => void }

/** A filter by a day. Its code is loaded only by the few lists that have one. */
export default function FilterDay({ label, day, onChange }: Props) {
  return (
    <DateField
      className={classes['day'] ?? ''}
      aria-label={label}
      placeholder={label}
      value={day}
      onChange={onChange}
    />
  )
}
