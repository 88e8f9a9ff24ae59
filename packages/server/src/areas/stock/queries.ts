import type { ClaimState } from '@backstock/contract/claim-state.ts'
import { MAX_PAGE_SIZE, SHORT_NOTES } from '@backstock/contract/page-size.ts'
import { stillSaid } from '@backstock/contract/receipt-differences.ts'
import type { StockHit, StockItem, StockListRow, StockQuery, StockRow } from '@backstock/contract/stock.ts'
import { vatDisplayName } from '@backstock/contract/vat-rate.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { logsColumn, readLogs } from '../../records/log/read.ts'
import { daysHere } from './age.ts'
import { fieldOf, STOCK_COLUMNS } from './columns.ts'
import { type ItemsReceipt, RECEIPT } from './on-receipts.ts'

/** The columns of a list that a person does not set, as SQL. */
const otherColumns: Record<Exclude<keyof StockRow, ReturnType<typeof fieldOf>>, string> = {
  id: 's.id',
  supplier_return_id: 's.supplier_return_id',
  cost: 's.cost',
  sales_currency: 's.sales_currency',
  product_name: 'p.model',
  product_display_name: 'p.display_name',
  supplier_name: 'v.company_name',
  batch_name: 'b.name',
  grade_name: 'g.name',
  is_batch_locked: 'coalesce(b.is_locked, false)',
  // A Deleted item still refers to the sale that lost it, as long as that sale requires attention.
  related_sale_id: `case s.status when 'Sold' then s.sale_id when 'Deleted' then (
    select max(i.sale_id) from sale_item i join sale on sale.id = i.sale_id
    where i.stock_id = s.id and i.released = 'lost' and sale.status = 'Requires Attention') end`,
  created_at: 's.created_at',
  updated_at: 's.updated_at',
}
const columnsWith = (notes: string) =>
  sql.raw(
    [
      ...STOCK_COLUMNS.map((column) => `${column === 'engineer_notes' ? notes : `s.${column}`} as ${fieldOf(column)}`),
      ...Object.entries(otherColumns).map(([name, value]) => `${value} as ${name}`),
    ].join(',\n  '),
  )
const columns = columnsWith('s.engineer_notes')
const shortColumns = columnsWith(`case when length(s.engineer_notes) > ${SHORT_NOTES}
    then left(s.engineer_notes, ${SHORT_NOTES - 1}) || '…' else s.engineer_notes end`)

/**
 * The columns for a list of this many rows. In a long list, notes are shortened: those of 5,000 items may have 100 MB,
 * of which the server would hold several copies.
 */
const columnsOf = (rows: number) => (rows > MAX_PAGE_SIZE ? shortColumns : columns)

const joins = sql`
  join product p on p.id = s.actual_product_id
  left join supplier v on v.id = s.supplier_id
  left join batch b on b.id = s.batch_id
  left join grade g on g.id = s.grade_id`

/** Rows, with the number of all rows that match. `total` is undefined if there are no rows. */
export type Counted<Row> = { rows: Row[]; total: number | undefined }

/** The further fields of rows that the query asks for. */
type Besides = Pick<StockQuery, 'also' | 'further'>

/** SQL for the value of a further column. Grading data have names like `grading_x`, as in files. */
export const furtherValue = (name: string) =>
  name.startsWith('grading_') ? sql`s.grading_data ->> ${name.slice('grading_'.length)}` : sql`s.attributes ->> ${name}`

function besides({ also = [], further }: Besides): { columns: RawBuilder<unknown>; joins: RawBuilder<unknown> } {
  const values = further?.flatMap((name) => [sql`${name}::text`, sql`left(${furtherValue(name)}, ${SHORT_NOTES + 1})`])
  const shown = [
    ...(also.includes('category') ? [{ column: sql`c.name as category_name`, join: CATEGORY }] : []),
    ...(also.includes('vat') ? [{ column: sql`t.name as vat_name`, join: VAT }] : []),
    ...(also.includes('age') ? [{ column: sql`${daysHere} as age`, join: sql`` }] : []),
    ...(values ? [{ column: sql`jsonb_build_object(${sql.join(values)}) as further`, join: sql`` }] : []),
  ]
  return {
    columns: sql.join([sql``, ...shown.map(({ column }) => column)], sql`, `),
    joins: sql.join([sql``, ...shown.map(({ join }) => join)], sql` `),
  }
}
const CATEGORY = sql`left join category c on c.id = p.category_id`
const VAT = sql`left join vat t on t.id = s.vat_id`

/** The rows of a page query that also yields `total`, with the further columns that the request asks for. */
export async function countedRowsOf(db: Db, page: RawBuilder<unknown>, query: Besides): Promise<Counted<StockListRow>> {
  const more = besides(query)
  const { rows } = await sql<StockListRow & { total: number }>`
    select ${columns}, page.total${more.columns} from (${page}) page
    join stock s on s.id = page.id ${joins}${more.joins} order by page.n`.execute(db)
  for (const { further } of rows) if (further) cutValues(further)
  return { rows, total: rows[0]?.total }
}

/**
 * Shortens the values that are longer than SHORT_NOTES, and ends them with an ellipsis. The database has cut these values
 * to one character more, because it reads an item's whole JSON for each value.
 */
function cutValues(further: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(further))
    if (value && [...value].length > SHORT_NOTES) further[name] = `${[...value].slice(0, SHORT_NOTES - 1).join('')}…`
}

/** The rows of a page query that also yields `total`, with only the fields that the quick search shows. */
export async function countedHitsOf(db: Db, page: RawBuilder<unknown>): Promise<Counted<StockHit>> {
  const { rows } = await sql<StockHit & { total: number }>`
    select s.id, s.status, s.imei, s.imei2, s.serial_number, g.name as grade_name,
      p.display_name as product_display_name, page.total
    from (${page}) page join stock s on s.id = page.id join product p on p.id = s.actual_product_id
    left join grade g on g.id = s.grade_id
    order by page.n`.execute(db)
  return { rows, total: rows[0]?.total }
}

/**
 * The list rows of items, in the order of `ids`. Ids that do not exist are left out. If there are more rows than a page
 * has, long notes are cut.
 */
export async function stockRows(db: Db, ids: readonly number[]): Promise<StockRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<StockRow>`
    select ${columnsOf(ids.length)} from unnest(${ids}::int[]) with ordinality as given (id, n)
    join stock s on s.id = given.id ${joins} order by given.n`.execute(db)
  return rows
}

/**
 * The list rows of the items whose ids a query yields, in no order, with the columns `more`. The statement makes
 * PostgreSQL find all ids first and then read the rows by id, which stays fast for thousands of items. If `most` is more
 * than a page has, long notes are cut.
 */
export async function stockRowsAmong<More>(
  db: Db,
  ids: RawBuilder<unknown>,
  most: number,
  more: RawBuilder<unknown>,
): Promise<(StockRow & More)[]> {
  const { rows } = await sql<StockRow & More>`
    select ${columnsOf(most)}, ${more} from stock s ${joins} where s.id = any(array(${ids}))`.execute(db)
  return rows
}

type Whole = StockRow & {
  expected_product_name: string | null
  vat_name: string
  vat_rate: number
  grading_data: Record<string, unknown>
  attributes: Record<string, unknown>
  claim_id: number | null
  claim_state: ClaimState
  receipt: ItemsReceipt | null
  lacks_receipt: boolean
  logs: unknown
}

const wholeColumns = sql`${columns}, e.display_name as expected_product_name, t.name as vat_name, t.rate as vat_rate,
  s.grading_data, s.attributes, claim.id as claim_id, claim.state as claim_state, ${RECEIPT} as receipt,
  s.purchase_treatment = 'margin' and s.status <> 'Deleted' and s.purchase_price > 0
    and not exists (select from purchase_receipt_line l where l.stock_id = s.id and l.is_live)
    and not exists (select from supplier u where u.id = s.supplier_id and u.receipt_kind is null) as lacks_receipt`
const wholeJoins = sql`${joins}
  left join product e on e.id = s.expected_product_id
  left join vat t on t.id = s.vat_id
  left join supplier_claim claim on claim.id = coalesce(s.supplier_return_id, (
    select claim_id from supplier_claim_item where stock_id = s.id and is_open))`

/** A whole stock item with its newest log entries. */
export async function stockRecord(db: Db, id: number): Promise<StockItem | undefined> {
  const { rows } = await sql<Whole>`
    select ${wholeColumns}, ${logsColumn(db, 'Stock', id)} as logs from stock s ${wholeJoins}
    where s.id = ${id}`.execute(db)
  return rows[0] && wholeItem(rows[0])
}

function wholeItem({
  expected_product_name,
  vat_name,
  vat_rate,
  claim_id,
  claim_state,
  receipt,
  logs,
  ...item
}: Whole): StockItem {
  return {
    ...item,
    actual_product: { id: item.actual_product_id, display_name: item.product_display_name },
    expected_product:
      item.expected_product_id === null
        ? null
        : { id: item.expected_product_id, display_name: expected_product_name ?? '' },
    supplier: item.supplier_id === null ? null : { id: item.supplier_id, company_name: item.supplier_name ?? '' },
    grade: item.grade_id === null ? null : { id: item.grade_id, name: item.grade_name ?? '' },
    vat:
      item.vat_type_id === null
        ? null
        : {
            id: item.vat_type_id,
            name: vat_name,
            rate: vat_rate / 100,
            display_name: vatDisplayName(vat_name, vat_rate),
          },
    batch:
      item.batch_id === null
        ? null
        : { id: item.batch_id, name: item.batch_name ?? '', is_locked: item.is_batch_locked },
    supplier_claim: claim_id === null ? null : { id: claim_id, state: claim_state },
    purchase_receipt: receipt && { id: receipt.id, number: receipt.number, still_says: stillSaid(item, receipt) },
    logs: readLogs(logs),
  }
}
