import { isBoughtOtherwise } from '@backstock/contract/bought-otherwise.ts'
import type { Document } from '@backstock/contract/document.ts'
import { zip } from '@backstock/contract/lists.ts'
import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import type { Sale, SaleItem } from '@backstock/contract/sale.ts'
import { LOST_ITEM } from '@backstock/contract/sale-status.ts'
import { creditTotals, type PricedLine } from '@backstock/contract/sale-total.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import { PURCHASE_TREATMENT_NAMES } from '@backstock/contract/treatment.ts'

const amount = (of: Hundredths) => `${formatMoney(of)} ${CURRENCY}`

/** The standing invoice of a sale: the one that no other has replaced. */
export const standingInvoice = ({ documents }: Pick<Sale, 'documents'>): Document | undefined =>
  documents.find(({ kind, replaced_by_id }) => kind === 'invoice' && replaced_by_id === null)

/** All documents of a sale but the standing invoice, newest first. */
export const furtherDocuments = (sale: Pick<Sale, 'documents'>): Document[] =>
  sale.documents.filter((one) => one !== standingInvoice(sale)).toReversed()

/** The amount of the standing invoice that no credit note has credited yet. */
export function openAmount({ documents }: Pick<Sale, 'documents'>): Hundredths {
  const invoice = standingInvoice({ documents })
  if (!invoice) return 0
  return documents
    .filter(({ credits_id }) => credits_id === invoice.id)
    .reduce((left, { total_gross }) => left - total_gross, invoice.total_gross)
}

/** The items that are still on the sale. */
export const openItems = ({ items }: Pick<Sale, 'items'>): SaleItem[] =>
  items.filter(({ available, returned }) => available && !returned)

/** An item's price as typed, less its allowance, and the VAT that applies to it. */
export const pricedLine = ({
  sales_price,
  sales_price_vat,
  allowed_price,
  vat_rate,
  vat_treatment,
}: SaleItem): PricedLine => ({
  price: (sales_price_vat ?? sales_price) - allowed_price,
  rate: Math.round(vat_rate * 100),
  treatment: vat_treatment,
})

/** The sentence about the effect that returning an item has on the invoice. */
export const returnNote = (sale: Sale, stockId: number) => takenOffNote(sale, stockId, (left) => left)

/** The sentence about the effect that an allowance of this amount has on the invoice. */
export const allowanceNote = (sale: Sale, stockId: number, price: Hundredths) =>
  takenOffNote(sale, stockId, (left) => Math.min(price, left))

function takenOffNote(sale: Sale, stockId: number, offOf: (left: Hundredths) => Hundredths): string | undefined {
  const invoice = standingInvoice(sale)
  if (!invoice) return undefined
  const items = openItems(sale)
  const lines = items.map(pricedLine)
  const off = zip(items, lines).map(([{ stock_id }, { price }]) => (stock_id === stockId ? offOf(price) : 0))
  return creditNote(creditTotals(lines, off, sale.prices_include_vat).total_sales_price_vat, invoice)
}

/** The sentence about the effect that voiding the sale has on its invoice. */
export function voidNote(sale: Pick<Sale, 'documents'>): string | undefined {
  const invoice = standingInvoice(sale)
  return invoice && creditNote(openAmount(sale), invoice)
}

const creditNote = (over: Hundredths, { number }: Document) =>
  over > 0 ? `A credit note for ${amount(over)} will be made for invoice ${number}.` : undefined

/**
 * The sentences about the effects of resubmitting the sale: on an invoice that is final or of an earlier month, and on
 * the VAT of items if somebody has changed how they were bought. Undefined if there is no such effect. An invoice whose
 * file was taken off the sale counts like any other.
 */
export function resubmitNote(sale: Pick<Sale, 'documents' | 'items'>): string | undefined {
  const invoice = standingInvoice(sale)
  const isCredited = invoice?.is_closed
  const notes = [
    isCredited && creditNote(openAmount(sale), invoice),
    isCredited && 'A new invoice is made for what is left of the sale.',
    boughtOtherwiseNote(sale),
  ].filter(Boolean)
  return notes.length ? notes.join(' ') : undefined
}

const TOLD = 5

function boughtOtherwiseNote({ items }: Pick<Sale, 'items'>): string | undefined {
  const bought = items.filter(
    (item) => !item.available && isSellable(item.stock.status) && isBoughtOtherwise(item, item.stock),
  )
  if (bought.length === 0) return undefined
  const told = bought.map(({ stock_id, stock, purchase_treatment: then }) => {
    const now = stock.purchase_treatment
    return `#${stock_id} (${now === then ? 'another VAT type' : `Bought under: ${PURCHASE_TREATMENT_NAMES[now]}`})`
  })
  return `VAT is decided again, because these items have changed since: ${someOf(told, TOLD)}.`
}

/** The sentence about why prices and the customer's data of the sale cannot be corrected; null if they can. */
export function whyNotCorrect(sale: Sale): string | null {
  if (sale.status === 'Requires Attention') return LOST_ITEM
  if (sale.status === 'Voided') return 'There is nothing to correct: the sale is voided.'
  return openItems(sale).length > 0 ? null : 'There is nothing to correct: no item is left on the sale.'
}

export const mayCorrect = (sale: Sale): boolean => whyNotCorrect(sale) === null

/**
 * The sentence about the effect of a correction on the invoice. `total` is the sum of the sale afterwards;
 * `keepsSeries` says that the invoice's number stays in its series.
 */
export function correctNote(sale: Pick<Sale, 'documents'>, total: Hundredths, keepsSeries: boolean): string {
  const invoice = standingInvoice(sale)
  if (!invoice) return 'This sale has no invoice: no document is made.'
  if (!invoice.is_closed && keepsSeries) return `Invoice ${invoice.number} is not final yet: it is made again.`
  const draft = invoice.is_closed
    ? 'is from an earlier month, whose books are closed'
    : 'cannot keep its number, because the corrected one belongs to another series'
  const why = invoice.left_at ? 'is final' : draft
  const papers = `A credit note for ${amount(openAmount(sale))} and a new invoice for ${amount(total)} will be made.`
  return `Invoice ${invoice.number} ${why}. ${papers}`
}
