import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import type { LogEntry } from '@backstock/contract/log.ts'
import { ActionIcon, Anchor, Popover, Text, Tooltip } from '@mantine/core'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import { useState } from 'react'
import { refetchAuth, useMe } from '../api/session.ts'
import { onLinkClick } from '../ui/layout/on-link-click.ts'
import { OnVisit, pathOf } from '../ui/layout/on-visit.tsx'
import { logKind } from '../ui/log/log-kinds.ts'
import { logValue } from '../ui/log/log-value.ts'
import { TimeAgo } from '../ui/values/date-text.tsx'
import { RowLink, recordPath } from '../ui/values/link.tsx'
import classes from './notifications-menu.module.css'

const SHOWN_AT_FIRST = 5

/** The menu with the newest changes that concern this person. Each links to its record. */
export function NotificationsMenu() {
  const { recent_logs } = useMe()
  const [opened, setOpened] = useState(false)
  const [all, setAll] = useState(false)

  const toggle = () => {
    if (!opened) refetchAuth().catch(() => {})
    setAll(false)
    setOpened(!opened)
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(380px, calc(100vw - 16px))"
      trapFocus
      returnFocus
    >
      <OnVisit by={pathOf} run={() => setOpened(false)} />
      <Popover.Target>
        <Tooltip label="Notifications" disabled={opened}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Notifications" onClick={toggle}>
            <IconBell size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications" onClick={onLinkClick(() => setOpened(false))}>
        <Text fw={600} className={classes['head'] ?? ''} tabIndex={-1} data-autofocus>
          Notifications
        </Text>
        {recent_logs.length === 0 ? (
          <Text c="dimmed" ta="center" p="xl">
            There are no notifications
            <Text size="sm" mt={4}>
              Most of your changes appear here, with links to the records.
            </Text>
          </Text>
        ) : (
          <ul className={classes['entries']}>
            {(all ? recent_logs : recent_logs.slice(0, SHOWN_AT_FIRST)).map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        {recent_logs.length > SHOWN_AT_FIRST && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            className={classes['more'] ?? ''}
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {all ? 'Show less' : 'Show more'}
          </Anchor>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function Entry({ entry }: { entry: LogEntry }) {
  const { title, Icon } = logKind(entry.content.type)
  const text = summary(entry)
  const content = (
    <>
      <Icon size={16} stroke={1.6} className={classes['icon']} />
      <span className={classes['lines']}>
        <span className={classes['first']}>
          <b>{title}</b>
          <span>
            {entry.loggable_type} #{entry.loggable_id}
          </span>
          <TimeAgo iso={entry.created_at} />
        </span>
        <span className={classes['text']} title={text}>
          {text}
        </span>
      </span>
    </>
  )
  const className = classes['entry'] ?? ''
  return (
    <li>
      {entry.is_deleted ? (
        <div className={className}>{content}</div>
      ) : (
        <RowLink to={placeOf(entry)} className={className}>
          {content}
        </RowLink>
      )}
    </li>
  )
}

/** One line about a log entry. The record's history shows all of it. */
export function summary({ content }: LogEntry): string {
  switch (content.type) {
    case 'item_sold':
      return `Sold in Sale #${content.data.sale_id}`
    case 'model_update':
      return content.data
        .map(({ attributeName, to }) => `${attributeTitle(attributeName)}: ${logValue(to, attributeName)}`)
        .join(', ')
    default:
      return content.data.message
  }
}

/** The address of the record that a log entry is about. */
export function placeOf({ loggable_type, loggable_id }: LogEntry): string {
  if (loggable_type === 'Delivery check') return `/admin/stock/check/${loggable_id}`
  if (loggable_type === 'Bulk edit') return `/admin/stock/bulk?ids=${loggable_id}`
  // 'Supplier claim' becomes 'supplier-claim', the name of the area.
  return recordPath(loggable_type.toLowerCase().replaceAll(' ', '-'), loggable_id)
}
