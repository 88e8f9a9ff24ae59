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
  /** `{column}_{asc|desc}` */
  order: string
  /** The chosen values of each filter, defaults included; an empty list means all. */
  chosen: Record<string, string[]>
  /** The columns, if they can be chosen. */
  columns?: readonly string[]
}
export type ListPatch = Partial<ListState>
/** The query of an address. */
export type Address = Record<string, string | undefined>

export const DEFAULT_ORDER = 'id_desc'

/**
 * The parts of an area that tell how to read an address. Keep it outside of components: the state is read anew when
 * it changes.
 */
export type ReadBy = Omit<ListRead, 'area'>

const whole = (text: string | undefined, max: number) =>
  text && /^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined

/** Whether a filter has at most one value. */
export const takesOne = ({ options, chip, of, isDay, isAmount, isOne }: Filter) =>
  isDay || isAmount || isOne || (options.length === 1 && !chip && !of)

/** Whether a value of a filter makes sense. */
function isKnown({ options, chip, of, isDay, isAmount }: Filter, value: string): boolean {
  if (chip) return chip(value) !== null
  if (of) return /^[1-9]\d{0,9}$/.test(value)
  if (isDay) return isCalendarDate(value)
  if (isAmount) return /^\d{1,9}$/.test(value) && Number(value) <= MAX_PRICE
  return options.some((option) => option.value === value)
}

/**
 * The state in an address. A part that makes no sense counts as absent. `rows`: the person's number of rows per
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
    const known = text?.split(',').filter((value) => isKnown(filter, value))
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
 * The address of a state: defaults are left out, and a filter that was cleared of its default is `name=`. Once a
 * person has chosen how many rows they want, the number is always there: it must not change under the page that an
 * address names.
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

/** Which rows are in the list, on all its pages, as the server is asked for them. */
export function whichRows({ search, chosen }: Pick<ListState, 'search' | 'chosen'>): Query {
  const query: Query = { search: search || undefined }
  for (const [name, values] of Object.entries(chosen)) query[name] = values.length ? values : undefined
  return query
}

/** The list's query for the server. */
export const listQuery = (state: ListState, { choice }: Pick<ReadBy, 'choice'> = {}): Query => ({
  list: true,
  page: state.page,
  per_page: state.perPage,
  order_by: state.order,
  ...whichRows(state),
  ...choice?.query(state.columns ?? choice.usual),
})

/** `Showing 1 to 10 of 1,204 entries`; an empty page counts from 0. */
export function entriesShown({ from, to, total }: Pick<Page<unknown>, 'from' | 'to' | 'total'>): string {
  const [first, last, all] = [from ?? 0, to ?? 0, total].map((n) => n.toLocaleString('en'))
  return `Showing ${first} to ${last} of ${all} entries`
}

/** The orders of a list, and the present one. */
export type Sorting = { order: string; orders: { value: string; label: string }[] }

/**
 * Changes a filter from the values on screen (`drawn`) to `wanted`. Values that were chosen since they were drawn stay.
 */
export const choose =
  (name: string, drawn: readonly string[], wanted: readonly string[]) =>
  (now: ListState): ListPatch => {
    const kept = (now.chosen[name] ?? []).filter((value) => wanted.includes(value) || !drawn.includes(value))
    const added = wanted.filter((value) => !drawn.includes(value) && !kept.includes(value))
    return { chosen: { ...now.chosen, [name]: [...kept, ...added] } }
  }

/** Replaces a filter's values. */
export const put =
  (name: string, values: string[]) =>
  (now: ListState): ListPatch => ({ chosen: { ...now.chosen, [name]: values } })
