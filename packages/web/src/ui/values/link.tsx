import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink, useRouter } from '@tanstack/react-router'
import { type ComponentPropsWithoutRef, type ComponentPropsWithRef, type MouseEvent, useRef } from 'react'
import classes from './text.module.css'

type PlainAnchorProps = Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps> & AnchorProps

function PlainAnchor({ ref, ...props }: PlainAnchorProps & { ref?: React.Ref<HTMLAnchorElement> }) {
  return <Anchor ref={ref} {...props} />
}

/** A link inside the application in the theme's look. `to` is a path such as /admin/stock/edit/5. */
export const TextLink = createLink(PlainAnchor)

/** The address of a record's edit screen: /admin/{area}/edit/{id}. */
export const recordPath = (area: string, id: number) => `/admin/${area}/edit/${id}`

/** A pointer that only passes over a link does not mean it. */
const RESTS_MS = 50

type PlainLinkProps = Omit<ComponentPropsWithRef<'a'>, 'href'> & {
  to: string
  /** The text after the question mark. */
  search?: Readonly<Record<string, string>>
}

/**
 * A link for lists of hundreds and for the frame of every screen: unlike the router's it does not follow every
 * change of the router's state. Its target is fetched once the pointer or the focus rests on it.
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

/** The same in the look of a link. */
export function RowLink({ className = '', ...props }: PlainLinkProps) {
  return <PlainLink {...props} className={`${classes['row'] ?? ''} ${className}`} />
}
