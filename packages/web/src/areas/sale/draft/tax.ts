import type { Customer } from '@backstock/contract/customer.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import {
  buyersSide,
  chosen,
  type Decision,
  type ItemTax,
  type SaleTax,
  treatmentsOf,
} from '@backstock/contract/treatment-of.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { type DraftLine, priceOf } from './lines.ts'

/** A line as the rules have it, and as it is taxed: what a person chose, where that is something else. */
export type LineTax = {
  byRules: Decision
  taken: Decision
  /** Of its VAT type: what it has where it is standard. */
  rate: RateHundredths
}

/** How a sale that is being made is taxed. */
export type DraftTax = {
  /** Undefined until they are read, or where they cannot be. */
  facts: TaxFacts | undefined
  sale: SaleTax
  lines: ReadonlyMap<number, LineTax>
}

type BuyersSide = Pick<SaleTax, 'buyer' | 'delivery'>

const NOWHERE = { country_code: null, postal_code: null }

/** What decides of a sale to this buyer. Without the facts: how the items were bought, and their VAT types. */
export function saleTax(facts: TaxFacts | undefined, buyer: BuyersSide): SaleTax {
  if (!facts) return { seller: { ...NOWHERE, vat_number: null }, rule: null, ...buyersSide(null, null, null) }
  return { seller: facts.seller, rule: facts.rule, ...buyer }
}

/** The buyer as the server will see it: the chosen customer, or one typed on the sale, at home unless it says where. */
export function buyerOf(typed: SaleTax['buyer'] | null, known: Customer | undefined, home: string | null): BuyersSide {
  if (!typed)
    return buyersSide(known?.vat_number ?? null, known?.billing_address ?? null, known?.delivery_address ?? null)
  const place = { ...typed, country_code: typed.country_code ?? home }
  return buyersSide(typed.vat_number, place, place)
}

type TaxedItem = Pick<StockRow, 'vat_type_id' | 'purchase_treatment' | 'actual_product_id'>

/** What decides of an item; one whose VAT type is not known counts as one without. */
export function itemTaxReader(vats: readonly Vat[], facts: TaxFacts | undefined): (item: TaxedItem) => ItemTax {
  const types = new Map(vats.map(({ id, rate, treatment }) => [id, { rate: Math.round(rate * 100), treatment }]))
  const goods = new Set(facts?.reverse_charge_products)
  return ({ vat_type_id, purchase_treatment, actual_product_id }) => ({
    purchase: purchase_treatment,
    vat: types.get(vat_type_id ?? 0) ?? null,
    isReverseChargeGood: goods.has(actual_product_id),
  })
}

/** How these lines are taxed: those that will be sold, each at its price so far. */
export function draftTax(
  lines: readonly DraftLine[],
  { facts, sale, itemTax }: Pick<DraftTax, 'facts' | 'sale'> & { itemTax: (item: StockRow) => ItemTax },
  includeVat: boolean,
): DraftTax {
  const items = lines.map((line) => ({ ...itemTax(line), price: priceOf(line) ?? 0 }))
  const decisions = treatmentsOf(items, sale, includeVat)
  const taxed = lines.map(({ id, wanted }, n): [number, LineTax] => {
    const [item, byRules] = [items[n]!, decisions[n]!]
    return [id, { byRules, taken: chosen(byRules, item, wanted), rate: item.vat?.rate ?? 0 }]
  })
  return { facts, sale, lines: new Map(taxed) }
}

/** What a person may choose for a line, the one by the rules first; and what was chosen, also where it is refused. */
export function choicesOf({ byRules, taken }: LineTax): Treatment[] {
  return [...new Set([byRules.treatment, ...byRules.also, taken.treatment])]
}

/** What a person may choose for any line at all. */
export function choicesForAll({ lines }: DraftTax): Treatment[] {
  return [...new Set([...lines.values()].flatMap(({ byRules }) => byRules.also))]
}

/** The lines for which this may be chosen. */
export function linesAllowing(treatment: Treatment, { lines }: DraftTax): ReadonlySet<number> {
  return new Set([...lines].filter(([, { byRules }]) => byRules.also.includes(treatment)).map(([id]) => id))
}

/** What was chosen for all lines that allow it; undefined where nothing was, null where lines differ. */
export function chosenForAll(lines: readonly DraftLine[], tax: DraftTax): Treatment | undefined | null {
  const first = lines.find(({ wanted }) => wanted)?.wanted
  if (first === undefined) return undefined
  const allowing = linesAllowing(first, tax)
  return lines.every(({ id, wanted }) => wanted === (allowing.has(id) ? first : undefined)) ? first : null
}

/** The lines that cannot be sold so, each with why. */
export function refusedLines(lines: readonly { id: number }[], tax: DraftTax): string[] {
  return lines.flatMap(({ id }) => {
    const { treatment, problem } = tax.lines.get(id)?.taken ?? {}
    return treatment && problem ? [`#${id}: ${TREATMENT_NAMES[treatment]} is not possible, ${problem}`] : []
  })
}

/** Whether the company must say first what VAT is in its margins. */
export function lacksMarginRate({ facts, lines }: DraftTax): boolean {
  return facts?.margin_rate === null && [...lines.values()].some(({ taken }) => taken.treatment === 'margin')
}
