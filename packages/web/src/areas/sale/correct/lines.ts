import { correctedTaxes } from '@backstock/contract/corrected-tax.ts'
import type { Customer } from '@backstock/contract/customer.ts'
import type { CorrectInput } from '@backstock/contract/document.ts'
import { getFrom, zip } from '@backstock/contract/lists.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Sale, SaleItem } from '@backstock/contract/sale.ts'
import { type SaleTotals, saleTotals } from '@backstock/contract/sale-total.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import { buyersSide, type ItemTax } from '@backstock/contract/treatment-of.ts'
import { choicesOf, type DraftTax, type LineTax, saleTax } from '../draft/tax.ts'
import { pricedLine } from '../sale-papers.ts'

/** A line of a sale that is being corrected: an item with its old and new price. */
export type CorrectLine = SaleItem & {
  id: number
  /**
   * `before` is the price as sold, `price` the typed one; null if the field is empty or its text is no price. `wrong` is
   * such text, otherwise null.
   */
  before: Hundredths
  price: Hundredths | null
  wrong: string | null
  /** The treatment that a person has chosen; undefined keeps the line as it is. */
  wanted?: Treatment | undefined
}

export type CorrectAction =
  | { type: 'items'; items: readonly SaleItem[] }
  | { type: 'price'; id: number; price: Hundredths | null; wrong: string | null }
  | { type: 'price for all'; price: Hundredths }
  /** Lines that are not in `wanted` stay as they are. */
  | { type: 'treatments'; wanted: ReadonlyMap<number, Treatment | undefined> }
  | { type: 'restore'; kept: KeptCorrection['lines'] }

/**
 * The typed values of a correction as the browser keeps them: the old price, the new price and the treatment of each
 * line. `wrong` is a typed text that is no price; its price is null.
 */
export type KeptCorrection = {
  lines: [id: number, before: Hundredths, price: Hundredths | null, wanted?: Treatment | null, wrong?: string][]
  isTakenOver: boolean
  sendEmail: boolean
}

export const keptCorrection = (lines: readonly CorrectLine[]): KeptCorrection['lines'] =>
  lines.map(({ id, before, price, wanted, wrong }) => {
    if (wrong !== null) return [id, before, null, wanted ?? null, wrong]
    return wanted ? [id, before, price, wanted] : [id, before, price]
  })

/** A line that does not change stays the same object, because its row is memoised by it. */
export function changeLines(lines: readonly CorrectLine[], action: CorrectAction): readonly CorrectLine[] {
  switch (action.type) {
    case 'items': {
      const typed = new Map(lines.map((line) => [line.id, line]))
      return action.items.map((item) => takeOverItem(item, typed.get(item.stock_id)))
    }
    case 'price': {
      const { id, price, wrong } = action
      return lines.map((line) => (line.id === id ? { ...line, price, wrong } : line))
    }
    case 'price for all':
      return lines.map((line) => ({ ...line, price: action.price, wrong: null }))
    case 'restore': {
      const kept = new Map(action.kept.map(([id, ...rest]) => [id, rest]))
      return lines.map((line) => {
        const [before, price, wanted, wrong] = kept.get(line.id) ?? []
        // If the line's price has changed since, the typed price no longer applies.
        const isTyped = before === line.before && (price != null || wrong !== undefined)
        return isTyped ? { ...line, price: price ?? null, wrong: wrong ?? null, wanted: wanted ?? undefined } : line
      })
    }
    case 'treatments':
      return lines.map((line) => {
        const wanted = action.wanted.get(line.id)
        return action.wanted.has(line.id) && line.wanted !== wanted ? { ...line, wanted } : line
      })
  }
}

/** A line for the item as it is now, with the values that were typed. */
function takeOverItem(item: SaleItem, line: CorrectLine | undefined): CorrectLine {
  const before = pricedLine(item).price
  const isTyped = line !== undefined && line.price !== line.before
  const { price, wrong } = isTyped ? line : { price: before, wrong: null }
  return { ...item, id: item.stock_id, before, price, wrong, wanted: line?.wanted }
}

type Deciding = { sale: Sale; facts: TaxFacts; customer: Customer; isTakenOver: boolean }

/** How the lines are taxed. The server decides in the same way (`correctedTaxes`). */
export function correctTax(lines: readonly CorrectLine[], { sale, facts, customer, isTakenOver }: Deciding): DraftTax {
  const { sold } = facts
  if (!sold) throw new Error('The tax of the day of the sale is missing.')
  const was = saleTax(facts, sold)
  const now = isTakenOver
    ? saleTax(facts, buyersSide(customer.vat_number, customer.billing_address, customer.delivery_address))
    : was
  const then = new Map(sold.items.map((item) => [item.stock_id, item]))
  const itemTax = (id: number): ItemTax =>
    then.get(id) ?? { purchase: 'unknown', vat: null, isReverseChargeGood: false }
  const items = lines.map((line) => ({
    ...itemTax(line.id),
    price: line.price ?? 0,
    sold: { ...asSold(line), why: line.why ?? line.vat_name ?? 'Without VAT type' },
    wanted: line.wanted,
  }))
  const returned = sale.items
    .filter((item) => item.returned)
    .map((item) => ({ ...itemTax(item.stock_id), price: pricedLine(item).price }))
  const decided = correctedTaxes(items, returned, { was, now }, sale.prices_include_vat)
  const taxed = zip(lines, zip(items, decided)).map(([line, [item, { taken, usual }]]): [number, LineTax] => {
    const standard = [taken, usual, asSold(line)].find(({ treatment }) => treatment === 'standard')
    return [line.id, { byRules: usual, taken, rate: standard?.rate ?? item.vat?.rate ?? 0 }]
  })
  return { facts, sale: now, lines: new Map(taxed) }
}

const asSold = (item: SaleItem) => {
  const { rate, treatment } = pricedLine(item)
  return { rate, treatment }
}

/** The treatment and rate as sold, if the correction changes one of them; undefined otherwise. */
export function taxBefore(line: CorrectLine, { taken }: LineTax): { treatment: Treatment; rate: number } | undefined {
  const before = asSold(line)
  return before.treatment === taken.treatment && before.rate === taken.rate ? undefined : before
}

/** The treatments that can be chosen for at least one line. */
export const correctChoices = ({ lines }: DraftTax): Treatment[] => [...new Set([...lines.values()].flatMap(choicesOf))]

/**
 * The choice for each line if a person chooses this treatment for all lines that allow it. If `treatment` is undefined,
 * all lines return to the rules.
 */
export function wantedOfAll(treatment: Treatment | undefined, { lines }: DraftTax) {
  const allowing = [...lines].filter(([, tax]) => treatment === undefined || choicesOf(tax).includes(treatment))
  return new Map(
    allowing.map(([id, { byRules }]) => [id, treatment === byRules.treatment ? undefined : treatment] as const),
  )
}

/**
 * The totals of these lines before and after the correction. They include the part of the price of `returned` items
 * that the shop kept. A line without a new price counts with its old one.
 */
export function correctTotals(
  lines: readonly CorrectLine[],
  tax: DraftTax,
  { items, prices_include_vat }: Pick<Sale, 'items' | 'prices_include_vat'>,
): { before: SaleTotals; after: SaleTotals } {
  const kept = items
    .flatMap((item) => {
      const line = pricedLine(item)
      return item.returned_price === null ? [] : { ...line, price: line.price - item.returned_price }
    })
    .filter(({ price }) => price > 0)
  const corrected = lines.map((line) => ({ price: line.price ?? line.before, ...getFrom(tax.lines, line.id).taken }))
  return {
    before: saleTotals([...lines.map(pricedLine), ...kept], prices_include_vat),
    after: saleTotals([...corrected, ...kept], prices_include_vat),
  }
}

/** The lines that the correction changes. */
export function changedLines(lines: readonly CorrectLine[], tax: DraftTax): readonly CorrectLine[] {
  return lines.filter(
    (line) => line.price !== pricedLine(line).price || taxBefore(line, getFrom(tax.lines, line.id)) !== undefined,
  )
}

/**
 * Whether the corrected invoice keeps the series of its number. The series of a reverse charge rule may only contain
 * invoices whose lines are all reverse charge. The rule of the original sale counts, unless the treatment is decided
 * anew.
 */
export function keepsSeries(
  number: string,
  lines: readonly CorrectLine[],
  tax: DraftTax,
  isTakenOver: boolean,
): boolean {
  const own = /^([A-Z][A-Z0-9]*)-\d/.exec(number)?.[1] ?? null
  if (own === 'SAMPLE') return true
  const isAfresh = isTakenOver || lines.some(({ wanted }) => wanted !== undefined)
  const isReverseCharge = lines.every(({ id }) => getFrom(tax.lines, id).taken.treatment === 'reverse_charge')
  return own === (isReverseCharge ? (isAfresh ? (tax.sale.rule?.series ?? null) : own) : null)
}

/** The items of the request: only those that a person has changed. */
export const correctedItems = (lines: readonly CorrectLine[]): CorrectInput['items'] =>
  lines
    .filter(({ price, before, wanted }) => price !== before || wanted !== undefined)
    .map(({ id, price, before, wanted }) => ({
      id,
      ...(price !== before && { sales_price: price }),
      ...(wanted && { vat_treatment: wanted }),
    }))
