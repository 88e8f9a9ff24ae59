import type { Customer } from '@backstock/contract/customer.ts'
import { zip } from '@backstock/contract/lists.ts'
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
import type { CustomerVatChecks } from '@backstock/contract/vat-check.ts'
import { VAT_CHECK_DAYS, type VatChecked } from '@backstock/contract/vat-check-doubt.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { type DraftLine, priceOf } from './lines.ts'

/** A line's treatment by the rules, and the one that counts: a person's choice, if there is one. */
export type LineTax = {
  byRules: Decision
  taken: Decision
  /** The rate of the item's VAT type, for the treatment 'standard'. */
  rate: RateHundredths
}

/** The VAT of a sale that is not stored yet. */
export type DraftTax = {
  /** Undefined until they are read, or if they cannot be read. */
  facts: TaxFacts | undefined
  sale: SaleTax
  lines: ReadonlyMap<number, LineTax>
  /** The check of the buyer's VAT number; undefined until it is known. */
  checks?: DraftChecks | undefined
}

/** `of` is the customer whose number can be checked here; null if the customer is new. */
export type DraftChecks = { of: number | null; mayAsk: boolean; checked: VatChecked }

type BuyersSide = Pick<SaleTax, 'buyer' | 'delivery'>

const NOWHERE = { country_code: null, postal_code: null }

/**
 * The facts about a sale to this buyer. Without the server's facts, only the way in which an item was bought and its
 * VAT type decide.
 */
export function saleTax(facts: TaxFacts | undefined, buyer: BuyersSide): SaleTax {
  if (!facts) return { seller: { ...NOWHERE, vat_number: null }, rule: null, ...buyersSide(null, null, null) }
  return { seller: facts.seller, rule: facts.rule, ...buyer }
}

/**
 * The buyer as the server will see them: the chosen customer, or a new one. A new one without an address is in the
 * seller's country.
 */
export function buyerOf(typed: SaleTax['buyer'] | null, known: Customer | undefined, home: string | null): BuyersSide {
  if (!typed)
    return buyersSide(known?.vat_number ?? null, known?.billing_address ?? null, known?.delivery_address ?? null)
  const place = { ...typed, country_code: typed.country_code ?? home }
  return buyersSide(typed.vat_number, place, place)
}

/** The check of the buyer's number. The number of a new customer has not been checked. */
export function draftChecks(
  of: number | null,
  checks: CustomerVatChecks | undefined,
  facts: TaxFacts | undefined,
): DraftChecks | undefined {
  if (of === null) return facts && { of, mayAsk: false, checked: { check: null, day: facts.day, days: VAT_CHECK_DAYS } }
  if (!checks) return undefined
  const { may_ask, newest, today: day, days } = checks
  return { of, mayAsk: may_ask, checked: { check: newest, day, days } }
}

type TaxedItem = Pick<StockRow, 'vat_type_id' | 'purchase_treatment' | 'actual_product_id'>

/** Returns a function that gives the facts about an item. An unknown VAT type counts as none. */
export function itemTaxReader(vats: readonly Vat[], facts: TaxFacts | undefined): (item: TaxedItem) => ItemTax {
  const types = new Map(vats.map(({ id, rate, treatment }) => [id, { rate: Math.round(rate * 100), treatment }]))
  const goods = new Set(facts?.reverse_charge_products)
  return ({ vat_type_id, purchase_treatment, actual_product_id }) => ({
    purchase: purchase_treatment,
    vat: types.get(vat_type_id ?? 0) ?? null,
    isReverseChargeGood: goods.has(actual_product_id),
  })
}

/** How these lines are taxed. A line without a price counts with 0. */
export function draftTax(
  lines: readonly DraftLine[],
  {
    facts,
    sale,
    checks,
    itemTax,
  }: Pick<DraftTax, 'facts' | 'sale' | 'checks'> & { itemTax: (item: StockRow) => ItemTax },
  includeVat: boolean,
): DraftTax {
  const items = lines.map((line) => ({ ...itemTax(line), price: priceOf(line) ?? 0 }))
  const decisions = treatmentsOf(items, sale, includeVat)
  const taxed = zip(lines, zip(items, decisions)).map(([{ id, wanted }, [item, byRules]]): [number, LineTax] => [
    id,
    { byRules, taken: chosen(byRules, item, wanted), rate: item.vat?.rate ?? 0 },
  ])
  return { facts, sale, checks, lines: new Map(taxed) }
}

/**
 * The treatments in a line's select: first the one by the rules, then the others. A chosen treatment is among them even
 * if it is not possible.
 */
export function choicesOf({ byRules, taken }: LineTax): Treatment[] {
  return [...new Set([byRules.treatment, ...byRules.also, taken.treatment])]
}

/** The treatments that can be chosen for at least one line. */
export function choicesForAll({ lines }: DraftTax): Treatment[] {
  return [...new Set([...lines.values()].flatMap(({ byRules }) => byRules.also))]
}

/** The lines for which this treatment can be chosen. */
export function linesAllowing(treatment: Treatment, { lines }: DraftTax): ReadonlySet<number> {
  return new Set([...lines].filter(([, { byRules }]) => byRules.also.includes(treatment)).map(([id]) => id))
}

/** The treatment that was chosen for all lines that allow it; undefined if nothing is chosen, null if lines differ. */
export function chosenForAll(lines: readonly DraftLine[], tax: DraftTax): Treatment | undefined | null {
  const first = lines.find(({ wanted }) => wanted)?.wanted
  if (first === undefined) return undefined
  const allowing = linesAllowing(first, tax)
  return lines.every(({ id, wanted }) => wanted === (allowing.has(id) ? first : undefined)) ? first : null
}

/** A sentence for each line whose chosen treatment is not possible. */
export function refusedLines(lines: readonly { id: number }[], tax: DraftTax): string[] {
  return lines.flatMap(({ id }) => {
    const { treatment, problem } = tax.lines.get(id)?.taken ?? {}
    return treatment && problem ? [`#${id}: ${TREATMENT_NAMES[treatment]} is not possible because ${problem}`] : []
  })
}

/** Whether a line is under the margin scheme while the company has not set the rate of the VAT in its margins. */
export function lacksMarginRate({ facts, lines }: DraftTax): boolean {
  return facts?.margin_rate === null && [...lines.values()].some(({ taken }) => taken.treatment === 'margin')
}
