import { MAX_PRICE } from '@backstock/contract/money.ts'
import type { Page } from '@backstock/contract/page.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '@backstock/contract/page-size.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'
import type { Query } from '../api/client.ts'
import type { Filter, ListRead } from './area.ts'
import { areUsual, readColumns } from './column-choice.ts'

export type ListState = {
  page: number
  perPage: number
  search: string
  /** The column and its direction: `{column}_{asc|desc}`. */
  order: string
  /** The chosen values of each filter, with its defaults. An empty list means all. */
  chosen: Record<string, string[]>
  /** The names of the shown columns, if the list has a choice of columns. */
  columns?: readonly string[]
}
export type ListPatch = Partial<ListState>
/** The parameters in a page's address, such as `search` or `page`. */
export type Address = Record<string, string | undefined>

export const DEFAULT_ORDER = 'id_desc'

/**
 * The parts of an area that are needed to read the state in an address. Define the object outside of components: if it
 * is a new one, the state is read again.
 */
export type ReadBy = Omit<ListRead, 'area'>

const whole = (text: string | undefined, max: number) =>
  text && /^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined

/** Whether a filter can have only one value. */
export const takesOne = ({ options, chip, of, isDay, isAmount, isOne }: Filter) =>
  isDay || isAmount || isOne || (options.length === 1 && !chip && !of)

/** Whether a filter can have this value. */
function isKnown({ options, chip, of, isDay, isAmount }: Filter, value: string): boolean {
  if (chip) return chip(value) !== null
  if (of) return /^[1-9]\d{0,9}$/.test(value)
  if (isDay) return isCalendarDate(value)
  if (isAmount) return /^\d{1,9}$/.test(value) && Number(value) <= MAX_PRICE
  return options.some((option) => option.value === value)
}

/**
 * Reads the list's state in an address. Invalid parts are ignored. `rows` is the person's usual number of rows per
 * page, used if the address has none.
 */
export function readListState(
  address: Address,
  { filters = [], defaultOrder = DEFAULT_ORDER, choice }: ReadBy,
  rows?: number,
): ListState {
  const order = address['order_by']
  const chosen: Record<string, string[]> = {}
  for (const filter of filters) {
    const text = address[filter.name]
    const known =
      text === undefined ? undefined : [...new Set(text.split(','))].filter((value) => isKnown(filter, value))
    chosen[filter.name] = (takesOne(filter) ? known?.slice(0, 1) : known) ?? filter.default ?? []
  }
  return {
    page: whole(address['page'], 10_000_000) ?? 1,
    perPage: whole(address['per_page'], MAX_PAGE_SIZE) ?? rows ?? DEFAULT_PAGE_SIZE,
    search: (address['search'] ?? '').slice(0, 255),
    order: order && /^[a-z_]+_(asc|desc)$/.test(order) ? order : defaultOrder,
    chosen,
    ...(choice && { columns: readColumns(address['columns'], choice) }),
  }
}

/**
 * The address for a state. Default values are left out. If all values of a filter with a default were removed, the
 * address has an empty `name=`. If a person has a usual number of rows, the address always has the number, because the
 * page in the address depends on it.
 */
export function writeListState(
  state: ListState,
  { filters = [], defaultOrder = DEFAULT_ORDER, choice }: ReadBy,
  rows?: number,
): Record<string, string | undefined> {
  const address: Record<string, string | undefined> = {
    page: state.page > 1 ? String(state.page) : undefined,
    per_page: rows === undefined && state.perPage === DEFAULT_PAGE_SIZE ? undefined : String(state.perPage),
    search: state.search || undefined,
    order_by: state.order === defaultOrder ? undefined : state.order,
  }
  for (const { name, default: byDefault = [] } of filters) {
    const values = state.chosen[name] ?? []
    const isDefault = values.length === byDefault.length && values.every((value) => byDefault.includes(value))
    address[name] = isDefault ? undefined : values.join(',')
  }
  if (choice) {
    const { columns = choice.usual } = state
    address['columns'] = areUsual(columns, choice) ? undefined : columns.join(',')
  }
  return address
}

/** The parameters of the server's query that choose the rows, on all pages. */
export function whichRows({ search, chosen }: Pick<ListState, 'search' | 'chosen'>): Query {
  const query: Query = { search: search || undefined }
  for (const [name, values] of Object.entries(chosen)) query[name] = values.length ? values : undefined
  return query
}

/** The server's query for the list. */
export const listQuery = (state: ListState, { choice }: Pick<ReadBy, 'choice'> = {}): Query => ({
  list: true,
  page: state.page,
  per_page: state.perPage,
  order_by: state.order,
  ...whichRows(state),
  ...choice?.query(state.columns ?? choice.usual),
})

/** For example `Showing 1 to 10 of 1,204 entries`. An empty page counts from 0. */
export function entriesShown({ from, to, total }: Pick<Page<unknown>, 'from' | 'to' | 'total'>): string {
  const [first, last, all] = [from ?? 0, to ?? 0, total].map((n) => n.toLocaleString('en'))
  return `Showing ${first} to ${last} of ${all} entries`
}

/** The orders to choose from, and the present one. */
export type Sorting = { order: string; orders: { value: string; label: string }[] }

/**
 * Changes a filter from the values that the screen showed (`drawn`) to `wanted`. Values that were chosen since then
 * stay.
 */
export const choose =
  (name: string, drawn: readonly string[], wanted: readonly string[]) =>
  (now: ListState): ListPatch => {
    const kept = (now.chosen[name] ?? []).filter((value) => wanted.includes(value) || !drawn.includes(value))
    const added = wanted.filter((value) => !drawn.includes(value) && !kept.includes(value))
    return { chosen: { ...now.chosen, [name]: [...kept, ...added] } }
  }

/** Replaces the values of a filter. */
export const put =
  (name: string, values: string[]) =>
  (now: ListState): ListPatch => ({ chosen: { ...now.chosen, [name]: values } })
