import type { MouseEvent } from 'react'
import classes from './shell.module.css'

const FIRST_IN_TABLE = 'main tbody :is(a, button:enabled, input:enabled)'

const focus = (selector: string) => (event: MouseEvent) => {
  // The address stays: it is the list's state.
  event.preventDefault()
  document.querySelector<HTMLElement>(selector)?.focus()
}

/**
 * First in the tab order, and seen only when focused: links past the menu and the top bar, and past the content
 * above a table.
 */
export function SkipLinks() {
  return (
    <div className={classes['skip']}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page */}
      <a href="#content" onClick={focus('main')}>
        Skip to content
      </a>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page */}
      <a href="#content" className={classes['toTable']} onClick={focus(FIRST_IN_TABLE)}>
        Skip to the table
      </a>
    </div>
  )
}
