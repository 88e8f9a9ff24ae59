import {
  ActionIcon,
  Avatar,
  Loader,
  Menu,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import IconUserEdit from '@tabler/icons-react/dist/esm/icons/IconUserEdit.mjs'
import IconZoomScan from '@tabler/icons-react/dist/esm/icons/IconZoomScan.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { logout, useMe } from '../api/session.ts'
import { recordPath } from '../ui/link.tsx'
import classes from './top-bar.module.css'

const BasketMenu = lazy(() => import('../areas/basket/basket-menu.tsx'))

export function TopBar({ menuOpened, onMenu }: { menuOpened: boolean; onMenu: () => void }) {
  const loading = useRouterState({ select: (state) => state.isLoading })
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
      <div className={classes['loading']} role="status">
        {loading && <Loader size={18} aria-label="Loading the page" />}
      </div>
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
        <Suspense>
          <BasketMenu />
        </Suspense>
        <SchemeSwitch />
        <Profile />
      </div>
    </header>
  )
}

function SchemeSwitch() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const { setColorScheme } = useMantineColorScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip label={`Use the ${other} theme`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Use the ${other} theme`}
        onClick={() => setColorScheme(other)}
      >
        {scheme === 'dark' ? <IconSun size={20} stroke={1.6} /> : <IconMoon size={20} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  )
}

function Profile() {
  const me = useMe()
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <UnstyledButton className={classes['profile'] ?? ''}>
          <VisuallyHidden>Profile of {me.name}</VisuallyHidden>
          <Avatar src={me.avatar_url} name={me.name} alt="" aria-hidden color="accent" size={32} radius="xl" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.name}
          <br />
          {me.email}
        </Menu.Label>
        <Menu.Item component={Link} to={recordPath('user', me.id)} leftSection={<IconUserEdit size={16} />}>
          Edit Profile
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logout()}>
          Log Out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
