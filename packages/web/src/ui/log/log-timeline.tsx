import type { LogEntry } from '@backstock/contract/log.ts'
import type { Page } from '@backstock/contract/page.ts'
import { Anchor, Button, Collapse, Group, Text, Timeline } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { TimeAgo } from '../values/date-text.tsx'
import { recordPath, TextLink } from '../values/link.tsx'
import classes from '../values/text.module.css'
import { ChangeLine } from './change-line.tsx'
import { logKind } from './log-kinds.ts'

/** A record comes with this many of its newest entries. Older ones are read on demand. */
const CARRIED = 20

/**
 * The pages of entries behind those that came with the record. A new entry moves all pages, so the newest entry is part
 * of the key.
 */
export function furtherLogs(newest: LogEntry | undefined) {
  const { loggable_type, loggable_id, id } = newest ?? {}
  return infiniteQueryOptions({
    queryKey: ['log', loggable_type, loggable_id, id],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<LogEntry>>('log/find', {
        query: { loggable_type, loggable_id, per_page: CARRIED, page: pageParam },
        signal,
      }),
    initialPageParam: 2,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  })
}

/** The history of a record, newest first. Entries that did not come with the record are loaded on demand. */
export function LogTimeline({ logs }: { logs: readonly LogEntry[] }) {
  const [more, setMore] = useState(false)
  const newest = logs[0]
  const older = useInfiniteQuery({
    ...furtherLogs(newest),
    enabled: more && newest !== undefined,
    placeholderData: keepPreviousData,
  })
  const carried = new Set(logs.map((entry) => entry.id))
  const further = (older.data?.pages ?? []).flatMap((page) => page.data).filter((entry) => !carried.has(entry.id))
  const entries = [...logs, ...further].filter((entry) => !entry.is_hidden)
  if (entries.length === 0) return <Text c="dimmed">There are no logs</Text>
  const hasMore = more && older.data ? older.hasNextPage : logs.length >= CARRIED
  return (
    <>
      <Timeline bulletSize={26} lineWidth={1} active={-1}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Timeline>
      {hasMore && (
        <Button
          mt="md"
          variant="default"
          size="xs"
          loading={older.isFetching}
          onClick={() => (more ? void older.fetchNextPage() : setMore(true))}
        >
          Show more
        </Button>
      )}
    </>
  )
}

function Entry({ entry }: { entry: LogEntry }) {
  const { title, Icon } = logKind(entry.content.type)
  return (
    <Timeline.Item
      bullet={<Icon size={14} />}
      title={
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          {entry.user_name && <Text size="xs">{entry.user_name}</Text>}
          <TimeAgo iso={entry.created_at} words={entry.time_ago} />
        </Group>
      }
    >
      <Content entry={entry} />
    </Timeline.Item>
  )
}

function Content({ entry: { content } }: { entry: LogEntry }) {
  switch (content.type) {
    case 'item_sold':
      return (
        <Text size="sm">
          Sold in{' '}
          {content.data.is_deleted ? (
            `Sale #${content.data.sale_id}, which was deleted`
          ) : (
            <TextLink to={recordPath('sale', content.data.sale_id)} inherit underline="always">
              Sale #{content.data.sale_id}
            </TextLink>
          )}
        </Text>
      )
    case 'model_update':
      return (
        <ul className={classes['changes']}>
          {content.data.map((change) => (
            <ChangeLine key={change.attributeName} change={change} />
          ))}
        </ul>
      )
    case 'email_sent':
      return <Mail message={content.data.message} body={content.data.email_body} />
    default:
      return <Text size="sm">{content.data.message}</Text>
  }
}

/** The mail's body is shown in a frame in which scripts, forms and links into this page do not work. */
function Mail({ message, body }: { message: string; body: string | undefined }) {
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <>
      <Text size="sm">
        {message}{' '}
        {body && (
          <Anchor component="button" type="button" size="sm" aria-expanded={opened} onClick={toggle}>
            {opened ? 'Hide the email' : 'Show the email'}
          </Anchor>
        )}
      </Text>
      {body && (
        <Collapse expanded={opened} keepMounted={false}>
          {/<[a-z!][^>]*>/i.test(body) ? (
            <iframe className={classes['mail']} title="Email" sandbox="" srcDoc={body} />
          ) : (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {body}
            </Text>
          )}
        </Collapse>
      )}
    </>
  )
}
