import type { Page } from '@backstock/contract/page.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '@backstock/contract/page-size.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'
import type { Query } from '../api/client.ts'
import type { ListRead } from './area.ts'

export type ListState = {
  page: number
  perPage: number
  search: string
  /** `{column}_{asc|desc}` */
  order: string
  /** The chosen values of each filter, defaults included; an empty list means all. */
  chosen: Record<string, string[]>
}
export type ListPatch = Partial<ListState>
/** The query of an address. */
export type Address = Record<string, string | undefined>

export const DEFAULT_ORDER = 'id_desc'

/** What an address is read by. Keep it outside of components: the state is read anew when it changes. */
export type ReadBy = Omit<ListRead, 'area'>

const whole = (text: string | undefined, max: number) =>
  text && /^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined

/** The state that an address stands for. What makes no sense in it counts as absent. */
export function readListState(address: Address, { filters = [], defaultOrder = DEFAULT_ORDER }: ReadBy): ListState {
  const order = address['order_by']
  const chosen: Record<string, string[]> = {}
  for (const { name, options, chip, of, isDay, default: byDefault = [] } of filters) {
    const text = address[name]
    const known = new Set(options.map((option) => option.value))
    const isKnown = (value: string) => {
      if (chip) return chip(value) !== null
      if (of) return /^[1-9]\d{0,9}$/.test(value)
      return isDay ? isCalendarDate(value) : known.has(value)
    }
    chosen[name] = text === undefined ? byDefault : text.split(',').filter(isKnown)
  }
  return {
    page: whole(address['page'], 10_000_000) ?? 1,
    perPage: whole(address['per_page'], MAX_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE,
    search: (address['search'] ?? '').slice(0, 255),
    order: order && /^[a-z_]+_(asc|desc)$/.test(order) ? order : defaultOrder,
    chosen,
  }
}

/** The address of a state: defaults are left out, and a filter cleared of its default stands as `name=`. */
export function writeListState(
  state: ListState,
  { filters = [], defaultOrder = DEFAULT_ORDER }: ReadBy,
): Record<string, string | undefined> {
  const address: Record<string, string | undefined> = {
    page: state.page > 1 ? String(state.page) : undefined,
    per_page: state.perPage === DEFAULT_PAGE_SIZE ? undefined : String(state.perPage),
    search: state.search || undefined,
    order_by: state.order === defaultOrder ? undefined : state.order,
  }
  for (const { name, default: byDefault = [] } of filters) {
    const values = state.chosen[name] ?? []
    const isDefault = values.length === byDefault.length && values.every((value) => byDefault.includes(value))
    address[name] = isDefault ? undefined : values.join(',')
  }
  return address
}

/** What the list asks the server for. */
export function listQuery(state: ListState): Query {
  const query: Query = {
    list: true,
    page: state.page,
    per_page: state.perPage,
    search: state.search || undefined,
    order_by: state.order,
  }
  for (const [name, values] of Object.entries(state.chosen)) query[name] = values.length ? values : undefined
  return query
}

/** `Showing 1 to 10 of 1,204 entries`; an empty page counts from 0. */
export function entriesShown({ from, to, total }: Pick<Page<unknown>, 'from' | 'to' | 'total'>): string {
  const [first, last, all] = [from ?? 0, to ?? 0, total].map((n) => n.toLocaleString('en'))
  return `Showing ${first} to ${last} of ${all} entries`
}

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
