import type { MouseEvent } from 'react'

/** For menus and drawers that close when somebody follows a link in them, also a link to the current screen. */
export const onLinkClick = (close: () => void) => (event: MouseEvent) => {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey
  if (!elsewhere && event.target instanceof Element && event.target.closest('a[href]')) close()
}
