import { Breadcrumbs, Group, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { TextLink } from './link.tsx'
import classes from './page-header.module.css'

export type Crumb = { title: string; to?: string }

/** What follows 'Admin' in the breadcrumbs of the screen inside: its resource and the operation. */
export const Crumbs = createContext<readonly Crumb[] | null>(null)

type Props = {
  title: string
  /** Instead of those of the resource; a screen that belongs to none is called by its title. */
  crumbs?: readonly Crumb[]
  /** A line under the title, for example 'Showing 1 to 10 of 57 entries'. */
  note?: ReactNode
  /** Buttons; on phones they become a bar at the bottom of the screen. */
  actions?: ReactNode
}

/** Title, breadcrumbs and actions of a page; names the document too. */
export function PageHeader({ title, crumbs: own, note, actions }: Props) {
  const ofResource = useContext(Crumbs)
  const crumbs = own ?? ofResource ?? [{ title }]
  useEffect(() => {
    document.title = `${title} · Backstock`
  }, [title])
  return (
    <header className={classes['header']}>
      <div>
        <Breadcrumbs separator=">" separatorMargin={6} component="nav" aria-label="Breadcrumbs">
          {[{ title: 'Admin', to: '/admin' }, ...crumbs].map((crumb) =>
            crumb.to ? (
              <TextLink key={crumb.title} to={crumb.to} size="xs" c="dimmed">
                {crumb.title}
              </TextLink>
            ) : (
              <Text key={crumb.title} size="xs" c="dimmed">
                {crumb.title}
              </Text>
            ),
          )}
        </Breadcrumbs>
        <Title order={1}>{title}</Title>
        {note !== undefined && (
          <Text size="sm" c="dimmed" aria-live="polite" className={classes['note'] ?? ''}>
            {note}
          </Text>
        )}
      </div>
      {actions && <Group className={classes['actions'] ?? ''}>{actions}</Group>}
    </header>
  )
}
