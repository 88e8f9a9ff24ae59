import { openOverview } from './overview.ts'

export type Shortcut = {
  /** One key, or two keys one after the other, such as 'g s'. */
  keys: string
  does: string
  /**
   * `to` is the screen that the shortcut opens, `run` an action on the current screen. Shortcuts with Ctrl have
   * neither, because the screens handle them.
   */
  to?: string
  run?: () => void
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector)

/** All shortcuts. The listener and the overview both read this table. */
export const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Go to',
    shortcuts: [
      { keys: 'g s', does: 'Stock', to: '/admin/stock' },
      { keys: 'g b', does: 'Batches', to: '/admin/batch' },
      { keys: 'g o', does: 'Sales (orders)', to: '/admin/sale' },
      { keys: 'g c', does: 'Customers', to: '/admin/customer' },
      { keys: 'g r', does: 'Returns', to: '/admin/return' },
      { keys: 'g q', does: 'Quick Order', to: '/admin/quick-order' },
      { keys: 'g k', does: 'Scan', to: '/admin/scan' },
      { keys: 'g d', does: 'Dashboard', to: '/admin/dashboard' },
      { keys: 'g i', does: 'Import', to: '/admin/stock/import' },
      { keys: 'g h', does: 'Help', to: '/admin/help' },
    ],
  },
  {
    title: 'On this screen',
    shortcuts: [
      { keys: 'n', does: 'Add new, if the list has it', run: () => find('main header a[href$="/create"]')?.click() },
      { keys: '/', does: 'To the search field of the list', run: () => find('main input[type=search]')?.focus() },
      { keys: 'Ctrl Enter', does: 'Save, or create a sale' },
    ],
  },
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: 'Ctrl K', does: 'Quick search' },
      { keys: '?', does: 'This overview', run: openOverview },
    ],
  },
]

/** The shortcuts without Ctrl. */
export const OF_KEYS = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts).filter(({ to, run }) => to ?? run)
