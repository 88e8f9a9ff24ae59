import type { BookedDocument } from '@backstock/contract/accounting.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { toCurrencyUnits } from '@backstock/contract/money.ts'
import { PURCHASE_TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import { BOM, csvCell, guardCell } from '../stock/csv-cell.ts'
import { type BookedRow, rowsOf } from './documents.ts'
import type { BookedCredit } from './purchases.ts'
import { FILED_TREATMENTS } from './treatments-in-files.ts'

/**
 * The columns of the file of documents. Money is in currency units with a point. Amounts of a credit note are below 0,
 * so that a column can be added up.
 */
const COLUMNS: [heading: string, cell: (row: BookedRow) => string | number | null | undefined][] = [
  ['number', ({ document }) => document.number],
  ['kind', ({ document }) => DOCUMENT_NAMES[document.kind]],
  ['credits', ({ document }) => document.credits_number],
  ['date', ({ document }) => document.issued_on],
  ['sale', ({ document }) => document.sale_id],
  ['buyer', ({ document }) => document.buyer_name],
  ['country', ({ document }) => document.buyer_country],
  ['vat_number', ({ document }) => document.buyer_vat_number],
  ['treatment', ({ part }) => part && FILED_TREATMENTS[part.treatment]],
  ['rate', ({ part }) => part?.rate],
  ['net', ({ part }) => units(part?.net ?? 0)],
  ['vat', ({ part }) => units(part?.vat ?? 0)],
  ['gross', ({ part }) => units((part?.net ?? 0) + (part?.vat ?? 0))],
  ['purchase', ({ part }) => units(part?.cost)],
  ['vat_in_margin', ({ part }) => units(part?.margin_vat)],
]
const NUMBERS = new Set(['sale', 'rate', 'net', 'vat', 'gross', 'purchase', 'vat_in_margin'])

/**
 * The columns of the file of supplier credits. A credit lowers purchases, so `credit` and `purchase` are below 0, and a
 * column can be added up.
 */
const CREDIT_COLUMNS: [heading: string, cell: (row: BookedCredit) => string | number | null][] = [
  ['date', (row) => row.booked_on],
  ['kind', (row) => (row.kind === 'credit' ? 'Credit' : 'Correction')],
  ['claim', (row) => row.claim_id],
  ['reference', (row) => row.reference],
  ['supplier', (row) => row.supplier],
  ['item', (row) => row.stock_id],
  ['imei', (row) => row.imei],
  ['serial_number', (row) => row.serial_number],
  ['bought_under', (row) => PURCHASE_TREATMENT_NAMES[row.purchase_treatment]],
  ['credit', (row) => units(0 - row.amount)],
  ['purchase', (row) => units(0 - row.lowers)],
  ['invoice', (row) => row.invoice_number],
  ['sale', (row) => row.sale_id],
  ['sold_under', (row) => row.treatment && FILED_TREATMENTS[row.treatment as Treatment]],
  ['purchase_of_sale', (row) => units(row.purchase)],
  ['margin', (row) => units(row.margin)],
  ['vat_in_margin', (row) => units(row.margin_vat)],
]
const CREDIT_NUMBERS = new Set(
  CREDIT_COLUMNS.map(([heading]) => heading).filter(
    (heading) => !['reference', 'supplier', 'imei', 'serial_number', 'invoice'].includes(heading),
  ),
)

const units = (amount: number | null | undefined) => (amount == null ? null : toCurrencyUnits(amount))
const line = (cells: string[]) => `${cells.map(csvCell).join(',')}\r\n`

/** The supplier credits of a period and their effect on earlier sales, as CSV (RFC 4180) in UTF-8 with BOM. */
export async function* creditsCsv(credits: AsyncIterable<BookedCredit[]>): AsyncGenerator<string> {
  yield BOM + line(CREDIT_COLUMNS.map(([heading]) => heading))
  for await (const some of credits)
    yield some
      .map((row) => {
        const cells = CREDIT_COLUMNS.map(([heading, cell]) => {
          const text = String(cell(row) ?? '')
          return CREDIT_NUMBERS.has(heading) ? text : guardCell(text)
        })
        return line(cells)
      })
      .join('')
}

/** The documents of a period by treatment and rate, as CSV (RFC 4180) in UTF-8 with BOM. */
export async function* documentsCsv(documents: AsyncIterable<BookedDocument[]>): AsyncGenerator<string> {
  yield BOM + line(COLUMNS.map(([heading]) => heading))
  for await (const some of documents)
    yield rowsOf(some)
      .map((row) => {
        const cells = COLUMNS.map(([heading, cell]) => {
          const text = String(cell(row) ?? '')
          return NUMBERS.has(heading) ? text : guardCell(text)
        })
        return line(cells)
      })
      .join('')
}
