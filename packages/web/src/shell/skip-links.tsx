import type { MouseEvent } from 'react'
import classes from './shell.module.css'

const FIRST_IN_TABLE = 'main tbody :is(a, button:enabled, input:enabled)'

const focus = (selector: string) => (event: MouseEvent) => {
  // The address must not change, because it holds the state of the list.
  event.preventDefault()
  document.querySelector<HTMLElement>(selector)?.focus()
}

/**
 * Links that skip the menu and the top bar, or everything above a table. They are the first tab stops, and visible only
 * while focused.
 */
export function SkipLinks() {
  return (
    <div className={classes['skip']}>
      {/* biome-ignore lint/a11y/useValidAnchor: the link leads to a place on this page */}
      <a href="#content" onClick={focus('main')}>
        Skip to content
      </a>
      {/* biome-ignore lint/a11y/useValidAnchor: the link leads to a place on this page */}
      <a href="#content" className={classes['toTable']} onClick={focus(FIRST_IN_TABLE)}>
        Skip to the table
      </a>
    </div>
  )
}
