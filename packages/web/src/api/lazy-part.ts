import { type ComponentType, lazy } from 'react'
import { loadCode } from './load-code.ts'

/**
 * A part of a screen, such as a dialog, whose code is loaded when the part is drawn for the first time. Without a
 * connection it waits for one and says so; React's own `lazy` would replace the screen by an error, and what was typed
 * there would be lost.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => loadCode(load, { isWanted: true }))
