import { someOf } from '@backstock/contract/some-of.ts'

const SHOWN = 20

/** The items in words: 'item #5', or 'items #5, #6 and 3 more'. */
export function listed(ids: readonly number[]): string {
  const numbers = ids.map((id) => `#${id}`)
  return `${ids.length === 1 ? 'item' : 'items'} ${someOf(numbers, SHOWN)}`
}

/** The message for items that do not exist. */
export const noItems = (ids: readonly number[]): string => `There ${ids.length === 1 ? 'is' : 'are'} no ${listed(ids)}.`
