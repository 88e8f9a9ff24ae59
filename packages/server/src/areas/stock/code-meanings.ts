import { imeiKey } from '@backstock/contract/imei.ts'
import type { LookUp, ScannedCode } from '@backstock/contract/scan-code.ts'
import type { Database } from '../../db/connect.ts'
import { getFrom, zip } from '../../lists.ts'
import { stockRows } from './queries.ts'
import { itemsOfEach, type MeantItem } from './quick-order.ts'

type IdentifiedItem = Pick<MeantItem, 'id' | 'imei' | 'imei2' | 'serial_number' | 'backstock_id'>
/** The meaning of a code: an item, a hint why the code cannot identify one phone, or `unknown`, if no item has it. */
export type Meaning = { item: number } | { hint: string } | 'unknown'

/**
 * The meanings of codes, in the order of the codes. If a code means several items, the meaning is a hint that names
 * them.
 */
export async function meaningsOf(db: Database, codes: readonly ScannedCode[]): Promise<Meaning[]> {
  const numbered = codes.flatMap(({ item }) => item ?? [])
  const texts = codes.flatMap(({ lookUps }) => lookUps)
  const [known, meant] = await Promise.all([
    stockRows(db.read, numbered),
    itemsOfEach(
      db,
      texts.map(({ text }) => text),
    ),
  ])
  const isThere = new Set(known.map(({ id }) => id))
  const found = new Map<LookUp, MeantItem[]>(zip(texts, meant).map(([lookUp, { items }]) => [lookUp, items]))
  const meaningOf = ({ item, lookUps, hint }: ScannedCode): Meaning => {
    if (item !== null) return isThere.has(item) ? { item } : { hint: `There is no item #${item}.` }
    const items = lookUps.flatMap((lookUp) => getFrom(found, lookUp).filter((one) => has(one, lookUp)))
    const chosen = theOne(items)
    return chosen === null ? (hint === null ? 'unknown' : { hint }) : chosen
  }
  // The meaning of each different code is computed once: thousands of codes may be the same, and thousands of items
  // that have left may have it.
  const read = new Map<string, Meaning>()
  return codes.map((code) => {
    const same = JSON.stringify([code.item, code.lookUps, code.hint])
    const meaning = read.get(same) ?? meaningOf(code)
    read.set(same, meaning)
    return meaning
  })
}

/**
 * Whether an item has the text as its own. A number with the length of an IMEI that is no valid IMEI must be the item's
 * serial number or Backstock ID; otherwise it would find a phone with a similar IMEI.
 */
function has({ serial_number, backstock_id }: IdentifiedItem, { text, asImei }: LookUp): boolean {
  if (asImei || !/^\d{14,16}$/.test(text)) return true
  const same = (other: string | null) => other?.toUpperCase() === text.toUpperCase()
  return same(serial_number) || same(backstock_id)
}

/**
 * The item that is meant: the one that the shop still has; else the newest, if all are the same phone at different
 * times.
 */
function theOne(items: readonly MeantItem[]): Meaning | null {
  const all = [...new Map(items.map((item) => [item.id, item])).values()]
  const inHand = all.filter((item) => item.in_hand)
  const possible = inHand.length ? inHand : all
  const [newest, ...others] = possible.toSorted((a, b) => b.id - a.id)
  if (!newest) return null
  if (others.length === 0 || (inHand.length === 0 && others.every((other) => isSamePhone(other, newest))))
    return { item: newest.id }
  const named = possible.slice(0, NAMED).map(({ id }) => `#${id}`)
  return { hint: `This code fits several items: ${named.join(', ')}. Scan the IMEI, or type one of these numbers.` }
}
const NAMED = 5

/** Whether two items are the same phone. Its IMEIs may have been entered in another order each time. */
function isSamePhone(one: IdentifiedItem, other: IdentifiedItem): boolean {
  const [imeis, others] = [imeisOf(one), imeisOf(other)]
  if (imeis.length > 0 && others.length > 0) return imeis.some((imei) => others.includes(imei))
  return one.serial_number !== null && one.serial_number.toUpperCase() === other.serial_number?.toUpperCase()
}
const imeisOf = ({ imei, imei2 }: IdentifiedItem) => [imei, imei2].flatMap((one) => (one === null ? [] : imeiKey(one)))
