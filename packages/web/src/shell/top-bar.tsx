import { ActionIcon, Loader, Tooltip } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconZoomScan from '@tabler/icons-react/dist/esm/icons/IconZoomScan.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import { HelpLink } from './help-link.tsx'
import { NotificationsMenu } from './notifications-menu.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { QuickSearchButton } from './quick-search-button.tsx'
import classes from './top-bar.module.css'

const BasketMenu = lazyPart(() => import('../areas/basket/basket-menu.tsx'))

export function TopBar({ menuOpened, onMenu }: { menuOpened: boolean; onMenu: () => void }) {
  return (
    <header className={classes['bar']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={menuOpened ? 'Close the menu' : 'Open the menu'}
        aria-expanded={menuOpened}
        onClick={onMenu}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Loading />
      <div className={classes['right']}>
        <Tooltip label="Quick Order">
          <ActionIcon
            component={Link}
            to="/admin/quick-order"
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Quick Order"
          >
            <IconZoomScan size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <QuickSearchButton />
        <div className={classes['basket']}>
          <Suspense>
            <BasketMenu />
          </Suspense>
        </div>
        <HelpLink className={classes['help'] ?? ''} />
        <NotificationsMenu />
        <ProfileMenu />
      </div>
    </header>
  )
}

/** A component of its own, so that the bar is not drawn again with each change of the router. */
function Loading() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  return (
    <div className={classes['loading']} role="status">
      {loading && <Loader size={18} aria-label="Loading the page" />}
    </div>
  )
}
