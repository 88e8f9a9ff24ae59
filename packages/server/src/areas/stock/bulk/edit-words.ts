import type { BulkChanges, PastedChange } from '@backstock/contract/bulk-change.ts'
import type { PriceChange } from '@backstock/contract/changed-price.ts'
import { FUNCTIONAL_NAMES } from '@backstock/contract/device-function.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import { PURCHASE_TREATMENT_NAMES } from '@backstock/contract/treatment.ts'

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/**
 * The message about a bulk edit: `Edited 1,204 items: sales price +5%, rounded to .99.` `nameOf` names the record that a
 * field refers to.
 */
export function editedMessage(n: number, changes: BulkChanges, nameOf: (field: ReferringField) => string): string {
  return `Edited ${items(n)}: ${wordsOf(changes, nameOf).join('; ')}.`
}

/** The fields that refer to a record, each with the record's area. */
export const REFERRING_FIELDS = {
  supplier_id: 'supplier',
  vat_type_id: 'vat',
  batch_id: 'batch',
  grade_id: 'grade',
} as const
export type ReferringField = keyof typeof REFERRING_FIELDS
const CALLED: Record<ReferringField, string> = {
  supplier_id: 'supplier',
  vat_type_id: 'VAT',
  batch_id: 'batch',
  grade_id: 'grade',
}

function wordsOf(changes: BulkChanges, nameOf: (field: ReferringField) => string): string[] {
  const { status, purchase_treatment, functional, location, network_locked, note, purchase_price } = changes
  const { sales_price, sales_prices } = changes
  const words: string[] = []
  if (status) words.push(`status ${status}`)
  for (const field of Object.keys(CALLED) as ReferringField[]) {
    const id = changes[field]
    if (id !== undefined) words.push(id === null ? `no ${CALLED[field]}` : `${CALLED[field]} ${nameOf(field)}`)
  }
  if (purchase_treatment) words.push(`bought under ${PURCHASE_TREATMENT_NAMES[purchase_treatment]}`)
  if (functional !== undefined) words.push(functional ? `function ${FUNCTIONAL_NAMES[functional]}` : 'function unknown')
  if (location !== undefined) words.push(location ? `location ${location}` : 'no location')
  if (network_locked !== undefined) words.push(network_locked ? 'network locked' : 'not network locked')
  if (note !== undefined) words.push('a note')
  if (purchase_price) words.push(`purchase price ${priceWords(purchase_price, 'purchase_price')}`)
  if (sales_price) {
    const kept = sales_price.never_below_cost ? ', never below cost' : ''
    words.push(`sales price ${priceWords(sales_price, 'sales_price')}${kept}`)
  }
  if (sales_prices) {
    const [only, ...more] = sales_prices
    const one = only && more.length === 0 ? (only.set === null ? 'removed' : formatMoney(only.set)) : null
    words.push(
      one === null ? `sales prices of ${sales_prices.length.toLocaleString('en')} groups` : `sales price ${one}`,
    )
  }
  return words
}

const signed = (text: string, isNegative: boolean) => (isNegative ? text : `+${text}`)

/** The change of a price in words: `+5%, rounded to .99` or `= cost +35%`. */
function priceWords(change: PriceChange | PastedChange, own: 'sales_price' | 'purchase_price'): string {
  const end = change.round && change.round !== 'none' ? `, rounded to ${change.round}` : ''
  if ('pasted' in change) return `from a pasted column${end}`
  if ('set' in change) return change.set === null ? 'removed' : formatMoney(change.set) + end
  if ('add' in change) return signed(formatMoney(change.add), change.add < 0) + end
  const base = change.of === own ? '' : change.of === 'purchase_price' ? '= cost ' : '= sales price '
  return `${base}${signed(`${change.percent}%`, change.percent < 0)}${end}`
}
