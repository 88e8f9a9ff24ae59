import type { ManualPage } from '../areas/help/jobs.ts'
import { AREA_HELP } from './areas.ts'

/**
 * The page of the manual for each screen, by path: the areas of the menu, then screens that are not in the menu or have
 * a page of their own.
 */
export const HELP_OF: Record<string, ManualPage> = {
  ...AREA_HELP,
  'quick-order': 'quick-order',
  'stock/import': 'goods-in',
  'stock/import-memory': 'goods-in',
  'stock/import/history': 'goods-in',
  'stock/import/preview': 'goods-in',
  'stock/bulk': 'bulk-edit',
  'sale/correct': 'invoices-and-credit-notes',
  'open-item': 'reminders',
  offer: 'offers',
}

/** The address of the help for the screen at this path. For an unknown path, the overview of all pages. */
export function helpOf(pathname: string): string {
  const steps = pathname.replace(/^\/admin\/?/, '').split('/')
  for (let length = steps.length; length > 0; length--) {
    const path = steps.slice(0, length).join('/')
    if (Object.hasOwn(HELP_OF, path)) return `/admin/help/${HELP_OF[path]}`
  }
  return '/admin/help'
}
