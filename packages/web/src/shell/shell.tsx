import { Alert, Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import { errorMessage } from '../api/error.ts'
import { lazyPart } from '../api/lazy-part.ts'
import { authQuery, refetchAuth } from '../api/session.ts'
import { ImportWatch } from '../areas/import/import-watch.tsx'
import { MailWatch } from '../areas/sale/documents/mail-watch.tsx'
import { LIST_VIEWS } from '../areas/view/list-views.tsx'
import { ListViewsContext } from '../crud/list-views.ts'
import { useWhenConnected } from '../ui/feedback/when-connected.ts'
import { OnVisit, pathOf } from '../ui/layout/on-visit.tsx'
import { AttentionLink } from './attention-link.tsx'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts/shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import { SkipLinks } from './skip-links.tsx'
import { TopBar } from './top-bar.tsx'
import { VERSION } from './version.ts'

const COLLAPSED = 'sidebarCollapsed'

const MenuDrawer = lazyPart(() => import('./menu-drawer.tsx'))

/**
 * The frame around all screens below /admin. Up to 1199 px the menu is a drawer that closes at each navigation. On
 * wider screens it can shrink to its icons.
 */
export default function Shell() {
  const narrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const [drawer, setDrawer] = useState(false)
  const [wanted, setWanted] = useState(false)
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(COLLAPSED) === 'true')

  const toggle = () => {
    if (narrow) {
      setWanted(true)
      return setDrawer((now) => !now)
    }
    localStorage.setItem(COLLAPSED, String(!collapsed))
    setCollapsed(!collapsed)
  }

  return (
    <>
      <div className={classes['shell']} data-collapsed={collapsed || undefined}>
        <OnVisit by={pathOf} run={() => setDrawer(false)} />
        <SkipLinks />
        {narrow ? (
          wanted && (
            <Suspense>
              <MenuDrawer opened={drawer} onClose={() => setDrawer(false)} />
            </Suspense>
          )
        ) : (
          <aside className={classes['aside']}>
            <Sidebar iconsOnly={collapsed} />
          </aside>
        )}
        <div className={classes['column']}>
          <TopBar menuOpened={narrow ? drawer : !collapsed} onMenu={toggle} />
          <Outage />
          <main id="content" tabIndex={-1} className={classes['main']}>
            <Page />
          </main>
          <footer className={classes['foot']}>
            <Text size="xs" c="dimmed" className={classes['footer'] ?? ''}>
              © {new Date().getFullYear()} Backstock {VERSION}
            </Text>
            <AttentionLink />
          </footer>
        </div>
      </div>
      <Shortcuts />
      <ImportWatch />
      <MailWatch />
    </>
  )
}

/** The current page. It is a component of its own, so that the shell is not drawn again with each screen. */
function Page() {
  const shown = useRouterState({ select: (state) => state.matches.at(-1)?.pathname })
  return (
    <div key={shown} className={classes['page']}>
      <ListViewsContext value={LIST_VIEWS}>
        <Outlet />
      </ListViewsContext>
    </div>
  )
}

/**
 * The alert above a page if the server cannot be reached. Each navigation checks the session, and so finds out. The
 * page below can still be used.
 */
function Outage() {
  const { isRefetchError, error } = useQuery(authQuery)
  const retry = useCallback(() => void refetchAuth().catch(() => {}), [])
  useWhenConnected(isRefetchError, retry)
  if (!isRefetchError) return null
  return (
    <Alert color="orange" radius={0} role="alert" icon={<IconAlertTriangle size={18} />}>
      {errorMessage(error)}{' '}
      <Button size="compact-sm" variant="default" onClick={retry}>
        Try again
      </Button>
    </Alert>
  )
}
