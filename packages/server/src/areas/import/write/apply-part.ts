import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Selectable, sql } from 'kysely'
import type { Database, Tx } from '../../../db/connect.ts'
import type { Pieces } from '../../../db/preview-columns.ts'
import type { Tables } from '../../../db/tables.ts'
import { asRefusal } from '../../../http/errors.ts'
import { at, single, zip } from '../../../lists.ts'
import { category } from '../../category.ts'
import { colour } from '../../colour.ts'
import { make } from '../../make.ts'
import { product } from '../../product.ts'
import { stock } from '../../stock/stock.ts'
import type { Earlier } from '../decide/decide-rows.ts'
import { previewReader } from '../interpret/read-part.ts'
import { rowsOf } from '../interpret/several-imeis.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { type ParsedRow, parseRow, targetsOf } from '../read/parse-row.ts'
import { type ApplyOptions, applyRows, type Result } from './apply-rows.ts'
import { recordForUndo } from './record.ts'

/** The key of the lock. The number is arbitrary, but must be the same in all instances. */
const IMPORT_LOCK = 7_265_002

/**
 * Waits until no other import writes, and keeps others from writing until this transaction ends. Two imports with the
 * same IMEIs could otherwise block each other, and two that bring further columns could exceed their limit.
 */
export async function lockImports(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`.execute(tx)
}

/** The parts of an import that are committed, with their effects. */
export type Applied = { parts: number[]; items: Map<number, number>; freed: Map<string, number> }
export const nothingApplied = (): Applied => ({ parts: [], items: new Map(), freed: new Map() })

/** The effects of two groups of parts together. */
const both = (one: Earlier, other: Earlier): Earlier => ({
  items: new Map([...one.items, ...other.items]),
  freed: new Map([...one.freed, ...other.freed]),
})

function addTo(applied: Applied, { parts, items, freed }: Applied): Applied {
  applied.parts.push(...parts)
  for (const [id, line] of items) applied.items.set(id, line)
  for (const [identifier, line] of freed) applied.freed.set(identifier, line)
  return applied
}

function appliedBy(results: readonly Result[]): Applied {
  const applied = nothingApplied()
  for (const result of results) {
    const item = result.action === 'failed' ? result.blockedItem : result.stockId
    if (item !== null) applied.items.set(item, result.line)
    if (result.action !== 'failed') for (const identifier of result.freed) applied.freed.set(identifier, result.line)
  }
  return applied
}

/** Whether another attempt at the part may succeed soon: the database is not reachable, or somebody holds a lock. */
export function isTransient(error: unknown): boolean {
  const status = asRefusal(error)?.status
  return status === 503 || status === 507 || (error as { code?: string }).code === '55P03'
}

/**
 * Applies the next part of an import: its rows and their history, in one transaction. Returns false if no part is left
 * and the import has ended. Two calls at the same time do no harm. If the database refuses a row, only that row fails.
 */
export async function applyNextPart(
  db: Database,
  importId: number,
  applied: Applied,
  log: FastifyBaseLogger,
): Promise<boolean> {
  const run = (apply: typeof applyRows) => db.write((tx) => applyOnePart(tx, importId, applied, apply))
  let done: Awaited<ReturnType<typeof run>>
  try {
    done = await run(applyRows)
  } catch (error) {
    if (isTransient(error)) throw error
    // Perhaps somebody else stored the same identifier at this moment. Then the next attempt finds it. If a row cannot
    // be stored for another reason, only that row fails.
    log.warn({ err: error, importId }, 'import: applying a part with care')
    done = await run(withCare(log))
  }
  if (!done) return false
  addTo(applied, done)
  return true
}

/**
 * Works like `applyRows`. But if the database refuses the rows, it tries each half of them by itself, so that only a
 * row that cannot be stored fails.
 */
function withCare(log: FastifyBaseLogger): typeof applyRows {
  return async function apply(tx: Tx, rows: readonly ParsedRow[], options: ApplyOptions): Promise<Result[]> {
    await sql`savepoint rows`.execute(tx)
    try {
      const results = await applyRows(tx, rows, options)
      await sql`release savepoint rows`.execute(tx)
      return results
    } catch (error) {
      if (isTransient(error)) throw error
      await sql`rollback to savepoint rows`.execute(tx)
      if (rows.length === 1) {
        const { line } = single(rows)
        log.warn({ err: error, line }, 'import: a row cannot be stored')
        return [{ line, action: 'failed', errors: storeErrors(error), blockedItem: null }]
      }
      const half = Math.ceil(rows.length / 2)
      const first = await apply(tx, rows.slice(0, half), options)
      const earlier = both(options.earlier, appliedBy(first))
      return [...first, ...(await apply(tx, rows.slice(half), { ...options, earlier }))]
    }
  }
}

/** The areas whose tables an import writes. */
const WRITTEN = [stock, product, make, colour, category]

function storeErrors(error: unknown): FieldErrors {
  return asRefusal(error, WRITTEN)?.errors ?? { row: 'This row could not be stored.' }
}

async function applyOnePart(tx: Tx, importId: number, applied: Applied, apply: typeof applyRows) {
  const job = await tx
    .updateTable('import')
    .set({ state: 'running' })
    .where('id', '=', importId)
    .where('state', 'in', ['waiting', 'running'])
    .returning(['header', 'user_id', 'partner_id', 'update_existing', 'preview', 'models'])
    .executeTakeFirst()
  if (!job) return undefined
  const part = await tx
    .selectFrom('import_part')
    .select(['part', 'lines', 'cells', 'plan', 'pieces'])
    .where('import_id', '=', importId)
    .where('done_at', 'is', null)
    .orderBy('part')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!part) {
    await tx.updateTable('import').set({ state: 'done', ended_at: sql`now()` }).where('id', '=', importId).execute()
    return undefined
  }
  await lockImports(tx)
  const { partner_id: partnerId, update_existing: updateExisting } = job
  const others = await appliedElsewhere(tx, importId, applied)
  const rows = await readPart(tx, job, part)
  const results = await apply(tx, rows, {
    author: { userId: job.user_id, partnerId, importId },
    updateExisting,
    partnerId,
    earlier: others.parts.length ? both(applied, others) : applied,
    planned: part.plan ? new Map(part.plan.map((row, n) => [at(part.lines, n), row])) : undefined,
  })
  const done = { ...inFile(appliedBy(results), part.pieces), parts: [part.part] }
  await recordPart(tx, importId, part.part, rows, results, done.freed)
  await recordForUndo(tx, importId, part.part, results)
  return addTo(others, done)
}

type Job = Pick<Selectable<Tables['import']>, 'header' | 'partner_id' | 'update_existing' | 'preview' | 'models'>

/**
 * The rows of a part of an import: read by the names of the columns, or, if there was a preview, as the preview read
 * them.
 */
async function readPart(
  tx: Tx,
  { header, partner_id, update_existing: updateExisting, preview, models }: Job,
  part: Pick<Selectable<Tables['import_part']>, 'lines' | 'cells' | 'pieces'>,
): Promise<ParsedRow[]> {
  const rows = rowsOf(part)
  if (preview) {
    const reader = await previewReader(tx, {
      header: header ?? [],
      settings: preview,
      updateExisting,
      models: models ?? {},
    })
    return reader.rows(rows)
  }
  const targets = targetsOf(header ?? [])
  const namesItems = updateExisting && partner_id === null
  return mapWithPauses(rows, (row) => parseRow(targets, row, namesItems))
}

/** The effects with the numbers of the file's own rows. */
function inFile(applied: Applied, pieces: Pieces | null): Applied {
  for (const rows of pieces ? [applied.items, applied.freed] : [])
    for (const [key, line] of rows as Map<unknown, number>) rows.set(key as never, pieces?.of[line] ?? line)
  return applied
}

type DonePart = Pick<Selectable<Tables['import_part']>, 'part' | 'lines' | 'held' | 'freed' | 'pieces'> & {
  stock_ids: (number | null)[]
}

/**
 * The effects of parts of an import that were applied before this job began, or by another job that has run meanwhile.
 */
async function appliedElsewhere(tx: Tx, importId: number, { parts }: Applied): Promise<Applied> {
  const { rows } = await sql<DonePart>`
    select part, lines, stock_ids, held, freed, pieces from import_part
    where import_id = ${importId} and done_at is not null and part <> all(${parts}::int[])`.execute(tx)
  const found = nothingApplied()
  for (const { part, lines, stock_ids, held, freed, pieces } of rows) {
    found.parts.push(part)
    for (const [n, line] of lines.entries()) {
      const id = stock_ids[n] ?? held?.[n]
      if (typeof id === 'number') found.items.set(id, pieces?.of[line] ?? line)
    }
    for (const [identifier, line] of Object.entries(freed ?? {})) found.freed.set(identifier, line)
  }
  return found
}

/**
 * Writes the history of a part of an import: the item of each row, the errors of failed rows, and the facts that later
 * parts need. The column `held` has the items that failed rows meant to change.
 */
async function recordPart(
  tx: Tx,
  importId: number,
  part: number,
  rows: readonly ParsedRow[],
  results: readonly Result[],
  freed: ReadonlyMap<string, number>,
): Promise<void> {
  const blocked = results.map((result) => (result.action === 'failed' ? result.blockedItem : null))
  const ids = results.map((result) => (result.action === 'failed' ? null : result.stockId))
  const actions = results.map((result) => result.action)
  const failed = zip(results, rows).flatMap(([result, row]) => (result.action === 'failed' ? [{ result, row }] : []))
  await sql`
    update import_part set done_at = clock_timestamp(), stock_ids = ${ids}::int[], actions = ${actions}::text[],
      held = ${blocked.some((id) => id !== null) ? blocked : null}::int[],
      freed = ${freed.size ? JSON.stringify(Object.fromEntries(freed)) : null}::jsonb
    where import_id = ${importId} and part = ${part}`.execute(tx)
  await sql`
    update import set succeeded = succeeded + ${results.length - failed.length}, failed = failed + ${failed.length}
    where id = ${importId}`.execute(tx)
  if (failed.length === 0) return
  await sql`
    insert into import_error (import_id, row_no, backstock_id, errors)
    select ${importId}::int, * from unnest(${failed.map(({ result }) => result.line)}::int[],
      ${failed.map(({ row }) => row.cells.backstock_id ?? null)}::text[],
      ${failed.map(({ result }) => errorsText(result.errors))}::jsonb[])`.execute(tx)
}

/**
 * The errors as JSON. A message may quote half of a surrogate pair, which PostgreSQL does not accept; it is replaced.
 */
function errorsText(errors: FieldErrors): string {
  return JSON.stringify(errors, (_field, message) => (typeof message === 'string' ? message.toWellFormed() : message))
}
