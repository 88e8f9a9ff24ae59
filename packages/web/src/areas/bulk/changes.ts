import { MAX_PERCENT, MIN_PERCENT, type PriceBase, type Rounding } from '@backstock/contract/changed-price.ts'
import type { Functional } from '@backstock/contract/device-function.ts'
import { MAX_PRICE, parseCurrencyUnits } from '@backstock/contract/money.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import { whyNoPrice } from '@backstock/contract/why-no-price.ts'

/** The fields that a bulk edit can change, in the order of the menu. */
export const FIELDS = {
  status: 'Status',
  sales_price: 'Sales price',
  location: 'Location',
  grade_id: 'Grade',
  functional: 'Function',
  supplier_id: 'Supplier',
  batch_id: 'Batch',
  vat_type_id: 'VAT',
  purchase_treatment: 'Bought under',
  purchase_price: 'Purchase price',
  network_locked: 'Network locked',
  note: 'Note',
} as const
export type Field = keyof typeof FIELDS
export const FIELD_NAMES = Object.keys(FIELDS) as Field[]

/**
 * How the price of many items changes. 'set' sets an amount, 'add' adds one. 'sales' and 'cost' set the old sales price
 * or the cost plus a percentage. 'pasted' takes each item's price from a pasted column. 'none' removes the price.
 */
export type PriceHow = 'set' | 'add' | 'sales' | 'cost' | 'pasted' | 'none'
/** `amount` is the text as typed, `pasted` the text of a pasted column. */
export type PriceValues = {
  how: PriceHow
  amount: string
  pasted: string
  round: Rounding
  never_below_cost: boolean
}

/**
 * The id of a chosen record. `none` is true if the person chose to empty the field: a field without a choice changes
 * nothing.
 */
export type Chosen = { id: number | null; none: boolean }
type Referring = 'grade_id' | 'supplier_id' | 'batch_id' | 'vat_type_id'
export type Values = { [Field in Referring]: Chosen } & {
  status: 'In Stock' | 'Deleted' | null
  location: { text: string; none: boolean }
  functional: Functional | '' | null
  purchase_treatment: PurchaseTreatment | null
  network_locked: boolean | null
  note: string
  sales_price: PriceValues
  purchase_price: PriceValues
}

const nothing = (): Chosen => ({ id: null, none: false })

/** The values of an empty form. */
export const noValues = (): Values => ({
  status: null,
  ...{ grade_id: nothing(), supplier_id: nothing(), batch_id: nothing(), vat_type_id: nothing() },
  ...{
    location: { text: '', none: false },
    functional: null,
    purchase_treatment: null,
    network_locked: null,
    note: '',
  },
  sales_price: { how: 'sales', amount: '', pasted: '', round: 'none', never_below_cost: false },
  purchase_price: { how: 'set', amount: '', pasted: '', round: 'none', never_below_cost: false },
})

/** The changes in the form of the API, for example `{status: 'In Stock', sales_price: {…}}`. */
export type Changes = Record<string, unknown>

/**
 * The changes for the chosen fields. If a field has no valid value, the message for each such field instead; the
 * message is '' if nobody has touched the field.
 */
export function changesOf(
  fields: readonly Field[],
  values: Values,
): { changes: Changes; problems: null } | { changes: null; problems: Partial<Record<Field, string>> } {
  const changes: Changes = {}
  const problems: Partial<Record<Field, string>> = {}
  for (const field of fields) {
    const { value, problem } = said(field, values)
    if (problem === undefined) changes[field] = value
    else problems[field] = problem
  }
  return Object.keys(problems).length ? { changes: null, problems } : { changes, problems: null }
}

type Said = { value?: unknown; problem?: string }

function said(field: Field, values: Values): Said {
  switch (field) {
    case 'sales_price':
    case 'purchase_price':
      return price(field, values[field])
    case 'location': {
      const { text, none } = values.location
      return none ? { value: null } : text.trim() ? { value: text } : { problem: '' }
    }
    case 'note':
      return values.note.trim() ? { value: values.note } : { problem: '' }
    case 'functional':
      return values.functional === null ? { problem: '' } : { value: values.functional || null }
    case 'status':
    case 'purchase_treatment':
    case 'network_locked':
      return values[field] === null ? { problem: '' } : { value: values[field] }
    default: {
      const { id, none } = values[field]
      return none ? { value: null } : id === null ? { problem: '' } : { value: id }
    }
  }
}

/** Reads an amount in hundredths that may have a sign; null if the text is no amount. */
function signed(text: string): number | null {
  const [, minus, digits] = /^([-−+]?)(.*)$/s.exec(text.trim()) ?? []
  const amount = parseCurrencyUnits(digits ?? '')
  return amount === null ? null : minus === '-' || minus === '−' ? -amount : amount
}

const NO_AMOUNT = 'Must be an amount such as 10.00 or -10.00.'
const NO_PERCENT = `Must be a number from ${MIN_PERCENT} to ${MAX_PERCENT}, such as 5 or -2.5.`
const BASES: Record<'sales' | 'cost', PriceBase> = { sales: 'sales_price', cost: 'purchase_price' }

function price(field: 'sales_price' | 'purchase_price', values: PriceValues): Said {
  const { how, amount, pasted, round, never_below_cost } = values
  if (how === 'none') return { value: { set: null } }
  if (how === 'pasted')
    return pasted.trim() ? { value: { pasted: pasted.split(/\r?\n/), never_below_cost } } : { problem: '' }
  if (!amount.trim()) return { problem: '' }
  const more = { round, ...(field === 'sales_price' && { never_below_cost }) }
  if (how === 'set') {
    const set = parseCurrencyUnits(amount)
    return set === null || set > MAX_PRICE
      ? { problem: whyNoPrice(amount) }
      : { value: { set, ...more, round: 'none' } }
  }
  const hundredths = signed(amount)
  if (how === 'add')
    return hundredths === null || Math.abs(hundredths) > MAX_PRICE
      ? { problem: NO_AMOUNT }
      : { value: { add: hundredths, ...more } }
  if (hundredths === null || hundredths < MIN_PERCENT * 100 || hundredths > MAX_PERCENT * 100)
    return { problem: NO_PERCENT }
  return { value: { percent: hundredths / 100, of: BASES[how], ...more } }
}
