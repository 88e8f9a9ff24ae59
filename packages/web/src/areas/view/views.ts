import { addressOf, readAddress } from '@backstock/contract/list-address.ts'
import type { View } from '@backstock/contract/view.ts'
import { find, invalidate } from '../../api/reads.ts'
import { isAdmin, type Me, refetchAuth } from '../../api/session.ts'
import type { ListRead } from '../../crud/area.ts'
import { type Address, readListState, writeListState } from '../../crud/list-state.ts'

/** All saved views of a list that the person may see; the shared ones come first. */
export const viewsOf = (area: string) => find<View>('view', { area, per_page: 250 })

/** The address of a list in a normal form: if two addresses show the same, their normal forms are equal. */
export const viewAddress = (address: Address, list: ListRead): string =>
  addressOf({ ...writeListState(readListState(address, list), list), page: undefined, per_page: undefined })

/**
 * Whether a list shows something else than its view says. Parts of the view that the list no longer has do not count.
 */
export const isChanged = (view: Pick<View, 'address'>, address: Address, list: ListRead): boolean =>
  viewAddress(readAddress(view.address), list) !== viewAddress(address, list)

/** The address that opens a view. */
export const placeOf = ({ id, area, address }: Pick<View, 'id' | 'area' | 'address'>) => ({
  to: `/admin/${area}`,
  search: { ...readAddress(address), view: String(id) },
})

/** Only the author of a view and administrators may change it. */
export const mayChange = (view: Pick<View, 'created_by'>, me: Me) => view.created_by === me.id || isAdmin(me)

/** Reads the views again, and the list of lists that have views. */
export async function rereadViews(): Promise<void> {
  await Promise.all([invalidate('view'), refetchAuth().catch(() => {})])
}
