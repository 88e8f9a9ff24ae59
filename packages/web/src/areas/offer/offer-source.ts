import { SELLABLE_STATUSES } from '@backstock/contract/stock-status.ts'
import type { Query } from '../../api/client.ts'
import type { Address } from '../../crud/list-state.ts'

export const SOURCES = {
  stock: 'Everything that is In Stock',
  filter: 'The stock list as filtered',
  basket: 'My basket',
  batch: 'A batch',
} as const
export type Source = keyof typeof SOURCES

/** The parameters of a list's address that do not filter its items. */
const ABOUT_THE_LIST = ['page', 'per_page', 'order', 'order_by', 'list', 'columns', 'view']

const given = (address: Address) =>
  Object.entries(address).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !ABOUT_THE_LIST.includes(entry[0]),
  )

/** The source of an offer's items. `batch_id` may be empty: then the batch is still to be chosen. */
export function sourceOf(address: Address): Source {
  const names = given(address).map(([name]) => name)
  if (address['basket']) return 'basket'
  // A list may name several batches. They are a filter, because the field for the batch takes one.
  if (names.length === 1 && names[0] === 'batch_id' && !address['batch_id']?.includes(',')) return 'batch'
  return names.length === 0 || (names.length === 1 && address['status'] === 'In Stock') ? 'stock' : 'filter'
}

/** The address of an offer with this source. */
export const addressOf = (source: Source, batch?: number): Address =>
  ({
    stock: {},
    filter: {},
    basket: { basket: '1' },
    batch: { batch_id: batch === undefined ? '' : String(batch) },
  })[source]

/** The query for the server; undefined while no batch is chosen. */
export function sourceQuery(address: Address): Query | undefined {
  const source = sourceOf(address)
  if (source === 'batch') return address['batch_id'] ? { batch_id: address['batch_id'] } : undefined
  if (source === 'basket') return { basket: true }
  if (source === 'stock') return { status: 'In Stock' }
  return Object.fromEntries(given(address))
}

/**
 * The address of the stock list with the same filter. Without a status the list shows In Stock alone, so an empty one
 * is added.
 */
export const listPath = (address: Address): string =>
  `/admin/stock?${new URLSearchParams([...(address['status'] === undefined ? [['status', '']] : []), ...given(address)])}`

/** The address of an offer of all items that a list shows, on all its pages. */
export function offerPath(query: Query): string {
  const chosen = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return `/admin/offer?${new URLSearchParams(chosen.length ? chosen : [['status', SELLABLE_STATUSES.join(',')]])}`
}
