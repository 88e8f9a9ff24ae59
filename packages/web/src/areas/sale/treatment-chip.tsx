import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import classes from './treatment.module.css'

type Props = {
  treatment: Treatment
  /** Percent. */
  rate: number
  /** Why the line is taxed so. */
  why: string | null
  /** Why it cannot be. */
  problem?: string | undefined
}

/** The VAT of a line: its rate, or the treatment in place of one, and why. */
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
