import { Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { PlainLink } from '../ui/link.tsx'
import { Mark } from '../ui/mark.tsx'
import { MENU, type MenuItem } from './areas.ts'
import { useHelp } from './help-link.tsx'
import classes from './sidebar.module.css'

/**
 * The menu, or its icons alone. Items whose link the current path contains are lit; clicking the page one is on does
 * nothing.
 */
export function Sidebar({ iconsOnly = false }: { iconsOnly?: boolean }) {
  const me = useMe()
  return (
    <div className={classes['sidebar']} data-icons-only={iconsOnly || undefined}>
      <Link to="/admin/dashboard" className={classes['brand']} title={iconsOnly ? 'Dashboard' : undefined}>
        <Mark size={26} />
        <span className={classes['label']}>Backstock</span>
      </Link>
      <nav aria-label="Main">
        {MENU.map((group) => (
          <div key={group.title ?? 'main'} className={classes['group']}>
            {group.title && (
              <Text size="xs" c="dimmed" fw={600} className={classes['title'] ?? ''}>
                <span className={classes['label']}>{group.title}</span>
              </Text>
            )}
            {group.items
              .filter((item) => item.shown?.(me) ?? true)
              .map((item) => (
                <Item key={item.to} item={item} iconsOnly={iconsOnly} />
              ))}
          </div>
        ))}
      </nav>
      <Help />
      <SchemeSwitch />
    </div>
  )
}

/** For phones, whose top bar has no room for it. */
function Help() {
  return (
    <PlainLink to={useHelp()} className={`${classes['item']} ${classes['help']}`}>
      <IconHelp size={18} stroke={1.6} />
      <span className={classes['label']}>Help</span>
    </PlainLink>
  )
}

const leadsTo = (to: string, pathname: string) => pathname === to || pathname.includes(`${to}/`)

/** Of two links of which one stands below the other, the longer one is lit. */
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
