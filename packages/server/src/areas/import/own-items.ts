import type { CurrentItem } from './current-items.ts'
import type { RowToDecide } from './decide.ts'
import { KEY_KINDS, KEYS } from './match.ts'

/**
 * What a partner's row may mean: items that the partner pushed itself. Another's item in hand refuses the row, without a
 * word about that item; one that has left the house leaves its identifiers free, as do several. An own one that was taken out
 * comes back by In Stock, and is a new item otherwise. Nothing can be taken out that is not there.
 */
export function withinOwn(row: RowToDecide, current: ReadonlyMap<number, CurrentItem>, partnerId: number): RowToDecide {
  if (row.conflict && row.matches.some(({ in_hand }) => in_hand))
    return refused(row, 'The identifiers of this row are those of different items.')
  const { match, values } = row
  const isOthers = match !== null && current.get(match.stock_id)!.row.partner_id !== partnerId
  if (isOthers && match.in_hand) {
    const called = match.kind === 'item' ? 'number' : KEYS[match.kind].called
    return refused(row, `An item with this ${called} is in stock that is not yours to change.`)
  }
  const isFree = isOthers || row.conflict !== null || isBroughtAnew(row, current)
  const own = isFree ? { ...row, match: null, conflict: null, matches: [] } : row
  if (values.status === 'Deleted' && own.match === null) return refused(own, 'You have no such item.')
  return own
}

function isBroughtAnew({ match, values }: RowToDecide, current: ReadonlyMap<number, CurrentItem>): boolean {
  const isTakenOut = match !== null && current.get(match.stock_id)!.row.status === 'Deleted'
  return isTakenOut && (values.status === undefined || values.status === 'Inbound')
}

/** Says so under the key that found the item, or that found none. */
function refused(row: RowToDecide, message: string): RowToDecide {
  const found = row.match?.kind === 'item' ? undefined : row.match?.kind
  const kind = found ?? KEY_KINDS.find((one) => row.values[KEYS[one].field] !== undefined)
  return { ...row, match: null, conflict: { [kind ? KEYS[kind].field : 'imei']: message } }
}
