import { timeAgo } from '@backstock/contract/time.ts'
import { Text, Tooltip } from '@mantine/core'

const two = (n: number) => String(n).padStart(2, '0')

/** An ISO time as `dd/MM/yyyy HH:mm:ss` in the browser's time zone. */
export function formatDateTime(iso: string): string {
  const d = new Date(iso)
  const date = `${two(d.getDate())}/${two(d.getMonth() + 1)}/${d.getFullYear()}`
  return `${date} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`
}

/** A point in time. The tooltip says how long ago it was. */
export function DateTime({ iso }: { iso: string }) {
  const [date, time] = formatDateTime(iso).split(' ')
  return (
    <time dateTime={iso} title={timeAgo(iso, Date.now())}>
      {date}
      <span data-clock> {time}</span>
    </time>
  )
}

/**
 * Says how long ago a time was; the tooltip has the date. `words` is the server's text for it, if the answer has one.
 */
export function TimeAgo({ iso, words }: { iso: string; words?: string }) {
  return (
    <Tooltip label={formatDateTime(iso)}>
      <Text component="time" dateTime={iso} size="xs" c="dimmed">
        {words ?? timeAgo(iso, Date.now())}
      </Text>
    </Tooltip>
  )
}
