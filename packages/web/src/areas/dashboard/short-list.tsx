import { timeAgo } from '@backstock/contract/time.ts'
import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../ui/values/date-text.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import classes from './dashboard.module.css'
import type { Target } from './dashboard.ts'
import { Section } from './section.tsx'

type Row = { key: number; target: Target; lead: string; end: ReactNode; below: ReactNode; at: string }
type Props = {
  title: string
  /** The text of an empty list. */
  none: string
  all: Target & { count?: number | undefined }
  rows: Row[] | undefined
}

/** The panel always has room for this many records, so that nothing moves when they have loaded. */
const PLACES = [1, 2, 3, 4, 5]

/** A panel with a few records, two lines each, which link to the records, and a link to the whole list. */
export function ShortList({ title, none, all: { count, ...all }, rows }: Props) {
  return (
    <Section
      title={title}
      aside={
        <TextLink size="sm" {...all}>
          {count === undefined ? 'All' : `All ${count.toLocaleString('en')}`}
          <VisuallyHidden> of {title}</VisuallyHidden>
        </TextLink>
      }
    >
      <div aria-busy={!rows}>
        {!rows &&
          PLACES.map((place) => (
            <div key={place} className={classes['place']}>
              <Skeleton height={30} />
            </div>
          ))}
        {rows?.length === 0 && (
          <Text c="dimmed" size="sm" className={classes['none'] ?? ''}>
            {none}
          </Text>
        )}
        {rows && rows.length > 0 && (
          <ul className={classes['list']}>
            {rows.map(({ key, target, lead, end, below, at }) => (
              <li key={key}>
                <Link {...target} className={classes['row']}>
                  <span className={classes['line']}>
                    <span className={classes['lead']} title={lead}>
                      {lead}
                    </span>
                    <span>{end}</span>
                  </span>
                  <span className={classes['line']} data-below>
                    <span className={classes['lead']}>{below}</span>
                    <time dateTime={at} title={formatDateTime(at)}>
                      {timeAgo(at, Date.now())}
                    </time>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}
