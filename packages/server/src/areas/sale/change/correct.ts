import { isDeepStrictEqual } from 'node:util'
import { correctedTaxes } from '@backstock/contract/corrected-tax.ts'
import type { CorrectInput } from '@backstock/contract/document.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { LOST_ITEM } from '@backstock/contract/sale-status.ts'
import { treatmentAt } from '@backstock/contract/treatment.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Buyer } from '../../../db/tables.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import { zip } from '../../../lists.ts'
import { listed } from '../../../records/log/listed.ts'
import { refuseStale } from '../../../records/log/stale.ts'
import { type Author, changes, type Entry, record, recordChanges, recordMessage } from '../../../records/log/write.ts'
import { buyerOf } from '../../customer.ts'
import { type Reissued, reissueInvoice } from '../../document/invoice.ts'
import { queueDocumentMails, SUPERSEDED, stopMails } from '../../document/mail/outbox.ts'
import { saidOtherwise } from '../../document/queries.ts'
import { refuseVoided } from '../../document/refuse-voided.ts'
import { keepVatCheck } from '../../vat-check/checks.ts'
import { orderSheet } from '../files/sheet.ts'
import { isStillSold, type LockedSale, lockSale, type SaleLine, type SaleRecord } from '../locked-sale.ts'
import { routeOf, sellerThen, taxProblems, taxThen } from '../tax.ts'
import { taxNotes } from '../tax-notes.ts'
import { rewriteTotals } from '../totals.ts'
import { agreedPrice } from './return-item.ts'
import { refundDue } from './told.ts'
import { renewWithoutInvoice } from './without-invoice.ts'

/** A line after the correction. `price` is as typed. */
type Corrected = { line: SaleLine; price: Hundredths; problem?: string | undefined } & Pick<
  SaleLine,
  'vat_rate' | 'vat_treatment' | 'vat_why' | 'vat_name' | 'margin_rate'
>

/**
 * Corrects a sale: the customer's present data, prices and treatments of lines. Then the documents follow, in the same
 * transaction: a final invoice is credited, and a new one made. The decisions of the day of the sale stay. A line is
 * decided anew only if the input asks for a treatment, or if the customer's data force it (`correctedTaxes`). Returned
 * lines stay as they are. Returns the documents, and warnings for the person. Throws 404; 409 if the sale is voided,
 * requires attention, or has changed since it was loaded, or if nothing would change; 422 under `items` with each line
 * that cannot be corrected in this way.
 */
export async function correctSale(
  tx: Tx,
  saleId: number,
  input: CorrectInput,
  author: Author,
  mailFrom: string | undefined,
): Promise<Reissued & { warnings: string[] }> {
  const locked = await lockSale(tx, saleId)
  const { sale } = locked
  refuseVoided(sale)
  await refuseStale(tx, sale, input.updated_at, { type: 'Sale', id: saleId })
  if (sale.status === 'Requires Attention') throw conflict(LOST_ITEM)

  const open = openLines(locked)
  const wanted = new Map(input.items.map((item) => [item.id, item]))
  const isOpen = new Set(open.map((line) => line.stock_id))
  const strange = input.items.filter(({ id }) => !isOpen.has(id))
  if (strange.length)
    throw invalid({ items: `Not on this sale, or returned: ${strange.map(({ id }) => `item #${id}`).join(', ')}.` })

  const seller = await sellerThen(tx, sale)
  const buyer = input.customer ? await buyerToday(tx, sale) : sale.buyer
  const route = routeOf(seller, buyer)
  const priceOf = (line: SaleLine) => wanted.get(line.stock_id)?.sales_price ?? agreedPrice(line)
  const taxes = correctedTaxes(
    open.map((line) => ({
      ...taxThen(line),
      price: priceOf(line),
      sold: { treatment: line.vat_treatment, rate: line.vat_rate, why: line.vat_why ?? '' },
      wanted: wanted.get(line.stock_id)?.vat_treatment,
    })),
    returnedLines(locked).map((line) => ({ ...taxThen(line), price: priceOf(line) })),
    { was: routeOf(seller, sale.buyer), now: route },
    sale.prices_include_vat,
  )
  const lines = zip(open, taxes).map(([line, { taken, isKept }]): Corrected => {
    const price = priceOf(line)
    if (isKept) return { ...line, line, price }
    return {
      line,
      price,
      vat_rate: taken.rate,
      vat_treatment: taken.treatment,
      vat_why: taken.why,
      vat_name: line.vat_name,
      margin_rate: taken.treatment === 'margin' ? seller.margin_rate : null,
      problem: taken.problem,
    }
  })
  refuseImpossible(lines)
  const changed = lines.filter(isChanged)
  const isBuyerNew = input.customer && !isDeepStrictEqual(buyer, sale.buyer)
  // A new invoice would have the sale's present reference, and name the month in which the goods were dispatched.
  const isInvoiceOld = input.customer && (await saidOtherwise(tx, saleId)).length > 0
  if (changed.length === 0 && !isBuyerNew && !isInvoiceOld) throw conflict('The correction would change nothing.')

  // The new invoice asks for the price less the allowance, so the allowance becomes part of the price.
  const written = lines.filter((line) => isChanged(line) || line.line.allowed_price > 0)
  await writeLines(tx, saleId, written)
  await record(tx, author, entries(saleId, changed))
  // The whole sale gets the new facts, even if only one line was decided anew, because they decide the number series of
  // the invoice.
  if (input.customer || input.items.some(({ vat_treatment }) => vat_treatment !== undefined))
    await tx
      .updateTable('sale')
      .set({ buyer: JSON.stringify(buyer), treatment_route: JSON.stringify(route) })
      .where('id', '=', saleId)
      .execute()
  // A check belongs to one number, so the new buyer needs one of their own.
  if (buyer.vat_number !== sale.buyer.vat_number) await keepVatCheck(tx, saleId)
  await writeTotals(tx, locked, lines, author)
  if (isBuyerNew) await recordMessage(tx, author, 'Sale', saleId, 'The customer’s current details were used.')

  if (sale.excel_status !== 'none') await orderSheet(tx, saleId, author)
  const isTaxNew = isBuyerNew || changed.some(({ line, vat_treatment }) => vat_treatment !== line.vat_treatment)
  const decisions = taxes.map(({ taken }) => taken)
  const noted = isTaxNew ? await taxNotes(tx, sale.customer_id, route, decisions) : []
  const papers = await reissueInvoice(tx, saleId, 'correction', author)
  const documents = [papers.credit_note?.id, papers.invoice?.id].filter((id) => id !== undefined)
  const warnings = [...noted, ...(await refundDue(tx, saleId))]
  if (documents.length === 0)
    return { ...papers, warnings: [...warnings, ...(await renewWithoutInvoice(tx, saleId, author))] }
  const stopped = await stopMails(tx, saleId, SUPERSEDED)
  if (input.send_email || stopped > 0)
    await queueDocumentMails(tx, [{ saleId, documentIds: documents }], { author, mailFrom })
  else if (sale.email_sent) await tx.updateTable('sale').set({ resend_needed: true }).where('id', '=', saleId).execute()
  return { ...papers, warnings }
}

/** The customer's present data. Only the days for payment stay as they were agreed on the day of the sale. */
async function buyerToday(tx: Tx, { customer_id, buyer }: SaleRecord): Promise<Buyer> {
  const { payment_days: _, ...today } = (await buyerOf(tx, customer_id)) ?? buyer
  return buyer.payment_days === undefined ? today : { ...today, payment_days: buyer.payment_days }
}

/** The lines that are still sold: they were neither taken off nor returned. */
function openLines({ lines, stock }: LockedSale): SaleLine[] {
  return lines.filter((line) => isStillSold(line, stock))
}

/** The returned lines. They were part of the supply, so they count towards the threshold of a rule. */
function returnedLines({ lines }: LockedSale): SaleLine[] {
  return lines.filter((line) => line.released === 'returned')
}

function refuseImpossible(lines: readonly Corrected[]): void {
  const problems = taxProblems(
    lines.map(({ line, vat_treatment: treatment, margin_rate, problem }) => ({
      ...{ name: `Item #${line.stock_id}`, treatment, problem },
      lacksMarginRate: treatment === 'margin' && margin_rate === null,
    })),
  )
  if (problems) throw invalid({ items: problems })
}

const isChanged = ({ line, price, ...now }: Corrected) =>
  price !== agreedPrice(line) || now.vat_treatment !== line.vat_treatment || now.vat_rate !== line.vat_rate

/** The entries for the sale's log: one for each corrected line, and one over all if there are several. */
function entries(saleId: number, lines: readonly Corrected[]): Entry[] {
  const [type, id, ofMany] = ['Sale' as const, saleId, lines.length > 1]
  const each = lines.map(({ line, price, vat_treatment, vat_rate }): Entry => {
    const priceName = `item_#${line.stock_id}_${line.sales_price_vat === null ? 'sales_price' : 'sales_price_vat'}`
    const vatName = `item_#${line.stock_id}_vat_treatment`
    const data = changes(
      { [priceName]: agreedPrice(line), [vatName]: treatmentAt(line.vat_treatment, line.vat_rate / 100) },
      { [priceName]: price, [vatName]: treatmentAt(vat_treatment, vat_rate / 100) },
    )
    return { type, id, ofMany, content: { type: 'model_update', data } }
  })
  if (!ofMany) return each
  const message = `Corrected: ${listed(lines.map(({ line }) => line.stock_id))}.`
  return [...each, { type, id, content: { type: 'message', data: { message } } }]
}

async function writeLines(tx: Tx, saleId: number, lines: readonly Corrected[]): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map(({ line, price, vat_rate, vat_treatment, vat_why, vat_name, margin_rate }) => ({
    ...{ stock_id: line.stock_id, vat_rate, vat_treatment, vat_why, vat_name, margin_rate },
    typed: line.sales_price_vat === null ? null : price,
    // If prices include VAT, the totals compute the net price later.
    net: price,
  }))
  await sql`
    update sale_item i set sales_price = n.net, sales_price_vat = n.typed, vat_rate = n.vat_rate,
      vat_treatment = n.vat_treatment, vat_why = n.vat_why, vat_name = n.vat_name, margin_rate = n.margin_rate, margin_vat = 0, allowed_price = 0
    from json_to_recordset(${JSON.stringify(rows)}) as n (stock_id int, vat_rate int, vat_treatment text, vat_why text,
      vat_name text, margin_rate int, typed int, net int)
    where i.sale_id = ${saleId} and i.stock_id = n.stock_id`.execute(tx)
}

async function writeTotals(tx: Tx, { sale, lines }: LockedSale, now: Corrected[], author: Author): Promise<void> {
  const corrected = new Map(now.map((one) => [one.line.stock_id, one]))
  const counted = lines
    .filter((line) => line.released !== 'removed')
    .map((line) => {
      const { price, vat_rate, vat_treatment } = corrected.get(line.stock_id) ?? { ...line, price: null }
      return {
        ...{ stock_id: line.stock_id, vat_rate, vat_treatment },
        sales_price: price ?? line.sales_price,
        sales_price_vat: line.sales_price_vat === null ? null : (price ?? line.sales_price_vat),
      }
    })
  const totals = await rewriteTotals(tx, sale.id, counted, sale.prices_include_vat)
  const { total_items, total_sales_price, total_sales_price_vat } = sale
  await recordChanges(tx, author, 'Sale', sale.id, { total_items, total_sales_price, total_sales_price_vat }, totals)
}
