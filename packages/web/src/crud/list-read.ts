import { queryClient } from '../api/query-client.ts'
import { find } from '../api/reads.ts'
import type { ListRead } from './area.ts'
import { type Address, type ListState, listQuery, readListState } from './list-state.ts'
import { chosenRows } from './page-size.ts'

/** The rows of an area that a list with this state shows. */
export const listRows = <Row>(list: ListRead, state: ListState) => find<Row>(list.area, listQuery(state, list))

/** Reads the rows of a list ahead, so that they are there when the list is drawn. */
export function prefetchRows(list: ListRead, state: ListState): void {
  void queryClient.prefetchQuery(find(list.area, listQuery(state, list), { ahead: true }))
}

/** Reads ahead the rows of the list that an address shows. */
export function prefetchList(list: ListRead, address: Address): void {
  prefetchRows(list, readListState(address, list, chosenRows(list.area)))
}
