import { DEFAULT_FIELDS, type DefaultField, plainColumnName } from '@backstock/contract/csv-columns.ts'
import { ColumnTarget, NAMED_FIELDS } from '@backstock/contract/import-preview.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connect.ts'
import type { Meaning, PreviewSettings } from '../../../db/preview-columns.ts'
import { plainKey } from './translation.ts'

export type Memory = {
  /** By `plainColumnName`. */
  columns: Map<string, ColumnTarget>
  defaults: Partial<Record<DefaultField, string>>
  meanings: Meaning[]
}

/** A file has no more names that somebody would look through. */
const MAX_MEANINGS = 1000
/** Of a supplier and of everyone's together, what was used last. */
const MAX_ENTRIES = 5000
/** Those of one delivery or of the supplier itself are not remembered: the next file may be about items that are there. */
const REMEMBERED_DEFAULTS = DEFAULT_FIELDS.filter((field) => !['supplier', 'purchase_date', 'status'].includes(field))

/** What was said of a supplier's files before; of its columns also what was said of everyone's. */
export async function memoryOf(db: Db, supplierId: number | null): Promise<Memory> {
  const { rows } = await sql<{ kind: string; field_of: string; seen: string; means: string | null }>`
    select kind, field_of, seen, means from import_memory
    where supplier_id is null or supplier_id = ${supplierId}::int
    order by supplier_id is null, used_at desc, id desc limit ${MAX_ENTRIES}`.execute(db)
  const memory: Memory = { columns: new Map(), defaults: {}, meanings: [] }
  for (const { kind, field_of, seen, means } of rows) {
    if (kind === 'column') {
      const target = ColumnTarget.safeParse(means)
      if (target.success && !memory.columns.has(seen)) memory.columns.set(seen, target.data)
    } else if (means !== null && kind === 'default') {
      const field = REMEMBERED_DEFAULTS.find((one) => one === field_of)
      if (field) memory.defaults[field] = means
    } else if (means !== null) {
      const field = NAMED_FIELDS.find((one) => one === field_of)
      if (field && memory.meanings.length < MAX_MEANINGS) memory.meanings.push({ field, seen, means })
    }
  }
  return memory
}

type Entry = { kind: string; field: string; seen: string; means: string | null }

/**
 * Remembers what a preview that is started was read by: its columns; and of a supplier what names mean, and what the file
 * lacks.
 */
export async function remember(
  tx: Tx,
  supplierId: number | null,
  header: readonly string[],
  { columns, defaults, meanings }: PreviewSettings,
): Promise<void> {
  // What the cells of one file looked like says nothing of everyone's.
  const said = new Set(supplierId === null ? ['remembered', 'chosen'] : ['remembered', 'alias', 'values', 'chosen'])
  const entries: Entry[] = columns.flatMap(({ field, how }, n) => {
    const seen = plainColumnName(header[n] ?? '')
    return seen !== '' && said.has(how) ? [{ kind: 'column', field: '', seen, means: field }] : []
  })
  if (supplierId !== null) {
    for (const { field, seen, means } of meanings) entries.push({ kind: 'value', field, seen: plainKey(seen), means })
    for (const field of REMEMBERED_DEFAULTS)
      entries.push({ kind: 'default', field, seen: '', means: defaults[field] ?? null })
  }
  const own = [...new Map(entries.map((entry) => [`${entry.kind} ${entry.field} ${entry.seen}`, entry])).values()]
  const list = (of: (entry: Entry) => string | null) => own.map(of)
  // Sorted, so that two people who remember the same do not wait for each other in a circle.
  await sql`
    insert into import_memory (supplier_id, kind, field_of, seen, means)
    select ${supplierId}::int, * from unnest(${list(({ kind }) => kind)}::text[], ${list(({ field }) => field)}::text[],
      ${list(({ seen }) => seen)}::text[], ${list(({ means }) => means)}::text[]) as e (kind, field_of, seen, means)
    order by kind, field_of, seen
    on conflict (supplier_id, kind, field_of, seen) do update set means = excluded.means, used_at = now()`.execute(tx)
}
