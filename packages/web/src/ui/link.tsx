import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink, useRouter } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from 'react'
import classes from './text.module.css'

type PlainAnchorProps = Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps> & AnchorProps

function PlainAnchor({ ref, ...props }: PlainAnchorProps & { ref?: React.Ref<HTMLAnchorElement> }) {
  return <Anchor ref={ref} {...props} />
}

/** A link inside the application in the theme's look. `to` is a path such as /admin/stock/edit/5. */
export const TextLink = createLink(PlainAnchor)

/** Where a record is edited: /admin/{area}/edit/{id}. */
export const recordPath = (area: string, id: number) => `/admin/${area}/edit/${id}`

/** A link for lists of hundreds: unlike TextLink it does not follow every change of the router's state. */
export function RowLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ to })
  }
  return (
    <a
      href={to}
      className={`${classes['row'] ?? ''} ${className ?? ''}`}
      onClick={follow}
      onPointerEnter={() => void router.preloadRoute({ to })}
    >
      {children}
    </a>
  )
}
