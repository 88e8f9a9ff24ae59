import { Identifier } from '../ui/values/identifier.tsx'
import classes from './device-identifier.module.css'

type Props = { imei: string | null; serial_number: string | null; grade: string | null }

/** The device's IMEI or serial number, and its grade. */
export function DeviceIdentifier({ imei, serial_number, grade }: Props) {
  const value = imei ?? serial_number
  return (
    <span className={classes['device']}>
      {value !== null && <Identifier value={value} />}
      {grade !== null && <GradeChip grade={grade} />}
    </span>
  )
}

/** How a device looks. */
export function GradeChip({ grade }: { grade: string }) {
  return (
    <span className={classes['grade']} title={`Grade ${grade}`}>
      <span className={classes['said']}>Grade </span>
      {grade}
    </span>
  )
}
