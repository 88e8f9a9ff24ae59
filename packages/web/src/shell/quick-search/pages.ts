import type { User } from '@backstock/contract/user.ts'
import { clearBatchItems, clearSaleItems } from '../../areas/basket/storage-data.ts'
import { recordPath } from '../../ui/values/link.tsx'
import { MENU } from '../areas.ts'
import type { Group, Hit } from './kinds.ts'

// New sales and batches start with the basket here: items that a screen has left for them earlier are forgotten.
const OTHERS: readonly [title: string, to: string, onOpen?: () => void][] = [
  ['Quick Order', '/admin/quick-order'],
  ['New Stock Item', '/admin/stock/create'],
  ['Import Stock', '/admin/stock/import'],
  ['Import History', '/admin/stock/import/history'],
  ['New Sale', '/admin/sale/create', clearSaleItems],
  ['New Batch', '/admin/batch/create', clearBatchItems],
  ['Add to Batch', '/admin/batch/add-to-batch', clearBatchItems],
]
const COMMON = ['Stock', 'Batch', 'Sales', 'Customer', 'Quick Order', 'Import Stock', 'Dashboard']

const asHit = (title: string, to: string, onOpen?: () => void): Hit => ({ title, to, badges: [], onOpen })

const menuOf = (me: User, group?: string) =>
  MENU.filter(({ title }) => group === undefined || title === group)
    .flatMap(({ items }) => items)
    .filter((item) => item.shown?.(me) ?? true)
    .map(({ title, to }) => asHit(title, to))

/** All screens that this person may open, in the order of the menu. */
export function pagesOf(me: User): Hit[] {
  const own = asHit('Edit Profile', recordPath('user', me.id))
  return [...menuOf(me), ...OTHERS.map((page) => asHit(...page)), own]
}

/** The hits that are shown while nothing is typed. */
export function shortcutsOf(me: User): Group[] {
  const pages = pagesOf(me)
  return [
    { title: 'Commonly Used', hits: COMMON.flatMap((title) => pages.filter((page) => page.title === title)) },
    { title: 'Manage', hits: menuOf(me, 'Manage') },
  ]
}
