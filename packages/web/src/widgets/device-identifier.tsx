import { Identifier } from '../ui/values/identifier.tsx'
import classes from './device-identifier.module.css'

type Props = { imei: string | null; serial_number: string | null; grade: string | null }

/** The IMEI of a device, or else its serial number, and its grade. */
export function DeviceIdentifier({ imei, serial_number, grade }: Props) {
  const value = imei ?? serial_number
  return (
    <span className={classes['device']}>
      {value !== null && <Identifier value={value} />}
      {grade !== null && <GradeChip grade={grade} />}
    </span>
  )
}

/** The grade of a device, as a small label. */
export function GradeChip({ grade }: { grade: string }) {
  return (
    <span className={classes['grade']} title={`Grade ${grade}`}>
      <span className={classes['said']}>Grade </span>
      {grade}
    </span>
  )
}
