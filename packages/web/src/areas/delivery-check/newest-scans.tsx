import type { ScannedLine } from '@backstock/contract/delivery-check.ts'
import { Text } from '@mantine/core'
import { DeviceName } from '../../ui/values/device-name.tsx'
import { Identifier } from '../../ui/values/identifier.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { GradeChip } from '../../widgets/device-identifier.tsx'
import type { Heard } from '../scan/tones.ts'
import { AddItem } from './add-item.tsx'
import classes from './delivery-check.module.css'

const WORDS = {
  matched: 'Matched',
  received: 'Already received',
  unexpected: 'Not in this delivery',
  unknown: 'Unknown',
  hint: 'Not counted',
} as const

const isAgain = ({ result, n }: ScannedLine) => n > 1 && result !== 'hint'
const kindOf = (line: ScannedLine) => (isAgain(line) ? 'twice' : line.result)
const wordOf = (line: ScannedLine) =>
  isAgain(line) ? `Scanned again: ${WORDS[line.result].toLowerCase()}` : WORDS[line.result]

const SOUNDS = {
  matched: 'sellable',
  twice: 'again',
  received: 'refused',
  unexpected: 'refused',
  unknown: 'unknown',
  hint: 'unknown',
} as const
/** The tone for a result. A code that does not count sounds like an unknown one. */
export const soundOf = (line: ScannedLine): Heard => SOUNDS[kindOf(line)]

export type Newest = { key: number; line: ScannedLine }

/** The last scans in this window: the newest one large, with words and a colour, the ones before on a line each. */
export function NewestScans({ scans }: { scans: readonly Newest[] }) {
  const [newest, ...before] = scans
  return (
    <div>
      <div
        className={classes['newest']}
        data-kind={newest ? kindOf(newest.line) : 'none'}
        aria-live="polite"
        aria-atomic
      >
        {newest ? <Large key={newest.key} line={newest.line} /> : <Text>Nothing scanned here yet.</Text>}
      </div>
      {before.length > 0 && (
        <ol className={classes['before']} aria-label="Earlier scans">
          {before.map(({ key, line }) => (
            <li key={key} data-kind={kindOf(line)}>
              <span className={classes['word']}>{wordOf(line)}</span>
              <span className={classes['code']}>{line.code}</span>
              <span className={classes['name']}>
                {line.item && <DeviceName name={line.item.product_display_name} />}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Large({ line }: { line: ScannedLine }) {
  const { code, result, message, item } = line
  return (
    <>
      <div className={classes['large']}>
        <strong>{wordOf(line)}</strong>
        {item && <StatusBadge status={item.status} />}
      </div>
      <div className={classes['what']}>
        {item ? (
          <TextLink to={recordPath('stock', item.id)}>
            #{item.id} {item.product_display_name}
          </TextLink>
        ) : (
          <span>{result === 'matched' ? '' : message}</span>
        )}
        <Identifier value={code} />
        {item?.grade_name && <GradeChip grade={item.grade_name} />}
        {result === 'unknown' && <AddItem code={code} />}
      </div>
    </>
  )
}
