import type { MouseEvent } from 'react'

/**
 * The `onClick` of a menu or drawer that closes when somebody follows a link in it, even a link to the current screen.
 */
export const onLinkClick = (close: () => void) => (event: MouseEvent) => {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey
  if (!elsewhere && event.target instanceof Element && event.target.closest('a[href]')) close()
}
