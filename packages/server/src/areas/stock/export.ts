import { PassThrough, pipeline, type Readable } from 'node:stream'
import { EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database, Db } from '../../db/connect.ts'
import type { LongWork, Pace } from '../../http/pace.ts'
import { Refusal } from '../../http/refusal.ts'
import { CSV } from './columns.ts'
import { BOM, csvCell, formulaGuard, guardCell } from './csv-cell.ts'

const MAX_AT_ONCE = 20
/** How long the database works on a part of the file. The time that we wait does not tell, as it works ahead. */
const MS_PER_BYTE = 1 / 25_000

type Sql = RawBuilder<unknown>
const guarded = (column: string) => formulaGuard(sql.ref(column))

type AttributeName = { kind: 'grading' | 'attribute'; name: string }
const headerOf = ({ kind, name }: AttributeName) => (kind === 'grading' ? `grading_${name}` : name)
const cellOf = ({ kind, name }: AttributeName) =>
  formulaGuard(sql`(${sql.ref(kind === 'grading' ? 's.grading_data' : 's.attributes')} ->> ${sql.lit(name)})`)

/**
 * The few names are guarded once, apart from a million rows, which keeps the export as quick as a bare one. Items in
 * hand come first: if somebody imports the file without the items' numbers, the first row with an IMEI speaks for the
 * phone in hand, and a later row of an item that was sold or deleted fails instead of changing that phone.
 */
function exportQuery(attributes: readonly AttributeName[], statuses: readonly StockStatus[] | undefined): Sql {
  const columns = [...EXPORT_COLUMNS.map((column) => CSV[column].sql), ...attributes.map(cellOf)]
  const chosen = statuses ? sql`and s.status in (${sql.join(statuses.map((status) => sql.lit(status)))})` : sql``
  const rowsWhere = (isInHand: Sql) => sql`
    select ${sql.join(columns)} from stock s join p on p.id = s.actual_product_id
      left join v on v.id = s.supplier_id left join t on t.id = s.vat_id left join g on g.id = s.grade_id left join b on b.id = s.batch_id
      where ${isInHand} ${chosen}`
  return sql`
    with p as materialized (
      select product.id, ${guarded('make.name')} as make, ${guarded('model')} as model, capacity, capacity_unit,
        ${guarded('colour.name')} as colour, ${guarded('category.name')} as category
      from product join make on make.id = make_id join category on category.id = category_id
      left join colour on colour.id = colour_id),
    v as materialized (select id, ${guarded('company_name')} as name from supplier),
    t as materialized (select id, ${guarded('name')} as name from vat),
    g as materialized (select id, ${guarded('name')} as name from grade),
    b as materialized (select id, ${guarded('name')} as name from batch)
    ${rowsWhere(sql`s.in_hand`)} union all ${rowsWhere(sql`not s.in_hand`)}`
}

/**
 * Each export has its own connection: a slow reader would keep one that writes need, and an export may take longer than
 * other statements may.
 */
async function ownConnection(db: Database): Promise<pg.Client> {
  const client = db.client({ max_parallel_workers_per_gather: '0' })
  client.on('error', () => undefined) // the COPY that it breaks off reports it
  await client.connect()
  return client
}

async function* inPace(pieces: AsyncIterable<Buffer>, long: LongWork): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    await long.worked(piece.length * MS_PER_BYTE)
    yield piece
  }
}

/**
 * Exports of stock as CSV streams: the import's columns, then grading and attribute columns. UTF-8 with BOM. Nothing is
 * held in memory; destroying a stream ends its query. Throws 503 when too many run at once.
 */
export function stockExports(
  db: Database,
  pace: Pace,
): (statuses: readonly StockStatus[] | undefined) => Promise<Readable> {
  let running = 0
  return async (statuses) => {
    if (running >= MAX_AT_ONCE)
      throw new Refusal(503, 'Too many exports are running. Please try again in a moment.', { retryAfter: 10 })
    running++
    let client: pg.Client | undefined
    const finish = () => {
      running--
      // While the COPY still runs this cuts the connection, which ends the query.
      client?.end().catch(() => undefined)
    }
    try {
      client = await ownConnection(db)
      const { rows: attributes } = await client.query<AttributeName>(
        `select kind, name from attribute_name order by kind desc, name`,
      )
      const header = [...EXPORT_COLUMNS, ...attributes.map((attribute) => guardCell(headerOf(attribute)))]
      const query = exportQuery(attributes, statuses).compile(db.read).sql
      const out = new PassThrough()
      out.write(`${BOM}${header.map(csvCell).join(',')}\n`)
      pipeline(
        client.query(copyTo(`copy (${query}) to stdout (format csv)`)),
        (pieces: AsyncIterable<Buffer>) => inPace(pieces, pace.longWork()),
        out,
        finish,
      )
      return out
    } catch (error) {
      finish()
      throw error
    }
  }
}

/** What the browser saves it as, by the company's day: `stock-in-batch-2026-11-21.csv`. */
export async function exportFileName(db: Db, statuses: readonly StockStatus[] | undefined): Promise<string> {
  const chosen = (statuses ?? []).map((status) => `-${status.toLowerCase().replaceAll(' ', '-')}`).join('')
  const { today } = await db
    .selectFrom('company')
    .select(sql<string>`(now() at time zone time_zone)::date`.as('today'))
    .executeTakeFirstOrThrow()
  return `stock${chosen}-${today}.csv`
}
