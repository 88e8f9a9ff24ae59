import { formatMoney } from './money.ts'
import type { StockRow } from './stock.ts'

/** The lines that a label may have beside its code, from top to bottom. */
export const LABEL_FIELDS = ['shop', 'product', 'identifier', 'grade', 'location', 'backstock_id', 'price'] as const
export type LabelField = (typeof LABEL_FIELDS)[number]

/** The content of the code: the IMEI, else the serial number; or the Backstock ID. */
export const LABEL_HOLDS = ['identifier', 'backstock_id'] as const
export type LabelHolds = (typeof LABEL_HOLDS)[number]

/** The fields of a stock item that its label may have. */
export type LabelItem = Pick<
  StockRow,
  | 'id'
  | 'backstock_id'
  | 'imei'
  | 'serial_number'
  | 'grade_name'
  | 'location'
  | 'sales_price'
  | 'sales_currency'
  | 'product_display_name'
>

/**
 * One line of a label. `weight` says how much it matters: if not all have room, the lightest are left out. `whole` is
 * the identifier at its end, which is never cut.
 */
export type LabelLine = { text: string; bold: boolean; weight: number; wraps: boolean; whole: string | null }

/** Between the parts of a line. */
export const BETWEEN = ' · '

/** The number by which Backstock alone knows an item. Its screens find it when that is scanned. */
export const numberOf = ({ id }: Pick<LabelItem, 'id'>) => `#${id}`

const backstockId = (item: LabelItem) => item.backstock_id ?? numberOf(item)
const gradeText = (name: string) => (/grade/i.test(name) ? name : `Grade ${name}`)

/** The lines of an item's label, from top to bottom, without those that the item lacks. */
export function labelLines(item: LabelItem, fields: readonly LabelField[], shop: string): LabelLine[] {
  const has = (field: LabelField) => fields.includes(field)
  const lines: LabelLine[] = []
  type Set = { bold?: boolean; wraps?: boolean; whole?: string | null }
  const add = (text: string | null | undefined, weight: number, set: Set = {}) => {
    if (text) lines.push({ text, weight, bold: false, wraps: false, whole: null, ...set })
  }
  if (has('shop')) add(shop, 1)
  if (has('product')) add(item.product_display_name, 5, { bold: true, wraps: true })
  const identifier = item.imei ?? (item.serial_number && `S/N ${item.serial_number}`)
  if (has('identifier')) add(identifier, 4, { whole: identifier })
  const small = [
    has('grade') && item.grade_name && gradeText(item.grade_name),
    has('location') && item.location,
    has('backstock_id') && backstockId(item),
  ]
  add(small.filter(Boolean).join(BETWEEN), 3, { whole: has('backstock_id') ? backstockId(item) : null })
  if (has('price') && item.sales_price !== null)
    add(`${formatMoney(item.sales_price)} ${item.sales_currency}`, 2, { bold: true })
  return lines
}

/** The characters that scanners can type: they are keyboards, and their settings decide how other letters arrive. */
const TYPEABLE = /^[\x20-\x7e]+$/

/**
 * The texts that the code of an item may hold, the best first: the next is taken if one does not fit into the code. The
 * last, its number, always does.
 */
export function codeTexts(item: LabelItem, holds: LabelHolds): string[] {
  const wanted = holds === 'backstock_id' ? [item.backstock_id] : [item.imei ?? item.serial_number ?? item.backstock_id]
  return [...wanted.filter((text): text is string => text !== null && TYPEABLE.test(text)), numberOf(item)]
}
