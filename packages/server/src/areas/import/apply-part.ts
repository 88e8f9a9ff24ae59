import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { arrayText } from '../../db/array-text.ts'
import type { Database, Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { asRefusal } from '../../http/errors.ts'
import { category } from '../category.ts'
import { colour } from '../colour.ts'
import { make } from '../make.ts'
import { product } from '../product.ts'
import { stock } from '../stock/stock.ts'
import { type ApplyOptions, applyRows, linesOf, linesOfFreed, type RowResult } from './apply-rows.ts'
import { rowInput, targetsOf } from './header.ts'
import { inSlices } from './in-slices.ts'
import type { RowInput } from './row.ts'

/** Any number, the same in every instance. */
const IMPORT_LOCK = 7_265_002

/** Imports write one at a time: two with the same IMEIs would wait for each other in a circle. Until the transaction ends. */
export async function lockImports(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`.execute(tx)
}

/**
 * What of an import is committed: the lines by the items that they made, changed or hold, and by the keys that they took off
 * an item. Grows with each part.
 */
export type Applied = { parts: number[]; lines: Map<number, number>; freed: Map<string, number> }
export const nothingApplied = (): Applied => ({ parts: [], lines: new Map(), freed: new Map() })

/** Passes: the database is away, or someone holds a lock. The same part may be tried again in a moment. */
export function isTransient(error: unknown): boolean {
  const status = asRefusal(error)?.status
  return status === 503 || status === 507 || (error as { code?: string }).code === '55P03'
}

/**
 * Applies the next part of an import that is not done, rows and history in one transaction; false when none is left and
 * the import is finished. Safe to run twice at once. A row that the database refuses fails alone.
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
    // Either someone brought the same identifier at this moment, which the next look finds, or a row cannot be stored.
    log.warn({ err: error, importId }, 'import: applying a part with care')
    done = await run(withCare(log))
  }
  if (!done) return false
  for (const [id, line] of done.lines) applied.lines.set(id, line)
  for (const [key, line] of done.freed) applied.freed.set(key, line)
  applied.parts.push(...done.parts)
  return true
}

/** Like `applyRows`; where that fails, by halves, until the row is found that cannot be stored. */
function withCare(log: FastifyBaseLogger): typeof applyRows {
  return async function apply(tx: Tx, rows: readonly RowInput[], options: ApplyOptions): Promise<RowResult[]> {
    await sql`savepoint rows`.execute(tx)
    try {
      const results = await applyRows(tx, rows, options)
      await sql`release savepoint rows`.execute(tx)
      return results
    } catch (error) {
      if (isTransient(error)) throw error
      await sql`rollback to savepoint rows`.execute(tx)
      if (rows.length === 1) {
        log.warn({ err: error, line: rows[0]!.line }, 'import: a row cannot be stored')
        return [{ action: 'failed', errors: storeErrors(error), held: null }]
      }
      const half = Math.ceil(rows.length / 2)
      const first = await apply(tx, rows.slice(0, half), options)
      const earlier = new Map([...(options.earlier ?? []), ...linesOf(rows, first)])
      const freed = new Map([...(options.freed ?? []), ...linesOfFreed(rows, first)])
      return [...first, ...(await apply(tx, rows.slice(half), { ...options, earlier, freed }))]
    }
  }
}

/** The areas that an import writes to. */
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
    .returning(['header', 'user_id', 'partner_id', 'update_existing'])
    .executeTakeFirst()
  if (!job) return undefined
  const part = await tx
    .selectFrom('import_part')
    .select(['part', 'lines', 'cells'])
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
  const others = await appliedElsewhere(tx, importId, applied)
  const targets = targetsOf(job.header ?? [])
  const rows = await inSlices(part.cells, (cells, n) => rowInput(targets, part.lines[n]!, cells))
  const both = <Key>(own: Map<Key, number>, theirs: Map<Key, number>) =>
    theirs.size ? new Map([...own, ...theirs]) : own
  const results = await apply(tx, rows, {
    author: { userId: job.user_id, partnerId: job.partner_id, importId },
    updateExisting: job.update_existing,
    earlier: both(applied.lines, others.lines),
    freed: both(applied.freed, others.freed),
    partnerId: job.partner_id,
  })
  const freed = linesOfFreed(rows, results)
  await recordPart(tx, importId, part.part, rows, results, freed)
  return {
    parts: [...others.parts, part.part],
    lines: new Map([...others.lines, ...linesOf(rows, results)]),
    freed: new Map([...others.freed, ...freed]),
  }
}

type DonePart = Pick<Selectable<Tables['import_part']>, 'part' | 'lines' | 'held' | 'freed'> & {
  stock_ids: (number | null)[]
}

/** Parts that were done before this job began, or by another that took itself for the only one. */
async function appliedElsewhere(tx: Tx, importId: number, { parts }: Applied): Promise<Applied> {
  const { rows } = await sql<DonePart>`
    select part, lines, stock_ids, held, freed from import_part
    where import_id = ${importId} and done_at is not null and part <> all(${parts}::int[])`.execute(tx)
  const found = nothingApplied()
  for (const { part, lines, stock_ids, held, freed } of rows) {
    found.parts.push(part)
    for (const [n, line] of lines.entries()) {
      const id = stock_ids[n] ?? held?.[n]
      if (typeof id === 'number') found.lines.set(id, line)
    }
    for (const [key, line] of Object.entries(freed ?? {})) found.freed.set(key, line)
  }
  return found
}

/** The history: which row became which item, and why others failed; and what later parts must know of them. */
async function recordPart(
  tx: Tx,
  importId: number,
  part: number,
  rows: readonly RowInput[],
  results: readonly RowResult[],
  freed: readonly [key: string, line: number][],
): Promise<void> {
  const held = results.map((result) => (result.action === 'failed' ? result.held : null))
  const ids = results.map((result) => (result.action === 'failed' ? null : result.stockId))
  const actions = results.map((result) => result.action)
  const failed = results.flatMap((result, n) => (result.action === 'failed' ? [{ result, row: rows[n]! }] : []))
  await sql`
    update import_part set done_at = clock_timestamp(), stock_ids = ${arrayText(ids)}::int[], actions = ${arrayText(actions)}::text[],
      held = ${held.some((id) => id !== null) ? arrayText(held) : null}::int[],
      freed = ${freed.length ? JSON.stringify(Object.fromEntries(freed)) : null}::jsonb
    where import_id = ${importId} and part = ${part}`.execute(tx)
  await sql`
    update import set succeeded = succeeded + ${results.length - failed.length}, failed = failed + ${failed.length}
    where id = ${importId}`.execute(tx)
  if (failed.length === 0) return
  await sql`
    insert into import_error (import_id, row_no, backstock_id, errors)
    select ${importId}::int, * from unnest(${failed.map(({ row }) => row.line)}::int[],
      ${failed.map(({ row }) => row.cells.backstock_id ?? null)}::text[],
      ${failed.map(({ result }) => errorsText(result.errors))}::jsonb[])`.execute(tx)
}

/** Whatever a message quotes, it must not stop the import: PostgreSQL takes no half of a character. */
function errorsText(errors: FieldErrors): string {
  return JSON.stringify(errors, (_field, message) => (typeof message === 'string' ? message.toWellFormed() : message))
}
