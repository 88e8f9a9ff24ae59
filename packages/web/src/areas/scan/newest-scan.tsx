import { Text } from '@mantine/core'
import { Identifier } from '../../ui/values/identifier.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { GradeChip } from '../../widgets/device-identifier.tsx'
import { AddItem } from '../delivery-check/add-item.tsx'
import classes from './scan.module.css'
import type { Scan } from './scan-list.ts'
import { whyOf, wordOf } from './scan-words.ts'

/**
 * The newest scan that has a result: large, with words and a colour. `isBehind` says that newer scans still wait for
 * theirs.
 */
export function NewestScan({ scan, isBehind }: { scan: Scan | undefined; isBehind: boolean }) {
  return (
    <div
      className={classes['newest']}
      data-kind={scan?.result ?? 'none'}
      data-behind={isBehind || undefined}
      aria-live="polite"
      aria-atomic
    >
      {scan ? (
        <Large key={scan.id} scan={scan} />
      ) : (
        <Text>{isBehind ? 'Looking…' : 'Nothing scanned yet. Each scan is shown here.'}</Text>
      )}
    </div>
  )
}

function Large({ scan }: { scan: Scan }) {
  const { code, result, item, message } = scan
  const why = whyOf(scan)
  return (
    <>
      <div className={classes['large']}>
        <strong>{wordOf(scan)}</strong>
        {item && <StatusBadge status={item.status} />}
      </div>
      <div className={classes['what']}>
        {item && (
          <TextLink to={recordPath('stock', item.id)}>
            #{item.id} {item.product_display_name}
          </TextLink>
        )}
        <Identifier value={code} />
        {item?.grade_name && <GradeChip grade={item.grade_name} />}
        {why && <span>{why}</span>}
        {result === 'unknown' && message === null && <AddItem code={code} />}
      </div>
    </>
  )
}
