import { isDeepStrictEqual } from 'node:util'
import type { Address } from '@backstock/contract/address.ts'
import { countryName } from '@backstock/contract/country.ts'
import { usualLanguage } from '@backstock/contract/invoice-language.ts'
import { storedVatNumber } from '@backstock/contract/party-numbers.ts'
import { type PaymentFacts, paymentState } from '@backstock/contract/payment-state.ts'
import type { Sale, SaleItem, SaleQuery, SaleRow } from '@backstock/contract/sale.ts'
import { marginVat } from '@backstock/contract/sale-total.ts'
import { needsVatCheck } from '@backstock/contract/treatment-of.ts'
import { vatCheckDoubt } from '@backstock/contract/vat-check-doubt.ts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, humanOrder, page } from '../../db/page.ts'
import type { Buyer, BuyerAddress, Tables } from '../../db/tables.ts'
import { getFrom } from '../../lists.ts'
import { logsColumn, readLogs } from '../../records/log/read.ts'
import { buyerOf } from '../customer.ts'
import { missingData, sellersFacts } from '../document/invoice-contents.ts'
import { remindersOf } from '../document/letter/letters.ts'
import { documentsOf, saidOtherwise } from '../document/queries.ts'
import { filesColumn } from '../document/sale-file.ts'
import { salesHolding } from '../document/sale-search.ts'
import { stockRows } from '../stock/queries.ts'
import { checkById, newestCheck } from '../vat-check/checks.ts'
import type { SaleLine } from './locked-sale.ts'
import { isInState, paymentsOf, today } from './payment/payments.ts'
import { isInPeriods, isInWeek, isMadeBefore, isMadeFrom } from './period.ts'

const saleRows = (db: Db) =>
  db.selectFrom('sale').select([
    'sale.id',
    'sale.customer_id',
    sql<string>`sale.buyer ->> 'full_name'`.as('customer_name'),
    sql<string | null>`sale.buyer ->> 'company_name'`.as('customer_company_name'),
    'sale.status',
    'sale.reference_number',
    'sale.invoice_number',
    'sale.courier',
    'sale.outbound_tracking_number',
    'sale.email_sent',
    'sale.total_items',
    'sale.total_purchase_price',
    'sale.total_sales_price',
    'sale.total_sales_price_vat',
    'sale.due_on',
    'sale.paid_total',
    'sale.open_amount',
    today.as('today'),
    sql<number>`case when sale.status = 'Voided' then 0 else
        sale.total_sales_price - sale.total_purchase_price - (sale.returned_sales - sale.returned_cost)
          - (sale.total_margin_vat - sale.returned_margin_vat) end`.as('total_profit'),
    'sale.created_at',
    'sale.updated_at',
  ])

/** A row in the form of the answer, with its payment state of today. */
const paidSoFar = <Row extends PaymentFacts & { today: string }>({ today, ...row }: Row) => ({
  ...row,
  payment_state: paymentState(row, today),
})

const sort: Record<string, RawBuilder<unknown>> = {
  id: sql`sale.id`,
  reference_number: humanOrder('sale.reference_number'),
  total_purchase_price: sql`sale.total_purchase_price`,
  total_sales_price: sql`sale.total_sales_price`,
  created_at: sql`sale.created_at`,
}

/** The query, narrowed to the sales that match a list's filters. */
export function filtered<Row>(
  sales: SelectQueryBuilder<Tables, 'sale', Row>,
  { status, customer_id, week, from, to, period, payment }: SaleQuery,
): SelectQueryBuilder<Tables, 'sale', Row> {
  let found = sales
  if (status) found = found.where(sql<boolean>`sale.status = any(${status}::text[])`)
  if (customer_id) found = found.where(sql<boolean>`sale.customer_id = any(${customer_id}::int[])`)
  if (payment) found = found.where(isInState(payment))
  if (week) found = found.where(isInWeek(week))
  if (from) found = found.where(isMadeFrom(sql`${from}::date`))
  if (to) found = found.where(isMadeBefore(sql`(${to}::date + 1)`))
  if (period) found = found.where(isInPeriods(period))
  return found
}

/** One page of sales. The ids of the page are found first, then their rows by id. A search reads both in one query. */
export async function findSales(db: Db, query: SaleQuery): Promise<Found<SaleRow>> {
  if (query.search) {
    const { rows, total } = await page(saleRows(db), query, {
      table: 'sale',
      sort,
      where: (sales) => filtered(sales, query),
      alsoFound: await salesHolding(db, query.search),
    })
    return { rows: rows.map(paidSoFar), total }
  }
  let found = filtered(db.selectFrom('sale').select('sale.id'), query)
  if (query.ids !== undefined) found = found.where(sql<boolean>`sale.id = any(${query.ids}::int[])`)
  if (query.ajax_id !== undefined) found = found.where('sale.id', '<>', query.ajax_id)
  const { direction } = query.order
  // With `nulls last`, PostgreSQL could not read an index backwards. It is needed only for the reference number, which
  // can be null.
  const nulls = query.order.column === 'reference_number' ? sql`nulls last` : sql``
  const order = sql`${sort[query.order.column] ?? sort['id']} ${sql.raw(direction)} ${nulls}`
  const [counted, ids] = await Promise.all([
    found.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
    found
      .orderBy(order)
      .orderBy('sale.id', direction)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute(),
  ])
  const onPage = ids.map((row) => row.id)
  if (query.ajax_id !== undefined && query.page === 1) onPage.unshift(query.ajax_id)
  return { rows: await saleRowsInOrder(db, onPage), total: counted.total }
}

/** A customer's newest sales. */
export async function salesOf(db: Db, customerId: number): Promise<SaleRow[]> {
  const order = { column: 'id', direction: 'desc' } as const
  return (await findSales(db, { page: 1, per_page: 20, order, customer_id: [customerId] })).rows
}

async function saleRowsInOrder(db: Db, ids: number[]): Promise<SaleRow[]> {
  if (ids.length === 0) return []
  const found = await saleRows(db).where('sale.id', 'in', ids).execute()
  const rows = new Map(found.map((row) => [row.id, paidSoFar(row)]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

const LINE = [
  ...(['stock_id', 'product_name', 'imei', 'serial_number', 'grade', 'vat_id', 'vat_name', 'vat_rate'] as const),
  ...(['vat_treatment', 'vat_why', 'purchase_treatment', 'sales_price', 'sales_price_vat', 'cost'] as const),
  ...(['margin_rate', 'margin_vat', 'released', 'returned_price', 'allowed_price'] as const),
]

/** The items of a sale with their present stock items. Items that were taken off the sale are left out. */
async function saleItems(db: Db, saleId: number): Promise<SaleItem[]> {
  const lines = await db
    .selectFrom('sale_item')
    .select(LINE)
    .where('sale_id', '=', saleId)
    .where(sql<boolean>`released is distinct from 'removed'`)
    .orderBy('position')
    .orderBy('stock_id')
    .execute()
  const stock = new Map(
    (
      await stockRows(
        db,
        lines.map((line) => line.stock_id),
      )
    ).map((row) => [row.id, row]),
  )
  return lines.map((line) => ({
    stock_id: line.stock_id,
    product_name: line.product_name,
    imei: line.imei,
    serial_number: line.serial_number,
    grade: line.grade,
    vat_type_id: line.vat_id,
    vat_name: line.vat_name,
    vat_rate: line.vat_rate / 100,
    purchase_treatment: line.purchase_treatment,
    sales_price: line.sales_price,
    sales_price_vat: line.sales_price_vat,
    purchase_price: line.cost,
    vat_treatment: line.vat_treatment,
    why: line.vat_why,
    margin_vat: marginLeft(line),
    returned: line.released === 'returned',
    returned_price: line.returned_price,
    allowed_price: line.allowed_price,
    available: line.released === null || line.released === 'returned',
    stock: getFrom(stock, line.stock_id),
  }))
}

/** The VAT in the margin of an item that its buyer keeps. A price under the margin scheme is net and gross at once. */
const marginLeft = ({
  margin_vat,
  margin_rate,
  sales_price,
  allowed_price,
  cost,
}: Pick<SaleLine, (typeof LINE)[number]>) =>
  allowed_price > 0 && margin_rate !== null ? marginVat(sales_price - allowed_price, cost, margin_rate) : margin_vat

const withCountry = (address: BuyerAddress | null): Address | null =>
  address && { id: null, ...address, country: countryName(address.country_code) }

/** The VAT of a sale, as a column of the sale's own query. */
const vatTotals = sql<Sale['vat_totals']>`(
  select coalesce(json_agg(json_build_object('treatment', treatment, 'rate', rate / 100.0, 'net', net, 'vat', vat)
    order by rate desc, treatment), '[]') from sale_vat v where v.sale_id = sale.id)`

/** Whether another table has rows about a sale. Most sales have none in most of these tables. */
const isIn = (table: 'mail' | 'document' | 'payment' | 'letter_line') =>
  sql<boolean>`exists (select from ${sql.table(table)} other where other.sale_id = sale.id)`

/** A whole sale, with everything that its page on the screen shows. It asks only for the parts that the sale has. */
export async function saleOf(db: Db, id: number): Promise<Sale | undefined> {
  const row = await saleRows(db)
    .innerJoin('customer as c', 'c.id', 'sale.customer_id')
    .leftJoin('app_user as u', 'u.id', 'sale.created_by')
    .innerJoin('company', (join) => join.onTrue())
    .select([
      'sale.prices_include_vat',
      'sale.batch_id',
      'sale.total_margin_vat',
      'sale.created_by',
      'u.name as created_by_name',
      'sale.buyer',
      'c.email as customer_email',
      'c.lang as customer_lang',
      'sale.excel_status',
      'sale.resend_needed',
      'sale.invoiced_total',
      'sale.vat_check_id',
      sql<string>`coalesce(sale.treatment_route ->> 'day', (sale.created_at at time zone time_zone)::date::text)`.as(
        'sold_on',
      ),
      'company.vat_check_days',
      sellersFacts.as('seller'),
      vatTotals.as('vat_totals'),
      filesColumn(sql`sale.id`).as('files'),
      isIn('mail').as('has_mails'),
      isIn('document').as('has_documents'),
      isIn('payment').as('has_payments'),
      isIn('letter_line').as('has_reminders'),
      logsColumn(db, 'Sale', id).as('logs'),
    ])
    .where('sale.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { buyer, seller, customer_email, customer_lang, vat_check_id, sold_on, vat_check_days, ...more } =
    paidSoFar(row)
  const { files, has_mails, has_documents, has_payments, has_reminders, ...sale } = more
  const items = await saleItems(db, id)
  const [mail, ...earlier_mails] = has_mails ? await newestMails(db, id) : []
  const documents = has_documents ? await documentsOf(db, id) : []
  const invoice = documents.find(({ kind, replaced_by_id }) => kind === 'invoice' && replaced_by_id === null)
  return {
    ...sale,
    customer: {
      id: row.customer_id,
      first_name: buyer.first_name,
      last_name: buyer.last_name,
      full_name: buyer.full_name,
      email: customer_email,
      phone: buyer.phone,
      company_name: buyer.company_name,
      vat_number: buyer.vat_number,
    },
    address: withCountry(buyer.delivery_address),
    billing_address: withCountry(buyer.billing_address),
    ...(await vatChecksOf(db, row, sale.vat_totals)),
    items,
    unavailable_items: row.status === 'Requires Attention' ? await countLost(db, id) : 0,
    shipping_label: files.label?.name ?? null,
    invoice_excel: files.excel?.name ?? null,
    documents,
    invoice_differs: invoice ? await differing(db, id, buyer, row.customer_id) : [],
    invoice_status: files.invoice ? 'ready' : (invoice?.status ?? 'none'),
    invoice_issued_on: invoice?.issued_on ?? null,
    usual_lang: usualLanguage(customer_lang),
    invoice_uploaded: files.invoice !== undefined,
    ...missingData(seller, buyer, items, row.reference_number),
    mail: mail ?? null,
    earlier_mails,
    payments: has_payments ? await paymentsOf(db, id) : [],
    reminders: has_reminders ? await remindersOf(db, id) : [],
    logs: readLogs(sale.logs),
  }
}

type CheckedSale = {
  customer_id: number
  buyer: Buyer
  vat_check_id: number | null
  sold_on: string
  vat_check_days: number
}

/** The check of the buyer's VAT number that a sale was made with, and the newest one. */
async function vatChecksOf(
  db: Db,
  { customer_id, buyer, vat_check_id, sold_on, vat_check_days }: CheckedSale,
  vatTotals: readonly Pick<Sale['vat_totals'][number], 'treatment'>[],
): Promise<Pick<Sale, 'vat_check' | 'later_vat_check' | 'vat_check_doubt'>> {
  const { vat_number } = buyer
  const check = vat_check_id === null ? null : await checkById(db, vat_check_id)
  const isAsked = vat_number !== null && needsVatCheck(vatTotals)
  const newest = isAsked ? await newestCheck(db, customer_id, vat_number) : null
  return {
    vat_check: check,
    later_vat_check: newest && newest.id !== vat_check_id ? newest : null,
    vat_check_doubt: isAsked ? vatCheckDoubt(vat_number, { check, day: sold_on, days: vat_check_days }, true) : null,
  }
}

/** The facts that have changed since the sale was made, so that its invoice is not up to date. */
async function differing(db: Db, saleId: number, buyer: Buyer, customerId: number): Promise<string[]> {
  return [...differences(buyer, await buyerOf(db, customerId)), ...(await saidOtherwise(db, saleId))]
}

/** The names of the buyer's facts that have changed. */
function differences(printed: Buyer, today: Buyer | undefined): string[] {
  if (!today) return []
  const facts: [string, (buyer: Buyer) => unknown][] = [
    ['the buyer’s name', ({ full_name, company_name }) => [full_name, company_name]],
    ['the buyer’s VAT number', ({ vat_number }) => vat_number && storedVatNumber(vat_number)],
    ['the billing address', ({ billing_address }) => billing_address],
    ['the delivery address', ({ delivery_address }) => delivery_address],
    ['the buyer’s registration number', ({ registration }) => registration ?? null],
    [
      'the buyer’s e-invoice settings',
      ({ e_invoice_profile, buyer_reference, electronic_address }) =>
        [e_invoice_profile, buyer_reference, electronic_address].map((fact) => fact ?? null),
    ],
  ]
  return facts.flatMap(([name, of]) => (isDeepStrictEqual(of(printed), of(today)) ? [] : [name]))
}

async function countLost(db: Db, id: number): Promise<number> {
  const { n } = await db
    .selectFrom('sale_item')
    .select(sql<number>`count(*)`.as('n'))
    .where('sale_id', '=', id)
    .where('released', '=', 'lost')
    .executeTakeFirstOrThrow()
  return n
}

/** The most emails that an answer about a sale has: the newest one, and 20 earlier ones. */
const MAX_MAILS = 21
const newestMails = (db: Db, saleId: number): Promise<NonNullable<Sale['mail']>[]> =>
  db
    .selectFrom('mail')
    .select([
      'id',
      'state',
      sql<string>`recipient ->> 'address'`.as('recipient'),
      'subject',
      'error',
      'created_at',
      'sent_at',
      'saved_as',
    ])
    .where('sale_id', '=', saleId)
    .orderBy('id', 'desc')
    .limit(MAX_MAILS)
    .execute()
