import type { CreditKind, CreditReason } from '@backstock/contract/document-kind.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { creditTotals, marginVat, type SaleTotals } from '@backstock/contract/sale-total.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { invalid } from '../../http/refusal.ts'
import { getFrom, zip } from '../../lists.ts'
import { type Author, type Entry, record } from '../../records/log/write.ts'
import type { DocumentFacts, DocumentLine, PrintedData } from './facts.ts'
import { makeFinal } from './final.ts'
import { newestFirst } from './newest-first.ts'
import { creditSeries } from './number.ts'
import { orderVersions, sumUpOnSales, writeDocuments } from './write.ts'

/**
 * An item on a credit note. `price` is the sum to credit, as typed; if it is left out, the whole rest of the item's
 * price. `isAllowance` means that the buyer keeps the item.
 */
export type CreditedItem = { stock_id: number; price?: Hundredths | undefined; isAllowance?: boolean }
/** The part of a sale to credit: these items, or, without `items`, the whole rest of its invoice. */
export type CreditedSale = { sale_id: number; items?: readonly CreditedItem[] | undefined }
export type CreditNote = {
  id: number
  /** The invoice that the note credits. */
  invoice_id: number
  printed: string
  total_gross: Hundredths
}

/** Makes a credit note over items of one sale's invoice, as `creditSales` does. Returns undefined if it makes none. */
export async function creditItems(
  tx: Tx,
  saleId: number,
  { items, reason }: { items?: readonly CreditedItem[]; reason: CreditReason },
  author: Author,
): Promise<CreditNote | undefined> {
  return (await creditSales(tx, [{ sale_id: saleId, items }], reason, author)).get(saleId)
}

/**
 * Makes credit notes over items of sales' invoices, or over the whole rest of the invoices. The caller has locked the
 * sales. A returned item gives back its whole purchase price, even if only a part is refunded; so if the item counts in
 * margins, the note names it even with a sum of 0. A sale without an invoice, or without a rest, gets no note. Throws
 * 422 under `items` if a line has less left than the caller asks for. Everything is read and computed before the number
 * series are locked; so any other lock must be taken before. Returns the notes by sale.
 */
export async function creditSales(
  tx: Tx,
  sales: readonly CreditedSale[],
  reason: CreditReason,
  author: Author,
): Promise<Map<number, CreditNote>> {
  const invoices = await invoicesLeft(tx, sales)
  const credits = sales.flatMap(({ sale_id, items }) => {
    const invoice = invoices.get(sale_id)
    return (invoice && creditOf(invoice, items, reason)) ?? []
  })
  if (credits.length === 0) return new Map()
  await makeFinal(
    tx,
    credits.map(({ invoice }) => invoice.id),
  )
  const taken = credits.flatMap(({ invoice, facts }) =>
    facts.lines.map(({ stock_id, price }) => ({ invoice_id: invoice.id, stock_id, price })),
  )
  await sql`
    update document_line l set credited = credited + taken.price
    from json_to_recordset(${JSON.stringify(taken)}) as taken (invoice_id int, stock_id int, price int)
    where l.document_id = taken.invoice_id and l.stock_id = taken.stock_id`.execute(tx)

  const documents = await writeDocuments(
    tx,
    credits.map(({ invoice, facts }) => ({
      ...{ saleId: invoice.sale_id, series: creditSeries(invoice.series), credits: { id: invoice.id, reason }, facts },
    })),
  )
  const made = zip(credits, documents).map(([credit, document]) => ({
    ...{ ...credit, document, saleId: credit.invoice.sale_id },
  }))
  await orderVersions(
    tx,
    made.map(({ saleId, document, invoice: { lang }, facts: { data } }) => ({ saleId, document, lang, data })),
    author,
  )
  await sumUpOnSales(
    tx,
    made.map(({ saleId }) => saleId),
  )
  await record(
    tx,
    author,
    made.map(({ saleId, document, invoice, facts: { data } }): Entry => {
      const sum = `${formatMoney(data.total_gross)} ${CURRENCY}`
      const message = `Credit note ${document.printed} of ${sum} was made for invoice ${invoice.printed}.`
      return { type: 'Sale', id: saleId, content: { type: 'message', data: { message } } }
    }),
  )
  return new Map(
    made.map(({ saleId, document: { id, printed }, invoice, facts: { data } }) => [
      saleId,
      { id, invoice_id: invoice.id, printed, total_gross: data.total_gross },
    ]),
  )
}

type LineLeft = Pick<DocumentLine, 'stock_id' | 'position' | 'rate' | 'margin_rate'> & {
  document_id: number
  treatment: Treatment
  /** The rest of the line's price, and of its purchase price. */
  price: Hundredths
  cost: Hundredths
  /** Whether the purchase price counts in margins: the item was bought or sold under the margin scheme. */
  has_margin: boolean
}
/** An invoice with the data of its newest version, and the part of each line that no credit note has taken yet. */
type InvoiceLeft = Pick<
  Selectable<Tables['document']>,
  | 'id'
  | 'sale_id'
  | 'series'
  | 'printed'
  | 'issued_on'
  | 'customer_id'
  | 'buyer_name'
  | 'buyer_country'
  | 'buyer_vat_number'
> & { lang: InvoiceLanguage; data: PrintedData; lines: LineLeft[] }

/** The standing invoice of each sale (the one that no correction has replaced), by sale. */
async function invoicesLeft(tx: Tx, sales: readonly CreditedSale[]): Promise<Map<number, InvoiceLeft>> {
  const { rows: invoices } = await sql<Omit<InvoiceLeft, 'lines'>>`
    select d.id, d.sale_id, d.series, d.printed, d.issued_on, d.customer_id, d.buyer_name, d.buyer_country,
      d.buyer_vat_number, v.lang, v.data
    from document d join lateral (
      select lang, data from document_version v where document_id = d.id order by ${newestFirst()} limit 1) v on true
    where d.sale_id = any(${sales.map(({ sale_id }) => sale_id)}::int[]) and d.kind = 'invoice'
      and d.replaced_by_id is null`.execute(tx)
  const ids = invoices.map(({ id }) => id)
  const { rows: lines } = await sql<LineLeft>`
    with back as (
      select c.credits_id, e.stock_id, sum(e.cost) as cost from document c join document_line e on e.document_id = c.id
      where c.credits_id = any(${ids}::int[]) and e.cost > 0 group by 1, 2)
    select l.document_id, l.stock_id, l.position, l.rate, l.cost - coalesce(back.cost, 0) as cost, l.margin_rate, l.treatment,
      l.price - l.credited as price,
      l.treatment = 'margin' or coalesce(i.purchase_treatment = 'margin', false) as has_margin
    from document_line l join document d on d.id = l.document_id
      left join back on back.credits_id = l.document_id and back.stock_id = l.stock_id
      left join sale_item i on i.sale_id = d.sale_id and i.stock_id = l.stock_id
    where l.document_id = any(${ids}::int[]) order by l.document_id, l.position`.execute(tx)
  const ofInvoice = Map.groupBy(lines, ({ document_id }) => document_id)
  return new Map(invoices.map((invoice) => [invoice.sale_id, { ...invoice, lines: ofInvoice.get(invoice.id) ?? [] }]))
}

/**
 * Whether a credit note names a sold item that comes back even if nothing is credited for it, because its purchase price
 * leaves the books of the margin scheme. `line` is the alias of `sale_item`.
 */
export const isNotedAtZero = (line: string) =>
  sql<boolean>`((${sql.ref(`${line}.vat_treatment`)} = 'margin' or ${sql.ref(`${line}.purchase_treatment`)} = 'margin')
    and ${sql.ref(`${line}.cost`)} > 0)`

/** The content of a credit note over these items of an invoice; undefined if it would credit nothing. */
function creditOf(
  invoice: InvoiceLeft,
  items: readonly CreditedItem[] | undefined,
  reason: CreditReason,
): { invoice: InvoiceLeft; facts: DocumentFacts } | undefined {
  const { lines: left, data } = invoice
  const wanted = items && new Map(items.map((item) => [item.stock_id, item]))
  const kindOf = ({ stock_id }: LineLeft): CreditKind =>
    wanted?.get(stock_id)?.isAllowance ? 'allowance' : reason === 'return' ? 'return' : 'void'
  const off = left.map((line) => {
    if (wanted && !wanted.has(line.stock_id)) return null
    const price = wanted?.get(line.stock_id)?.price ?? line.price
    if (price > line.price)
      throw invalid({
        items: `Item #${line.stock_id}: at most ${formatMoney(line.price)} ${CURRENCY} can be credited.`,
      })
    // An item that was given away for 0 has a purchase price, too. So the note names the item, with a sum of 0.
    const isBack = line.has_margin && line.cost > 0 && kindOf(line) !== 'allowance'
    return price > 0 || isBack ? price : null
  })
  if (off.every((price) => price === null)) return undefined

  const totals = creditTotals(left, off, data.prices_include_vat)
  const priced = zip(off, totals.lines)
  const lines = zip(left, priced).flatMap(([line, [price, { sales_price: net }]]): DocumentLine[] => {
    if (price === null) return []
    const credit_kind = kindOf(line)
    const cost = credit_kind === 'allowance' ? 0 : line.cost
    const margin = (left: Hundredths, bought: Hundredths) =>
      line.margin_rate === null ? 0 : marginVat(left, bought, line.margin_rate)
    return [
      {
        stock_id: line.stock_id,
        position: line.position,
        net,
        price,
        treatment: line.treatment,
        rate: line.rate,
        cost,
        margin_rate: line.margin_rate,
        margin_vat: margin(line.price, line.cost) - margin(line.price - price, line.cost - cost),
        credit_kind,
      },
    ]
  })
  const { number: _, issued_on: __, paid: ___, ...printed } = data
  const facts: DocumentFacts = {
    customer_id: invoice.customer_id,
    buyer_name: invoice.buyer_name,
    buyer_country: invoice.buyer_country,
    buyer_vat_number: invoice.buyer_vat_number,
    due_days: 0,
    own_series: null,
    is_supplied_when_issued: false,
    data: creditData(printed, { number: invoice.printed, issued_on: invoice.issued_on }, reason, lines, totals),
    lines,
    vat: totals.vat,
  }
  return { invoice, facts }
}

type Printed = Omit<PrintedData, 'number' | 'issued_on'>

/** The data of a credit note. It repeats the words of its invoice for the lines and sums that it takes back. */
function creditData(
  invoice: Printed,
  credits: NonNullable<PrintedData['credits']>,
  reason: CreditReason,
  lines: readonly DocumentLine[],
  totals: SaleTotals,
): Printed {
  const printedLines = new Map(invoice.lines.map((line) => [line.position, line]))
  // Invoices that were made before Backstock stored treatments name none; their credit notes name none either.
  const isOlder = invoice.vat_totals.every(({ treatment }) => treatment === undefined)
  return {
    ...invoice,
    kind: 'credit_note',
    credits,
    reason,
    lines: lines.map(({ position, net, price }, n) => ({
      ...getFrom(printedLines, position),
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
