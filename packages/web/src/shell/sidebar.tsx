import { Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useMe } from '../api/session.ts'
import { PlainLink } from '../ui/values/link.tsx'
import { Mark } from '../ui/values/mark.tsx'
import { MENU, type MenuGroup, type MenuItem } from './areas.ts'
import { useHelp } from './help-link.tsx'
import classes from './sidebar.module.css'

/** The menu, or only its icons. The item of the current screen is marked. */
export function Sidebar({ iconsOnly = false }: { iconsOnly?: boolean }) {
  return (
    <div className={classes['sidebar']} data-icons-only={iconsOnly || undefined}>
      <Link to="/admin/dashboard" className={classes['brand']} title={iconsOnly ? 'Dashboard' : undefined}>
        <Mark size={26} />
        <span className={classes['label']}>Backstock</span>
      </Link>
      <nav aria-label="Main">
        {MENU.map((group) => (
          <Group key={group.title ?? 'main'} group={group} iconsOnly={iconsOnly} />
        ))}
      </nav>
      <Help />
      <SchemeSwitch />
    </div>
  )
}

/**
 * A group of the menu. A click on its title folds or unfolds it, and the browser remembers this. Before the first click
 * the group is open if it contains the current screen.
 */
function Group({ group: { title, isFolded, items }, iconsOnly }: { group: MenuGroup; iconsOnly: boolean }) {
  const me = useMe()
  const id = useId()
  const key = `menuFolded ${title}`
  const [chosen, setChosen] = useState(() => localStorage.getItem(key))
  const isHere = useRouterState({
    select: ({ location: { pathname } }) => items.some(({ to }) => isLit(to, pathname)),
  })
  const shown = items.filter((item) => item.shown?.(me) ?? true)
  if (shown.length === 0) return null
  const opened = iconsOnly || isFolded === undefined || (chosen === null ? isHere || !isFolded : chosen === 'false')
  const toggle = () => {
    localStorage.setItem(key, String(opened))
    setChosen(String(opened))
  }
  return (
    <div className={classes['group']}>
      {title && (isFolded === undefined || iconsOnly) && (
        <Text size="xs" c="dimmed" fw={600} className={classes['title'] ?? ''}>
          <span className={classes['label']}>{title}</span>
        </Text>
      )}
      {title && isFolded !== undefined && !iconsOnly && (
        <UnstyledButton className={classes['fold'] ?? ''} aria-expanded={opened} aria-controls={id} onClick={toggle}>
          {title}
          <IconChevronDown size={14} />
        </UnstyledButton>
      )}
      <div id={id} hidden={!opened}>
        {shown.map((item) => (
          <Item key={item.to} item={item} iconsOnly={iconsOnly} />
        ))}
      </div>
    </div>
  )
}

/** The help link for phones, whose top bar has no room for it. */
function Help() {
  return (
    <PlainLink to={useHelp()} className={`${classes['item']} ${classes['help']}`}>
      <IconHelp size={18} stroke={1.6} />
      <span className={classes['label']}>Help</span>
    </PlainLink>
  )
}

const leadsTo = (to: string, pathname: string) => pathname === to || pathname.includes(`${to}/`)

/** Whether an item of the menu is marked. If two items fit the path, the one with the longer path is. */
const isLit = (to: string, pathname: string) =>
  leadsTo(to, pathname) &&
  !MENU.some(({ items }) => items.some((item) => item.to.length > to.length && leadsTo(item.to, pathname)))

function Item({ item: { title, to, Icon }, iconsOnly }: { item: MenuItem; iconsOnly: boolean }) {
  const router = useRouter()
  const active = useRouterState({ select: ({ location: { pathname } }) => isLit(to, pathname) })
  return (
    <PlainLink
      to={to}
      className={classes['item']}
      data-active={active || undefined}
      aria-current={active ? 'page' : undefined}
      title={iconsOnly ? title : undefined}
      onClick={(event) => {
        if (router.latestLocation.pathname === to) event.preventDefault()
      }}
    >
      <Icon size={18} stroke={1.6} />
      <span className={classes['label']}>{title}</span>
    </PlainLink>
  )
}

function SchemeSwitch() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const { setColorScheme } = useMantineColorScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  const Icon = scheme === 'dark' ? IconSun : IconMoon
  return (
    <UnstyledButton
      className={`${classes['item']} ${classes['scheme']}`}
      aria-label={`Use the ${other} theme`}
      title={`Use the ${other} theme`}
      onClick={() => setColorScheme(other)}
    >
      <Icon size={18} stroke={1.6} />
      <span className={classes['label']}>{scheme === 'dark' ? 'Light theme' : 'Dark theme'}</span>
    </UnstyledButton>
  )
}
