import type { Accounting } from '@backstock/contract/accounting.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { PURCHASE_TREATMENT_NAMES, TREATMENT_NAMES } from '@backstock/contract/treatment.ts'
import { Anchor, Text } from '@mantine/core'
import { apiUrl } from '../../api/client.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import classes from './accounting.module.css'
import { Amount, amountCells, type FigureColumn, FigurePanel, type FigureRow } from './figures.tsx'

const count = (n: number) => n.toLocaleString('en')
const sum = <Row,>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
/** The row of totals. It is left out if there is only one row. */
const total = (rows: readonly unknown[], cells: FigureRow['cells']): FigureRow[] =>
  rows.length > 1 ? [{ key: 'total', isTotal: true, cells }] : []

/** The accountant's figures of a period, in several tables. */
export function Summary({ books }: { books: Accounting }) {
  return (
    <div className={classes['summary']}>
      <Vat books={books} />
      <div className={classes['stack']}>
        {books.margin_period ? <MarginOfPeriod of={books.margin_period} /> : <Margin books={books} />}
        <Purchases books={books} />
      </div>
      <div className={classes['stack']}>
        <Stock books={books} />
        <Payments books={books} />
      </div>
      <div className={classes['wide']}>
        <SupplierCredits books={books} />
      </div>
      <div className={classes['wide']}>
        <Recapitulative books={books} />
      </div>
      <Numbers books={books} />
    </div>
  )
}

type Props = { books: Accounting }

const VAT: FigureColumn[] = [
  { head: 'Treatment', isText: true },
  { head: 'Rate' },
  { head: 'Invoiced, net', isDetail: true },
  { head: 'Invoiced, VAT', isDetail: true },
  { head: 'Credited, net', isDetail: true },
  { head: 'Credited, VAT', isDetail: true },
  { head: 'Net' },
  { head: 'VAT' },
  { head: 'Gross', isDetail: true },
]

function Vat({ books: { vat } }: Props) {
  const sums = (key: 'invoices' | 'credit_notes', of: 'net' | 'vat') => sum(vat, (row) => row[key][of])
  const [net, owed] = [sum(vat, (row) => row.net), sum(vat, (row) => row.vat)]
  const rows: FigureRow[] = vat.map(({ treatment, rate, invoices, credit_notes, net, vat }) => ({
    key: `${treatment} ${rate}`,
    cells: [
      TREATMENT_NAMES[treatment],
      `${rate}%`,
      ...amountCells([invoices.net, invoices.vat, credit_notes.net, credit_notes.vat, net, vat, net + vat]),
    ],
  }))
  const all = [
    sums('invoices', 'net'),
    sums('invoices', 'vat'),
    sums('credit_notes', 'net'),
    sums('credit_notes', 'vat'),
  ]
  return (
    <div className={classes['wide']}>
      <FigurePanel
        title="VAT by treatment and rate"
        columns={VAT}
        rows={[...rows, ...total(rows, ['Total', '', ...amountCells([...all, net, owed, net + owed])])]}
        none="No invoice and no credit note was issued in this period."
        note={
          vat.some(({ treatment }) => treatment === 'margin') &&
          'Invoices do not show the VAT in margins. It is listed below.'
        }
      />
    </div>
  )
}

const MARGIN: FigureColumn[] = [
  { head: 'Rate', isText: true },
  { head: 'Sales' },
  { head: 'Purchases' },
  { head: 'Margin' },
  { head: 'Losses', isDetail: true },
  { head: 'VAT in margins' },
]

function Margin({ books: { margin } }: Props) {
  const rows: FigureRow[] = margin.map(({ rate, sales, purchases, margin, losses, vat }) => ({
    key: String(rate),
    cells: [`${rate}%`, ...amountCells([sales, purchases, margin, losses, vat])],
  }))
  const all = (['sales', 'purchases', 'margin', 'losses', 'vat'] as const).map((of) => sum(margin, (row) => row[of]))
  return (
    <FigurePanel
      title="Margin scheme"
      columns={MARGIN}
      rows={[...rows, ...total(rows, ['Total', ...amountCells(all)])]}
      none="Nothing was sold under the margin scheme."
      note="Each item is calculated by itself: a loss on one does not lower the VAT of another. Credit notes are deducted, and supplier credits lower the purchases."
    />
  )
}

const MARGIN_PERIOD: FigureColumn[] = [
  { head: 'Rate', isText: true },
  { head: 'Sales' },
  { head: 'Bought' },
  { head: 'Sold outside the scheme', isDetail: true },
  { head: 'Margin' },
  { head: 'VAT in margins' },
]

function MarginOfPeriod({ of }: { of: NonNullable<Accounting['margin_period']> }) {
  const { rate, sales, purchases, otherwise, margin, vat } = of
  const amounts = [sales, purchases, otherwise, margin, vat]
  return (
    <FigurePanel
      title="Margin scheme"
      columns={MARGIN_PERIOD}
      rows={
        amounts.some((amount) => amount !== 0) ? [{ key: 'period', cells: [`${rate}%`, ...amountCells(amounts)] }] : []
      }
      none="Nothing was bought or sold under the margin scheme."
      note={
        <>
          {margin < 0 && 'Below 0, no VAT is owed. Ask your accountant how much is carried over to the next period. '}
          The margin of the whole period is sales under the scheme (less credit notes) minus purchases under it (less
          supplier credits). Purchases of items that were sold with VAT or abroad (‘Sold outside the scheme’) do not
          count, nor do items that were deleted since.
        </>
      }
    />
  )
}

const BUYERS: FigureColumn[] = [
  { head: 'VAT number', isText: true },
  { head: 'Buyer', isText: true },
  { head: 'Invoices', isDetail: true },
  { head: 'Credit notes', isDetail: true },
  { head: 'Net' },
]

function Recapitulative({ books }: Props) {
  const { buyers, buyers_total, without_number, without_number_total } = books
  const rows: FigureRow[] = [
    ...buyers.map(({ vat_number, name, invoices, credit_notes, net }) => ({
      key: vat_number,
      cells: [shownVatNumber(vat_number), name, count(invoices), count(credit_notes), <Amount key="net" of={net} />],
    })),
    ...without_number.map(({ number, name, sale_id, net }) => ({
      key: number,
      cells: [
        <TextLink key="number" to={recordPath('sale', sale_id)} size="sm" c="inherit" underline="always">
          none on {number}
        </TextLink>,
        name,
        '',
        '',
        <Amount key="net" of={net} />,
      ],
    })),
  ]
  const more = buyers_total - buyers.length + without_number_total - without_number.length
  const net = sum(buyers, (row) => row.net) + sum(without_number, (row) => row.net)
  return (
    <FigurePanel
      title="Recapitulative statement"
      columns={BUYERS}
      rows={[...rows, ...(more === 0 ? total(rows, ['Total', '', '', '', <Amount key="net" of={net} />]) : [])]}
      none="No goods went to a business in another member state."
      note={
        <>
          {without_number_total > 0 && (
            <Text size="sm" className={classes['trouble'] ?? ''}>
              {count(without_number_total)} {without_number_total === 1 ? 'document does' : 'documents do'} not have the
              buyer’s VAT number.
            </Text>
          )}
          {more > 0 && <>{count(more)} more are in the Excel file. </>}
          Intra-Community supplies, less the credit notes of the period.
        </>
      }
    />
  )
}

const PURCHASES: FigureColumn[] = [
  { head: 'Bought under', isText: true },
  { head: 'Items' },
  { head: 'Deleted since', isDetail: true },
  { head: 'Cost' },
  { head: 'Credited', isDetail: true },
  { head: 'Cost less credits' },
]

function Purchases({ books: { purchases } }: Props) {
  const figures = (cost: number, credited: number) => amountCells([cost, 0 - credited, cost - credited])
  const rows: FigureRow[] = purchases.map(({ treatment, items, deleted, cost, credited }) => ({
    key: treatment,
    cells: [PURCHASE_TREATMENT_NAMES[treatment], count(items), count(deleted), ...figures(cost, credited)],
  }))
  const all = (of: 'items' | 'deleted' | 'cost' | 'credited') => sum(purchases, (row) => row[of])
  return (
    <FigurePanel
      title="Purchases"
      columns={PURCHASES}
      rows={[
        ...rows,
        ...total(rows, ['Total', count(all('items')), count(all('deleted')), ...figures(all('cost'), all('credited'))]),
      ]}
      none="No item was bought in this period."
      note="By date of purchase. An item without one counts on the day it was recorded. Credits count on the day of the supplier’s credit, whenever the item was bought."
    />
  )
}

const CREDITS: FigureColumn[] = [
  { head: 'Claim', isText: true },
  { head: 'Supplier', isText: true },
  { head: 'Date', isDetail: true },
  { head: 'Reference', isText: true, isDetail: true },
  { head: 'Items', isDetail: true },
  { head: 'Credited' },
  { head: 'VAT in margins' },
]

function SupplierCredits({ books }: Props) {
  const { supplier_credits: credits, supplier_credits_total, supplier_credited } = books
  const rows = credits.map(
    ({ claim_id, supplier, booked_on, reference, items, amount, margin_vat }): FigureRow => ({
      key: `${claim_id} ${booked_on}`,
      cells: [
        <TextLink key="claim" to={recordPath('supplier-claim', claim_id)} size="sm" c="inherit" underline="always">
          #{claim_id}
        </TextLink>,
        supplier,
        formatDate(booked_on, 'dd/MM/yyyy'),
        reference ?? '',
        items > 0 ? count(items) : '',
        <Amount key="amount" of={0 - amount} />,
        <Amount key="vat" of={margin_vat} />,
      ],
    }),
  )
  const more = supplier_credits_total - credits.length
  const vat = sum(credits, (row) => row.margin_vat)
  const totals = [<Amount key="amount" of={0 - supplier_credited} />, <Amount key="vat" of={vat} />]
  return (
    <FigurePanel
      title="Supplier credits"
      columns={CREDITS}
      rows={[...rows, ...(more === 0 ? total(rows, ['Total', '', '', '', '', ...totals]) : [])]}
      none="No supplier credited anything in this period."
      note={
        <>
          {more > 0 && <>{count(more)} more are in the files. </>}
          <Anchor
            href={apiUrl('accounting/supplier-credits/csv', { from: books.from, to: books.to })}
            target="_blank"
            inherit
            c="inherit"
            underline="always"
          >
            Supplier credits as CSV
          </Anchor>
          , item by item. These are the settled supplier claims. A credit that comes after the sale changes the VAT in
          its margin on the day of the credit, not in the month of the sale. The table ‘Margin scheme’ includes this.
        </>
      }
    />
  )
}

const NUMBERS: FigureColumn[] = [
  { head: 'Series', isText: true },
  { head: 'First', isDetail: true },
  { head: 'Last' },
  { head: 'Documents', isDetail: true },
  { head: 'Missing' },
]
const SERIES_NAMES: Record<string, string> = {
  invoice: 'Invoices',
  credit_note: 'Credit notes',
  sample: 'Sample invoices',
  sample_credit_note: 'Sample credit notes',
}

function Numbers({ books: { numbers } }: Props) {
  return (
    <div className={classes['wide']}>
      <FigurePanel
        title="Numbers"
        columns={NUMBERS}
        rows={numbers.map(({ series, year, first, last, documents, missing }) => ({
          key: `${series} ${year}`,
          cells: [
            `${SERIES_NAMES[series] ?? `Reverse charge ${series}`} ${year}`,
            first,
            last,
            count(documents),
            missing.length > 0 ? (
              <span key="missing" className={classes['trouble']}>
                {missing.join(', ')}
              </span>
            ) : (
              'none'
            ),
          ],
        }))}
        none="No number was given in this period."
      />
    </div>
  )
}

const STOCK: FigureColumn[] = [{ head: 'Where', isText: true }, { head: 'Items' }, { head: 'Cost' }]

function Stock({ books: { stock, to } }: Props) {
  if (stock === null) return null
  const { at, states, total: valued } = stock
  const row = ({ state, items, cost }: (typeof states)[number]): FigureRow => ({
    key: state,
    cells: [state, count(items), <Amount key="cost" of={cost} />],
  })
  const isShown = ({ is_valued, items }: (typeof states)[number]) => is_valued || items !== 0
  const apart = states.filter((one) => one.state === 'Inbound' && isShown(one))
  return (
    <FigurePanel
      title={`Stock on ${formatDate(at, 'dd/MM/yyyy')}`}
      columns={STOCK}
      rows={[
        ...states.filter(({ is_valued }) => is_valued).map(row),
        {
          key: 'total',
          isTotal: true,
          cells: ['Value of stock', count(valued.items), <Amount key="cost" of={valued.cost} />],
        },
        ...apart.map(row),
      ]}
      none="There was no stock."
      note={`${at < to ? 'The period has not ended yet. ' : ''}Sold items count until they are dispatched. Inbound items do not count yet.`}
    />
  )
}

const PAYMENTS: FigureColumn[] = [{ head: 'Payments', isText: true }, { head: 'Amount' }]

function Payments({ books: { payments } }: Props) {
  const { count: n, received, paid_back } = payments
  const rows: FigureRow[] = [
    { key: 'received', cells: ['Received', <Amount key="amount" of={received} />] },
    { key: 'paid back', cells: ['Refunded', <Amount key="amount" of={-paid_back} />] },
  ]
  const left = <Amount key="amount" of={received - paid_back} />
  return (
    <FigurePanel
      title="Payments"
      columns={PAYMENTS}
      rows={n === 0 ? [] : [...rows, ...total(rows, [`Total of ${count(n)}`, left])]}
      none="No payment was recorded in this period."
      note="By the day of the payment. The Excel file lists them."
    />
  )
}
