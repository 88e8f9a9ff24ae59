import { formatMoney } from './money.ts'
import type { StockRow } from './stock.ts'

/** The lines that a person can put on a label beside its code, from top to bottom. */
export const LABEL_FIELDS = ['shop', 'product', 'identifier', 'grade', 'location', 'backstock_id', 'price'] as const
export type LabelField = (typeof LABEL_FIELDS)[number]

/** The content of the code: `identifier` (the IMEI, else the serial number) or `backstock_id`. */
export const LABEL_HOLDS = ['identifier', 'backstock_id'] as const
export type LabelHolds = (typeof LABEL_HOLDS)[number]

/** The fields of a stock item that a label can show. */
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
 * One line of a label. If not all lines fit, those with the lowest `weight` are left out. `whole` is the identifier at
 * the end of the line, which is never cut.
 */
export type LabelLine = { text: string; bold: boolean; weight: number; wraps: boolean; whole: string | null }

/** The sign between the parts of a line. */
export const BETWEEN = ' · '

/** The item's number in Backstock, as its label has it. The search of the screens finds the item by it. */
export const numberOf = ({ id }: Pick<LabelItem, 'id'>) => `#${id}`

const backstockId = (item: LabelItem) => item.backstock_id ?? numberOf(item)
const gradeText = (name: string) => (/grade/i.test(name) ? name : `Grade ${name}`)

/** The lines of an item's label, from top to bottom. Fields that the item lacks make no line. */
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

/**
 * The characters that every scanner can type. A scanner acts as a keyboard, and its settings decide how other letters
 * arrive.
 */
const TYPEABLE = /^[\x20-\x7e]+$/

/**
 * The texts that the code of an item may hold, best first. The label takes the first that fits into the code; the last
 * one, the item's number, always fits.
 */
export function codeTexts(item: LabelItem, holds: LabelHolds): string[] {
  const wanted = holds === 'backstock_id' ? [item.backstock_id] : [item.imei ?? item.serial_number ?? item.backstock_id]
  return [...wanted.filter((text): text is string => text !== null && TYPEABLE.test(text)), numberOf(item)]
}
