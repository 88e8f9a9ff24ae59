import { Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { Mark } from '../ui/mark.tsx'
import { MENU, type MenuItem } from './menu.ts'
import classes from './sidebar.module.css'

/** The menu. Items whose link the current path contains are lit; clicking the page one is on does nothing. */
export function Sidebar() {
  const me = useMe()
  return (
    <div className={classes['sidebar']}>
      <Link to="/admin/stock" className={classes['brand']}>
        <Mark size={26} />
        <span>Backstock</span>
      </Link>
      <nav aria-label="Main">
        {MENU.map((group) => (
          <div key={group.title ?? 'main'} className={classes['group']}>
            {group.title && (
              <Text size="xs" c="dimmed" fw={600} className={classes['title'] ?? ''}>
                {group.title}
              </Text>
            )}
            {group.items
              .filter((item) => item.shown?.(me) ?? true)
              .map((item) => (
                <Item key={item.to} item={item} />
              ))}
          </div>
        ))}
      </nav>
    </div>
  )
}

function Item({ item: { title, to, Icon } }: { item: MenuItem }) {
  const here = useRouterState({ select: (state) => state.location.href })
  const path = here.split('?')[0] ?? here
  const active = path === to || path.includes(`${to}/`)
  return (
    <Link
      to={to}
      className={classes['item']}
      data-active={active || undefined}
      aria-current={active ? 'page' : undefined}
      onClick={(event) => {
        if (here === to) event.preventDefault()
      }}
    >
      <Icon size={18} stroke={1.6} />
      {title}
    </Link>
  )
}
