import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import classes from '../values/text.module.css'
import { logValue } from './log-value.ts'

type Change = { attributeName: string; from: unknown; to: unknown }

/** A list item with the old and the new value of an attribute. */
export function ChangeLine({ change }: { change: Change }) {
  return (
    <li>
      <span className={classes['change']}>
        {attributeTitle(change.attributeName)}:{' '}
        {change.from !== null && <span className={classes['from']}>{logValue(change.from, change.attributeName)}</span>}
        {change.from !== null && ' → '}
        {logValue(change.to, change.attributeName)}
      </span>
    </li>
  )
}
