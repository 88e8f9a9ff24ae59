import { type ComponentType, lazy, useEffect } from 'react'
import { loadCode } from './load-code.ts'
import { showToast } from './toast.ts'

/** How Chrome, Firefox and Safari say that they cannot load code. */
const NOT_LOADED = /^(Failed to fetch dynamically|error loading dynamically|Importing a module script failed)/

/**
 * A part of a screen, such as a dialog, whose code is loaded when the part is drawn for the first time. Without a
 * connection it waits for one and says so. If the server has a newer version, and the part's code no more, a message
 * offers to load the page anew. React's own `lazy` would replace the screen by an error, and what was typed there would
 * be lost.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() =>
    loadCode(load, { isWanted: true }).catch((error: Error) => {
      if (!NOT_LOADED.test(error.message)) throw error
      return { default: Outdated }
    }),
  )

/** Stands for a part without code. */
function Outdated() {
  useEffect(() => {
    showToast({
      type: 'warning',
      message: 'Backstock has been updated. Reload the page to go on.',
      about: 'update',
      action: { text: 'Reload', run: () => location.reload() },
    })
  }, [])
  return null
}
