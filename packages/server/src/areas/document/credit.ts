import type { CreditReason } from '@backstock/contract/document-kind.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { creditTotals, marginVat, type SaleTotals } from '@backstock/contract/sale-total.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { invalid } from '../../http/refusal.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'
import type { DocumentLine, PrintedData } from './facts.ts'
import { markLeft, standingInvoice } from './left.ts'
import { creditSeries } from './number.ts'
import { orderVersion, sumUpOnSale, writeDocument } from './write.ts'

/** What a credit note takes back of an item: its price as typed, or less. */
export type CreditedItem = { stock_id: number; price?: Hundredths | undefined }
export type CreditNote = {
  id: number
  /** The invoice that it credits. */
  invoice_id: number
  printed: string
  total_gross: Hundredths
}

/**
 * Makes the credit note over these items of a sale's invoice, or over all that is left of it, for which the sale must be
 * locked. What was kept back of an item that was returned stays invoiced. None where the sale has no invoice, or nothing
 * of it is left. 422 under `items` where more is asked for than is left of a line. It locks the numbers, so whatever else
 * is to be locked comes before.
 */
export async function creditItems(
  tx: Tx,
  saleId: number,
  { items, reason }: { items?: readonly CreditedItem[]; reason: CreditReason },
  author: Author,
): Promise<CreditNote | undefined> {
  const invoice = await standingInvoice(tx, saleId)
  if (!invoice) return undefined
  const left = await linesLeft(tx, invoice.id)
  const wanted = items && new Map(items.map((item) => [item.stock_id, item.price]))
  const off = left.map((line) => {
    if (wanted ? !wanted.has(line.stock_id) : line.is_returned) return 0
    const price = wanted?.get(line.stock_id) ?? line.price
    if (price > line.price)
      throw invalid({
        items: `Item #${line.stock_id}: at most ${formatMoney(line.price)} ${CURRENCY} can be credited.`,
      })
    return price
  })
  if (off.every((price) => price === 0)) return undefined

  const { lang, data } = await newestData(tx, invoice.id)
  const totals = creditTotals(left, off, data.prices_include_vat)
  const lines = left.flatMap((line, n): DocumentLine[] => {
    const price = off[n]!
    if (price === 0) return []
    const margin = (left: Hundredths) => (line.margin_rate === null ? 0 : marginVat(left, line.cost, line.margin_rate))
    const isWhole = price === line.price
    return [
      {
        stock_id: line.stock_id,
        position: line.position,
        net: totals.lines[n]!.sales_price,
        price,
        treatment: line.treatment,
        rate: line.rate,
        cost: isWhole ? line.cost : 0,
        margin_rate: line.margin_rate,
        margin_vat: margin(line.price) - margin(line.price - price),
      },
    ]
  })
  await markLeft(tx, [invoice.id])
  await sql`
    update document_line l set credited = credited + line.price
    from unnest(${lines.map((line) => line.stock_id)}::int[], ${lines.map((line) => line.price)}::int[]) as line (stock_id, price)
    where l.document_id = ${invoice.id} and l.stock_id = line.stock_id`.execute(tx)

  const { number: _, issued_on: __, ...printed } = data
  const facts = {
    customer_id: invoice.customer_id,
    buyer_name: invoice.buyer_name,
    buyer_country: invoice.buyer_country,
    buyer_vat_number: invoice.buyer_vat_number,
    due_days: 0,
    data: creditData(printed, { number: invoice.printed, issued_on: invoice.issued_on }, reason, lines, totals),
    lines,
    vat: totals.vat,
  }
  const document = await writeDocument(
    tx,
    { saleId, series: creditSeries(invoice.series), credits: { id: invoice.id, reason } },
    facts,
  )
  await orderVersion(tx, saleId, document, { lang, data: facts.data }, author)
  await sumUpOnSale(tx, saleId)
  const sum = `${formatMoney(totals.total_sales_price_vat)} ${CURRENCY}`
  await recordMessage(
    tx,
    author,
    'Sale',
    saleId,
    `Credit note ${document.printed} over ${sum} was made for invoice ${invoice.printed}.`,
  )
  return {
    id: document.id,
    invoice_id: invoice.id,
    printed: document.printed,
    total_gross: totals.total_sales_price_vat,
  }
}

type LineLeft = Pick<DocumentLine, 'stock_id' | 'position' | 'rate' | 'cost' | 'margin_rate'> & {
  treatment: Treatment
  /** What is left of it. */
  price: Hundredths
  is_returned: boolean
}

/** An invoice's lines with what of each no credit note has taken back yet. */
async function linesLeft(tx: Tx, invoiceId: number): Promise<LineLeft[]> {
  const { rows } = await sql<LineLeft>`
    select l.stock_id, l.position, l.rate, l.cost, l.margin_rate, l.treatment, l.price - l.credited as price,
      coalesce(i.released = 'returned', false) as is_returned
    from document_line l join document d on d.id = l.document_id
      left join sale_item i on i.sale_id = d.sale_id and i.stock_id = l.stock_id
    where l.document_id = ${invoiceId} order by l.position`.execute(tx)
  return rows
}

type Version = { lang: InvoiceLanguage; data: PrintedData }

/** What the newest version of a document says. */
async function newestData(tx: Tx, documentId: number): Promise<Version> {
  const {
    rows: [newest],
  } = await sql<Version>`
    select lang, data from document_version
    where document_id = ${documentId} order by version desc limit 1`.execute(tx)
  return newest!
}

type Printed = Omit<PrintedData, 'number' | 'issued_on'>

/** A credit note says what its invoice said, of the lines and sums that it takes back. */
function creditData(
  invoice: Printed,
  credits: NonNullable<PrintedData['credits']>,
  reason: CreditReason,
  lines: readonly DocumentLine[],
  totals: SaleTotals,
): Printed {
  const printedLines = new Map(invoice.lines.map((line) => [line.position, line]))
  // Invoices of before treatments were known name none, and so does what credits them.
  const isOlder = invoice.vat_totals.every(({ treatment }) => treatment === undefined)
  return {
    ...invoice,
    kind: 'credit_note',
    credits,
    reason,
    lines: lines.map(({ position, net, price }, n) => ({
      ...printedLines.get(position)!,
      position: n + 1,
      net,
      price,
    })),
    vat_totals: totals.vat.map(({ treatment, ...total }) => (isOlder ? total : { treatment, ...total })),
    total_net: totals.total_sales_price,
    total_vat: totals.total_sales_price_vat - totals.total_sales_price,
    total_gross: totals.total_sales_price_vat,
  }
}
