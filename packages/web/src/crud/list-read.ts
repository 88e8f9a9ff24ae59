import { queryClient } from '../api/query-client.ts'
import { find } from '../api/reads.ts'
import { type Address, listQuery, readListState } from './list-state.ts'
import type { ListRead } from './screen.ts'

/** Reads the rows of a list's address ahead, so that they are there when it is drawn. */
export function prefetchList(list: ListRead, address: Address): void {
  const query = listQuery(readListState(address, list.filters ?? [], list.defaultOrder))
  void queryClient.prefetchQuery(find(list.area, query, { ahead: true }))
}
