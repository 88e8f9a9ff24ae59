import { addressOf, readAddress } from '@backstock/contract/list-address.ts'
import type { View } from '@backstock/contract/view.ts'
import { find, invalidate } from '../../api/reads.ts'
import { isAdmin, type Me, refetchAuth } from '../../api/session.ts'
import type { ListRead } from '../../crud/area.ts'
import { type Address, readListState, writeListState } from '../../crud/list-state.ts'

/** All views of a list that the person sees, those of everybody first. */
export const viewsOf = (area: string) => find<View>('view', { area, per_page: 250 })

/** The address of a list in the form of a view: two addresses that show the same are equal. */
export const viewAddress = (address: Address, list: ListRead): string =>
  addressOf({ ...writeListState(readListState(address, list), list), page: undefined, per_page: undefined })

/** Whether a list shows something else than its view. Parts that the list no longer knows do not count. */
export const isChanged = (view: Pick<View, 'address'>, address: Address, list: ListRead): boolean =>
  viewAddress(readAddress(view.address), list) !== viewAddress(address, list)

/** The address of a view. */
export const placeOf = ({ id, area, address }: Pick<View, 'id' | 'area' | 'address'>) => ({
  to: `/admin/${area}`,
  search: { ...readAddress(address), view: String(id) },
})

/** A view's author and administrators may change it. */
export const mayChange = (view: Pick<View, 'created_by'>, me: Me) => view.created_by === me.id || isAdmin(me)

/** Reads the views again, and which lists have some. */
export async function rereadViews(): Promise<void> {
  await Promise.all([invalidate('view'), refetchAuth().catch(() => {})])
}
