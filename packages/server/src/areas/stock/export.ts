import { PassThrough, pipeline, type Readable } from 'node:stream'
import { EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import type { StockFileQuery } from '@backstock/contract/stock.ts'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database, Db } from '../../db/connect.ts'
import { inlined } from '../../db/inlined.ts'
import type { LongWork, Pace } from '../../http/pace.ts'
import { Refusal } from '../../http/refusal.ts'
import { CSV } from './columns.ts'
import { BOM, csvCell, formulaGuard, guardCell } from './csv-cell.ts'
import { isShown } from './find.ts'
import { type FileColumn, shownColumns } from './shown-columns.ts'

const MAX_AT_ONCE = 20
/**
 * The time that the database needs for one byte of the file. It cannot be measured, because the database works ahead.
 */
const MS_PER_BYTE = 1 / 25_000

type Sql = RawBuilder<unknown>
const guarded = (column: string) => formulaGuard(sql.ref(column))

type AttributeName = { kind: 'grading' | 'attribute'; name: string }
const headerOf = ({ kind, name }: AttributeName) => (kind === 'grading' ? `grading_${name}` : name)
const cellOf = ({ kind, name }: AttributeName) =>
  formulaGuard(sql`(${sql.ref(kind === 'grading' ? 's.grading_data' : 's.attributes')} ->> ${sql.lit(name)})`)

/**
 * The columns that an import reads, and the further columns. Items that the shop still has come first: if somebody
 * imports the file without the items' numbers, the first row with an IMEI then means the phone that the shop has. A
 * later row of an item that was sold or deleted fails, and does not change that phone.
 */
async function allColumns(client: pg.Client): Promise<FileColumn[]> {
  const { rows } = await client.query<AttributeName>(`select kind, name from attribute_name order by kind desc, name`)
  return [
    ...EXPORT_COLUMNS.map((column) => ({ head: column, cell: CSV[column].sql })),
    ...rows.map((attribute) => ({ head: guardCell(headerOf(attribute)), cell: cellOf(attribute) })),
  ]
}
const inHandFirst = (columns: readonly FileColumn[], isChosen: Sql): Sql =>
  sql`${rowsOf(columns, sql`s.in_hand and ${isChosen}`)} union all ${rowsOf(columns, sql`not s.in_hand and ${isChosen}`)}`

const rowsOf = (columns: readonly FileColumn[], isChosen: Sql): Sql => sql`
  select ${sql.join(columns.map(({ cell }) => cell))} from stock s join p on p.id = s.actual_product_id
    left join v on v.id = s.supplier_id left join t on t.id = s.vat_id left join g on g.id = s.grade_id left join b on b.id = s.batch_id
    where ${isChosen}`

/**
 * Guards each name once, in a subquery, because there are few names but a million rows. So the export is as fast as one
 * without guards.
 */
function withNames(rows: Sql): Sql {
  return sql`
    with p as materialized (
      select product.id, ${guarded('product.display_name')} as display_name, ${guarded('make.name')} as make, ${guarded('model')} as model, capacity, capacity_unit,
        ${guarded('colour.name')} as colour, ${guarded('category.name')} as category
      from product join make on make.id = make_id join category on category.id = category_id
      left join colour on colour.id = colour_id),
    v as materialized (select id, ${guarded('company_name')} as name from supplier),
    t as materialized (select id, ${guarded('name')} as name from vat),
    g as materialized (select id, ${guarded('name')} as name from grade),
    b as materialized (select id, ${guarded('name')} as name from batch)
    ${rows}`
}

/**
 * Opens a connection for one export. A slow reader must not keep a connection that writes need, and an export may take
 * longer than the time limit of other statements.
 */
async function ownConnection(db: Database): Promise<pg.Client> {
  const client = db.client({ max_parallel_workers_per_gather: '0' })
  client.on('error', () => undefined) // the COPY reports the error
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
 * Makes streams with stock as CSV: the columns of an import with the further columns, or the `columns` of a list,
 * newest items first. UTF-8 with BOM. Nothing is held in memory, and destroying a stream ends its query. Throws 503 if
 * too many run at once.
 */
export function stockExports(db: Database, pace: Pace): (query: StockFileQuery) => Promise<Readable> {
  let running = 0
  return async ({ columns: names, ...query }) => {
    if (running >= MAX_AT_ONCE)
      throw new Refusal(503, 'Too many exports are running. Please try again in a moment.', { retryAfter: 10 })
    running++
    let client: pg.Client | undefined
    const finish = () => {
      running--
      // If the COPY still runs, this cuts the connection, which ends the query.
      client?.end().catch(() => undefined)
    }
    try {
      client = await ownConnection(db)
      const isChosen = await isShown(db.read, query)
      const columns = names ? shownColumns(names) : await allColumns(client)
      const chosen = names ? sql`${rowsOf(columns, isChosen)} order by s.id desc` : inHandFirst(columns, isChosen)
      const rows = inlined(withNames(chosen))
      const out = new PassThrough()
      out.write(`${BOM}${columns.map(({ head }) => csvCell(head)).join(',')}\n`)
      pipeline(
        client.query(copyTo(`copy (${rows}) to stdout (format csv)`)),
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

/**
 * The name of the file in the browser, with the date by the company's clock: `stock-in-batch-2026-11-21.csv` or
 * `stock-filtered-2026-11-21.csv`.
 */
export async function exportFileName(db: Db, { status = [], columns: _, ...others }: StockFileQuery): Promise<string> {
  const chosen = status.map((status) => `-${status.toLowerCase().replaceAll(' ', '-')}`).join('')
  const filtered = Object.values(others).some((value) => value !== undefined) ? '-filtered' : ''
  const { today } = await db
    .selectFrom('company')
    .select(sql<string>`(now() at time zone time_zone)::date`.as('today'))
    .executeTakeFirstOrThrow()
  return `stock${chosen}${filtered}-${today}.csv`
}
