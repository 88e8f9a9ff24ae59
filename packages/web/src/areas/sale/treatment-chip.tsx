import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import classes from './treatment.module.css'

type Props = {
  treatment: Treatment
  /** The rate in percent. */
  rate: number
  /** Why the line has this treatment. */
  why: string | null
  /** Why this treatment is not possible. */
  problem?: string | undefined
}

/** The VAT of a line: its rate, or the name of the treatment if that has no rate. The tooltip says why. */
export function TreatmentChip({ treatment, rate, why, problem }: Props) {
  const title = [problem && `Not possible: ${problem}.`, why].filter(Boolean).join(' ')
  if (treatment === 'standard')
    return (
      <span className={classes['rate']} title={title}>
        {rate}%
      </span>
    )
  return (
    <span className={classes['chip']} data-bad={problem !== undefined || undefined} title={title}>
      {TREATMENT_NAMES[treatment]}
      {title && <span className={classes['said']}>. {title}</span>}
    </span>
  )
}
