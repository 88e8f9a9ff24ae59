import { queryClient } from '../api/query-client.ts'
import { find } from '../api/reads.ts'
import type { ListRead } from './area.ts'
import { type Address, type ListState, listQuery, readListState } from './list-state.ts'

/** The rows of an area that a list in this state shows. */
export const listRows = <Row>(area: string, state: ListState) => find<Row>(area, listQuery(state))

/** Reads a list's rows ahead, so that they are there when it is drawn. */
export function prefetchRows(area: string, state: ListState): void {
  void queryClient.prefetchQuery(find(area, listQuery(state), { ahead: true }))
}

/** The same for the list of an address. */
export function prefetchList(list: ListRead, address: Address): void {
  prefetchRows(list.area, readListState(address, list))
}
