import type { UnknownName } from '@backstock/contract/import-preview.ts'
import { type Selectable, sql } from 'kysely'
import type { Database, Db } from '../../../db/connect.ts'
import type { PlannedRow, PlanSummary } from '../../../db/preview-columns.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LongWork } from '../../../http/pace.ts'
import type { Jobs } from '../../../jobs.ts'
import { single } from '../../../lists.ts'
import { proposedProducts } from '../../stock/proposed-products.ts'
import { lastRates } from '../../stock/purchase-currency.ts'
import { decimalIn } from '../interpret/decimal.ts'
import { previewReader } from '../interpret/read-part.ts'
import { countPieces, inPieces, placesOf, rowsOf } from '../interpret/several-imeis.ts'
import { identifiersOf, itemsOf } from './changed-items.ts'
import { withNearest } from './nearest-names.ts'
import { nothingPlanned, planRows } from './plan-rows.ts'
import { kindsOf, notesOfRows } from './plan-summary.ts'
import { recodedCells, recodedPieces } from './recoded.ts'

type Plan = Jobs['import_plan']
type Part = Pick<Selectable<Tables['import_part']>, 'part' | 'lines' | 'cells' | 'encoding' | 'mended' | 'pieces'>

/**
 * Plans a preview from its first part to its last, and stores each part as soon as it is planned. If a run was
 * interrupted, the next one begins again. Returns false if `isOver` ends the run early. If somebody has changed,
 * started or deleted the preview meanwhile, the run ends early too, with true.
 */
export async function planImport(db: Database, plan: Plan, long: LongWork, isOver: () => boolean): Promise<boolean> {
  const preview = await openPreview(db.read, plan)
  if (!preview) return true
  const begun = await now(db.read)
  const { header, preview: settings, update_existing: updateExisting } = preview
  if (!header || !settings) return true
  const reader = await previewReader(db.read, { header, settings, updateExisting, models: null })
  const planned = nothingPlanned()
  const places = placesOf(header, settings)
  const decimal = decimalIn(settings)
  const splitting =
    settings.several === 'items' || settings.several === 'divided'
      ? { isDivided: settings.several === 'divided', decimal: decimal === 'mixed' ? null : decimal }
      : null
  let lastLine = splitting ? await lastLineOf(db.read, plan) : 0
  const several = { rows: 0, items: 0 }
  for (let n = 0; ; n++) {
    if (isOver()) return false
    const isLeft = await long.work(async () => {
      const part = await partOf(db.read, plan, n)
      if (!part) return false
      const cells = recodedCells(part, settings.encoding)
      const whole = { lines: part.lines, cells, pieces: recodedPieces(part, settings.encoding) }
      const read = inPieces(whole, places, splitting, () => ++lastLine)
      const split = countPieces(read.pieces)
      several.rows += split.rows
      several.items += split.items
      const rows = await planRows(db.read, await reader.rows(rowsOf(read)), updateExisting, planned)
      await storePart(db, plan, { ...part, ...read, isChanged: read.cells !== part.cells }, rows, settings.encoding)
      return true
    })
    if (!isLeft) break
  }
  const { counts, errors, quantities, blankLocks, reasons, names, tacs, currencies } = planned.summary
  const proposed = await withProposed(db.read, tacs())
  const unknown = [...proposed, ...(await withNearest(db.read, names(), settings.meanings))]
  const foreign = await withLastRates(db.read, currencies())
  const summary: PlanSummary = {
    ...begun,
    counts,
    reasons: reasons(),
    unknown,
    currencies: foreign,
    used: [...reader.used],
    errors,
    quantities,
    notes: notesOfRows(reader.found, reader),
    several: {
      rows: several.rows + reader.found.several.rows,
      items: several.items + reader.found.several.items,
    },
    blankLocks,
    dollars: reader.found.dollars,
  }
  await storePlan(db, plan, summary, Object.fromEntries(reader.models))
  return true
}

/**
 * The time by the database's clock, with which the ends of imports and undos are compared, and the id of the newest log
 * entry.
 */
async function now(db: Db): Promise<Required<Pick<PlanSummary, 'begun_at' | 'last_entry'>>> {
  const { rows } = await sql<{ begun_at: string; last_entry: string }>`
    select clock_timestamp() as begun_at, coalesce((select max(id) from log), 0)::text as last_entry`.execute(db)
  return single(rows)
}

/** The shop's products under the TACs of phones whose rows name no product. */
async function withProposed(db: Db, tacs: readonly { tac: string; rows: number }[]): Promise<UnknownName[]> {
  if (tacs.length === 0) return []
  const proposed = await proposedProducts(
    db,
    tacs.map(({ tac }) => tac),
  )
  return tacs.map(({ tac, rows }) => {
    const product = proposed.get(tac)
    const nearest = product ? [{ id: product.product_id, name: product.display_name }] : []
    return { field: 'product', seen: tac, rows, is_made: false, nearest, is_tac: true }
  })
}

/** The currencies, each with the rate of the last purchase in it. */
async function withLastRates(db: Db, currencies: readonly { currency: string; rows: number }[]) {
  const last = await lastRates(
    db,
    currencies.map(({ currency }) => currency),
  )
  return currencies.map((one) => ({ ...one, proposed: last.get(one.currency) ?? null }))
}

function openPreview(db: Db, { import_id, plan_no }: Plan): Promise<Selectable<Tables['import']> | undefined> {
  return db
    .selectFrom('import')
    .selectAll()
    .where('id', '=', import_id)
    .where('plan_no', '=', plan_no)
    .where('state', '=', 'previewing')
    .executeTakeFirst()
}

/**
 * A part of the preview's file (up to 1,000 rows); undefined if there are no more parts, or if the preview has a newer
 * plan.
 */
async function partOf(db: Db, { import_id, plan_no }: Plan, part: number): Promise<Part | undefined> {
  return db
    .selectFrom('import_part as p')
    .innerJoin('import as i', 'i.id', 'p.import_id')
    .select(['p.part', 'p.lines', 'p.cells', 'p.encoding', 'p.mended', 'p.pieces'])
    .where('p.import_id', '=', import_id)
    .where('p.part', '=', part)
    .where('i.plan_no', '=', plan_no)
    .executeTakeFirst()
}

/** Stores the plan of a part of the file, unless a later plan or change has written the part meanwhile. */
async function storePart(
  db: Database,
  { import_id, plan_no }: Plan,
  { part, lines, cells, pieces, isChanged }: Part & { isChanged: boolean },
  rows: readonly PlannedRow[],
  encoding: string | null,
): Promise<void> {
  const changed = sql`, lines = ${lines}::int[], cells = ${JSON.stringify(cells)}::jsonb,
    pieces = ${pieces && JSON.stringify(pieces)}::jsonb`
  await db.write((tx) =>
    sql`
      update import_part set plan = ${wellFormed(rows)}::jsonb, planned = ${kindsOf(rows)}::int[],
        plan_no = ${plan_no}, encoding = ${encoding}, meant = ${itemsOf(rows)}::int[],
        brought = (select coalesce(array_agg(hashtext(upper(value))), '{}') from unnest(${identifiersOf(rows)}::text[]) value)
        ${isChanged ? changed : sql``}
      where import_id = ${import_id} and part = ${part} and coalesce(plan_no, 0) <= ${plan_no} and done_at is null`.execute(
      tx,
    ),
  )
}

/** The number of the file's last row. Rows that were made by splitting count, also if they were put together since. */
async function lastLineOf(db: Db, { import_id }: Plan): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(line) as last from import_part, lateral (
      select unnest(lines) as line
      union all select jsonb_object_keys(pieces -> 'typed')::int) own
    where import_id = ${import_id}`.execute(db)
  return rows[0]?.last ?? 0
}

async function storePlan(db: Database, { import_id, plan_no }: Plan, plan: PlanSummary, models: object): Promise<void> {
  await db.write((tx) =>
    tx
      .updateTable('import')
      .set({
        state: 'previewed',
        plan: wellFormed(plan),
        models: wellFormed(models),
        total: Object.values(plan.counts).reduce((sum, rows) => sum + rows, 0),
      })
      .where('id', '=', import_id)
      .where('plan_no', '=', plan_no)
      .where('state', '=', 'previewing')
      .execute(),
  )
}

/** A value as JSON. A message may quote half of a surrogate pair, which PostgreSQL does not accept; it is replaced. */
const wellFormed = (value: unknown) =>
  JSON.stringify(value, (_field, text) => (typeof text === 'string' ? text.toWellFormed() : text))
