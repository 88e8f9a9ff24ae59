import type { BulkPreview } from '@backstock/contract/bulk-change.ts'
import { Skeleton, Text } from '@mantine/core'
import { ChangeLine } from '../../ui/log/change-line.tsx'
import { DeviceName } from '../../ui/values/device-name.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { DeviceIdentifier } from '../../widgets/device-identifier.tsx'
import classes from './edit.module.css'

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/**
 * The words behind the number of items that do not change. They have the new value already, or no pasted line names
 * them.
 */
function asTheyAre(n: number, isPasted: boolean): string {
  if (isPasted) return n === 1 ? 'stays as it is' : 'stay as they are'
  return n === 1 ? 'has this value already' : 'have this value already'
}

type Props = { preview: BulkPreview | undefined; dimmed: boolean }

/**
 * The preview of a bulk edit: how many items change, how many cannot and why, and the first items with their old and
 * new values.
 */
export function EditPreview({ preview, dimmed }: Props) {
  if (!preview)
    return (
      <div className={classes['preview']} aria-busy>
        <Skeleton height={14} width="60%" />
        <Skeleton height={14} width="40%" mt={8} />
        <Skeleton height={90} mt={12} />
      </div>
    )
  const { will_change, unchanged, refused, rows, pasted, receipts } = preview
  const refusals = refused.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className={classes['preview']} aria-label="What will happen" data-dimmed={dimmed || undefined}>
      <p role="status" className={classes['counts']}>
        <b>{will_change === 0 ? 'Nothing will change.' : `${items(will_change)} will change.`}</b>{' '}
        {unchanged > 0 && `${items(unchanged)} ${asTheyAre(unchanged, pasted !== null)}. `}
        {refusals > 0 &&
          `${items(refusals)} cannot be changed and ${refusals === 1 ? 'stays as it is' : 'stay as they are'}:`}
      </p>
      {refusals > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard
        <ul className={classes['reasons']} aria-label="Why items cannot be changed" tabIndex={0}>
          {refused.map(({ reason, count, ids }) => (
            <li key={reason}>
              <b>{count.toLocaleString('en')}</b> {reason}{' '}
              <Text span size="sm" c="dimmed">
                {ids.map((id) => `#${id}`).join(', ')}
                {count > ids.length && ' …'}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {receipts && <p className={classes['receipts']}>{receipts}</p>}
      {pasted && pasted.wrong > 0 && <WrongLines {...pasted} />}
      {rows.length > 0 && (
        <>
          {will_change > rows.length && (
            <Text size="sm" c="dimmed" mt="xs">
              The first {rows.length} items that will change:
            </Text>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard */}
          <ul className={classes['rows']} aria-label="What changes" tabIndex={0}>
            {rows.map((row) => (
              <li key={row.id}>
                <div className={classes['item']}>
                  <TextLink to={recordPath('stock', row.id)} size="sm" fw={550} target="_blank">
                    #{row.id}
                  </TextLink>
                  <span className={classes['product']} title={row.product_display_name}>
                    <DeviceName name={row.product_display_name} />
                  </span>
                  <DeviceIdentifier imei={row.imei} serial_number={row.serial_number} grade={row.grade_name} />
                </div>
                <ul className={classes['changes']}>
                  {row.changes.map((change) => (
                    <ChangeLine key={change.attributeName} change={change} />
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** The pasted lines that change nothing, each with its reason. */
function WrongLines({ wrong, lines }: NonNullable<BulkPreview['pasted']>) {
  return (
    <>
      <p className={classes['wrong']}>
        {wrong.toLocaleString('en')} {wrong === 1 ? 'line changes' : 'lines change'} nothing:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard */}
      <ul className={classes['reasons']} aria-label="Lines that change nothing" tabIndex={0}>
        {lines.map(({ line, text, problem }) => (
          <li key={line}>
            <b>Line {line.toLocaleString('en')}</b> {problem}{' '}
            <Text span size="sm" c="dimmed">
              {text}
            </Text>
          </li>
        ))}
        {wrong > lines.length && <li>and {(wrong - lines.length).toLocaleString('en')} more.</li>}
      </ul>
    </>
  )
}
