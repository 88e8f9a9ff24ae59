import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink, useRouter } from '@tanstack/react-router'
import { type ComponentPropsWithoutRef, type ComponentPropsWithRef, type MouseEvent, useRef } from 'react'
import classes from './text.module.css'

type PlainAnchorProps = Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps> & AnchorProps

function PlainAnchor({ ref, ...props }: PlainAnchorProps & { ref?: React.Ref<HTMLAnchorElement> }) {
  return <Anchor ref={ref} {...props} />
}

/** A link inside the application that looks like Mantine's. `to` is a path such as /admin/stock/edit/5. */
export const TextLink = createLink(PlainAnchor)

/** The address of a record's edit screen: /admin/{area}/edit/{id}. */
export const recordPath = (area: string, id: number) => `/admin/${area}/edit/${id}`

/**
 * The pointer must rest on a link for this long before the link's target is loaded: often a pointer only passes over a
 * link.
 */
const RESTS_MS = 50

type PlainLinkProps = Omit<ComponentPropsWithRef<'a'>, 'href'> & {
  to: string
  /** The parameters after the question mark of the address. */
  search?: Readonly<Record<string, string>>
}

/**
 * A link for lists of hundreds and for the frame around every screen. Unlike the router's link it does not listen to
 * every change of the router. It loads its target once the pointer or the focus rests on it.
 */
export function PlainLink({ to, search, onClick, ...anchor }: PlainLinkProps) {
  const router = useRouter()
  const place = search ? { to, search: search as never } : { to }
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const preload = () => {
    resting.current = setTimeout(() => void router.preloadRoute(place), RESTS_MS)
  }
  const leave = () => clearTimeout(resting.current)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(place)
  }
  return (
    <a
      onPointerEnter={preload}
      onPointerLeave={leave}
      onFocus={preload}
      onBlur={leave}
      {...anchor}
      href={search ? `${to}?${new URLSearchParams(search)}` : to}
      onClick={follow}
    />
  )
}

/** A PlainLink that looks like a link. */
export function RowLink({ className = '', ...props }: PlainLinkProps) {
  return <PlainLink {...props} className={`${classes['row'] ?? ''} ${className}`} />
}
