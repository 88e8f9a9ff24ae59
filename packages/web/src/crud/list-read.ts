import { queryClient } from '../api/query-client.ts'
import { find } from '../api/reads.ts'
import type { ListRead } from './area.ts'
import { type Address, type ListState, listQuery, readListState } from './list-state.ts'
import { chosenRows } from './page-size.ts'

/** The rows of an area that a list in this state shows. */
export const listRows = <Row>(list: ListRead, state: ListState) => find<Row>(list.area, listQuery(state, list))

/** Reads a list's rows ahead, so that they are there when it is drawn. */
export function prefetchRows(list: ListRead, state: ListState): void {
  void queryClient.prefetchQuery(find(list.area, listQuery(state, list), { ahead: true }))
}

/** The same for the list of an address. */
export function prefetchList(list: ListRead, address: Address): void {
  prefetchRows(list, readListState(address, list, chosenRows(list.area)))
}
