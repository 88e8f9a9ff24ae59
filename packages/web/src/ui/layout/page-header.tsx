import { Link } from '@tanstack/react-router'
import { createContext, Fragment, type ReactNode, useContext, useEffect } from 'react'
import classes from './page-header.module.css'

// By this name a link is easier to touch on a phone.
const LINK = `mantine-focus-auto mantine-Anchor-root ${classes['crumb']}`

export type Crumb = { title: string; to?: string }

/** The breadcrumbs after 'Admin' for the screen inside: its resource and the operation. */
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
        <nav className={classes['crumbs']} aria-label="Breadcrumbs">
          {[{ title: 'Admin', to: '/admin' }, ...crumbs].map((crumb, place) => (
            <Fragment key={crumb.title}>
              {place > 0 && <div className={classes['between']}>{'>'}</div>}
              {crumb.to ? (
                <Link to={crumb.to} className={LINK}>
                  {crumb.title}
                </Link>
              ) : (
                <p className={classes['crumb']}>{crumb.title}</p>
              )}
            </Fragment>
          ))}
        </nav>
        <h1 className={classes['title']}>{title}</h1>
        {note !== undefined && (
          <p aria-live="polite" className={classes['note']}>
            {note}
          </p>
        )}
      </div>
      {actions && (
        <div className={classes['actions']} data-actions>
          {actions}
        </div>
      )}
    </header>
  )
}
