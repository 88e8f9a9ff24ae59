import type { MouseEvent } from 'react'

/** For what closes when a link in it is followed, also one that leads to where we are already. */
export const onLinkClick = (close: () => void) => (event: MouseEvent) => {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey
  if (!elsewhere && event.target instanceof Element && event.target.closest('a[href]')) close()
}
