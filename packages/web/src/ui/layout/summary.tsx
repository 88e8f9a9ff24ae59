import type { ReactNode } from 'react'
import classes from './record.module.css'

/** The figures or facts of a record, one below the other. Its children are `SummaryLine`s. */
export function Summary({ children }: { children: ReactNode }) {
  return <dl className={classes['summary']}>{children}</dl>
}

export function SummaryLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['line']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
