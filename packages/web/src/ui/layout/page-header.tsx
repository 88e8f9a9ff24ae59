import { Link } from '@tanstack/react-router'
import { createContext, Fragment, type ReactNode, useContext, useEffect } from 'react'
import classes from './page-header.module.css'

// touch.css makes links with Mantine's class `mantine-Anchor-root` easier to touch on a phone.
const LINK = `mantine-focus-auto mantine-Anchor-root ${classes['crumb']}`

export type Crumb = { title: string; to?: string }

/**
 * The breadcrumbs after 'Admin': those of the resource and of the operation. The shell provides them to each screen.
 */
export const Crumbs = createContext<readonly Crumb[] | null>(null)

type Props = {
  title: string
  /** Breadcrumbs that replace those of the resource. If there are neither, the only breadcrumb is the title. */
  crumbs?: readonly Crumb[]
  /** A line under the title, for example 'Showing 1 to 10 of 57 entries'. */
  note?: ReactNode
  /** Buttons. On a phone they are a bar at the bottom of the screen. */
  actions?: ReactNode
}

/** The title, breadcrumbs and actions of a page. It also sets the title of the document. */
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
