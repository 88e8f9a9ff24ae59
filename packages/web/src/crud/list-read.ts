import { queryClient } from '../api/query-client.ts'
import { find } from '../api/reads.ts'
import type { Me } from '../api/session.ts'
import type { Filter } from './area.ts'
import { type Address, listQuery, readListState } from './list-state.ts'
import type { ListRead } from './screen.ts'

const NO_FILTERS: readonly Filter[] = []

/** The filters of a list; null where they depend on who is there and nobody knows yet. */
export function filtersOf({ filters = NO_FILTERS }: ListRead, me: Me | null): readonly Filter[] | null {
  if (typeof filters !== 'function') return filters
  return me && filters(me)
}

/** Reads the rows of a list's address ahead, so that they are there when it is drawn. */
export function prefetchList(list: ListRead, address: Address, me: Me | null): void {
  const filters = filtersOf(list, me)
  if (!filters) return
  const query = listQuery(readListState(address, filters, list.defaultOrder))
  void queryClient.prefetchQuery(find(list.area, query, { ahead: true }))
}
