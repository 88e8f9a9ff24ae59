import type { BookedDocument } from '@backstock/contract/accounting.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { PURCHASE_TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import { conflict } from '../../http/refusal.ts'
import { type BookCell, type BookColumn, type BookSheet, renderWorkbook, slice } from '../../render/sheet/workbook.ts'
import { rowsOf } from './documents.ts'
import type { BookedPayment } from './payments.ts'
import type { BookedCredit } from './purchases.ts'
import type { Summary } from './summary.ts'
import { FILED_TREATMENTS } from './treatments-in-files.ts'

/** The most rows of a sheet. With more, the thread that makes the file would need half a minute and 600 MB. */
const MAX_ROWS = 20_000

/** Throws 409 if a period has more than `MAX_ROWS` rows of a kind, too many for the Excel file. */
export function refuseTooMany(what: 'documents' | 'payments' | 'supplier credits', many: number): void {
  if (many <= MAX_ROWS) return
  // No CSV file has the payments.
  const instead = what === 'payments' ? 'Please choose' : 'Please use the CSV file, or choose'
  throw conflict(
    `An Excel file takes at most ${MAX_ROWS.toLocaleString('en')} ${what}; this period has ` +
      `${many.toLocaleString('en')}. ${instead} a shorter period.`,
  )
}

const money = (heading: string): BookColumn => ({ heading, width: 16, kind: 'money' })
const number = (heading: string): BookColumn => ({ heading, width: 12, kind: 'number' })
const words = (heading: string, width: number): BookColumn => ({ heading, width })
const rate: BookColumn = { heading: 'Rate', width: 9, kind: 'percent' }

const DOCUMENTS = [
  ...[
    words('Number', 18),
    words('Kind', 12),
    words('Credits', 18),
    { heading: 'Date', width: 12, kind: 'day' as const },
  ],
  ...[number('Sale'), words('Buyer', 34), words('Country', 9), words('VAT number', 18), words('Treatment', 18), rate],
  ...[money('Net'), money('VAT'), money('Gross'), money('Purchase'), money('VAT in margin')],
]
const documentRow = ({ document, part }: ReturnType<typeof rowsOf>[number]): BookCell[] => [
  ...[document.number, DOCUMENT_NAMES[document.kind], document.credits_number, document.issued_on, document.sale_id],
  ...[document.buyer_name, document.buyer_country, document.buyer_vat_number],
  ...[part ? FILED_TREATMENTS[part.treatment] : null, part?.rate ?? null, part?.net ?? 0, part?.vat ?? 0],
  ...[(part?.net ?? 0) + (part?.vat ?? 0), part?.cost ?? null, part?.margin_vat ?? null],
]

const sheet = (name: string, columns: BookColumn[], rows: BookCell[][]): BookSheet => ({
  name,
  columns,
  slices: [slice(rows)],
})

/** A workbook with the documents of a period and their sums. */
export async function accountingWorkbook(
  summary: Summary,
  documents: AsyncIterable<BookedDocument[]>,
  payments: readonly BookedPayment[],
  credits: AsyncIterable<BookedCredit[]>,
): Promise<Buffer> {
  const slices: string[] = []
  for await (const some of documents) slices.push(slice(rowsOf(some).map(documentRow)))
  const credited: string[] = []
  for await (const some of credits) credited.push(slice(some.map(creditRow)))
  return renderWorkbook([
    { name: 'Documents', columns: DOCUMENTS, slices },
    vatSheet(summary),
    marginSheet(summary),
    recapitulativeSheet(summary),
    purchaseSheet(summary),
    paymentSheet(payments),
    stockSheet(summary),
    { name: 'Supplier credits', columns: CREDITS, slices: credited },
  ])
}

const vatSheet = ({ vat }: Summary) =>
  sheet(
    'VAT',
    [
      ...[words('Treatment', 20), rate, number('Invoices'), money('Net invoiced'), money('VAT invoiced')],
      ...[
        number('Credit notes'),
        money('Net credited'),
        money('VAT credited'),
        money('Net'),
        money('VAT'),
        money('Gross'),
      ],
    ],
    vat.map(({ treatment, rate, invoices, credit_notes, net, vat }) => [
      ...[FILED_TREATMENTS[treatment], rate, invoices.documents, invoices.net, invoices.vat],
      ...[credit_notes.documents, credit_notes.net, credit_notes.vat, net, vat, net + vat],
    ]),
  )

const marginSheet = ({ margin, margin_period: period }: Summary) =>
  period
    ? sheet(
        'Margin',
        [
          ...[rate, money('Sales'), money('Bought'), { ...money('Sold outside the scheme'), width: 24 }],
          ...[money('Margin'), money('VAT in margin')],
        ],
        [[period.rate, period.sales, period.purchases, period.otherwise, period.margin, period.vat]],
      )
    : sheet(
        'Margin',
        [rate, money('Sales'), money('Purchases'), money('Margin'), money('Losses'), money('VAT in margin')],
        margin.map(({ rate, sales, purchases, margin, losses, vat }) => [rate, sales, purchases, margin, losses, vat]),
      )

const recapitulativeSheet = ({ buyers, without_number }: Summary) =>
  sheet(
    'Recapitulative',
    [words('VAT number', 20), words('Buyer', 34), number('Invoices'), number('Credit notes'), money('Net')],
    [
      ...buyers.map(({ vat_number, name, invoices, credit_notes, net }) => [
        vat_number,
        name,
        invoices,
        credit_notes,
        net,
      ]),
      ...without_number.map(({ number, name, net }) => [`missing (${number})`, name, null, null, net]),
    ],
  )

const purchaseSheet = ({ purchases }: Summary) =>
  sheet(
    'Purchases',
    [
      ...[words('Bought under', 20), number('Items'), number('Deleted since'), money('Cost'), money('Credited')],
      money('Cost less credits'),
    ],
    purchases.map(({ treatment, items, deleted, cost, credited }) => [
      ...[PURCHASE_TREATMENT_NAMES[treatment], items, deleted, cost, 0 - credited, cost - credited],
    ]),
  )

const paymentSheet = (payments: readonly BookedPayment[]) =>
  sheet(
    'Payments',
    [
      { heading: 'Date', width: 12, kind: 'day' },
      ...[number('Sale'), words('Invoice', 18), words('Buyer', 34), money('Amount'), words('Note', 34)],
    ],
    payments.map(({ paid_on, sale_id, invoice_number, buyer_name, amount, note }) => [
      ...[paid_on, sale_id, invoice_number, buyer_name, amount, note],
    ]),
  )

const stockSheet = ({ stock }: Summary) =>
  sheet(
    'Stock',
    [
      { heading: 'Day', width: 12, kind: 'day' },
      words('Where', 26),
      number('Items'),
      money('Cost'),
      words('Valued', 9),
    ],
    stock
      ? stock.states.map(({ state, items, cost, is_valued }) => [
          stock.at,
          state,
          items,
          cost,
          is_valued ? 'yes' : 'no',
        ])
      : [],
  )

const CREDITS: BookColumn[] = [
  { heading: 'Date', width: 12, kind: 'day' },
  ...[words('Kind', 12), number('Claim'), words('Reference', 18), words('Supplier', 34), number('Item')],
  ...[words('IMEI', 18), words('Serial number', 18), words('Bought under', 20), money('Credit'), money('Purchase')],
  ...[words('Invoice', 18), number('Sale'), words('Sold under', 18), money('Cost in that sale'), money('Margin')],
  money('VAT in margin'),
]
/** A row of the sheet of supplier credits. Its amounts are below 0, because supplier credits lower purchases. */
const creditRow = (row: BookedCredit): BookCell[] => [
  ...[row.booked_on, row.kind === 'credit' ? 'Credit' : 'Correction', row.claim_id, row.reference, row.supplier],
  ...[row.stock_id, row.imei, row.serial_number, PURCHASE_TREATMENT_NAMES[row.purchase_treatment]],
  ...[0 - row.amount, 0 - row.lowers, row.invoice_number, row.sale_id],
  ...[row.treatment && FILED_TREATMENTS[row.treatment as Treatment], row.purchase, row.margin, row.margin_vat],
]
