import type { NamedField, UnknownName } from '@backstock/contract/import-preview.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/** The tables of names, and the column that names each record. */
const TABLES: Record<NamedField, { table: string; name: string }> = {
  supplier: { table: 'supplier', name: 'company_name' },
  vat: { table: 'vat', name: 'name' },
  grade: { table: 'grade', name: 'name' },
  make: { table: 'make', name: 'name' },
  category: { table: 'category', name: 'name' },
  colour: { table: 'colour', name: 'name' },
  product: { table: 'product', name: 'display_name' },
}
/** What a product is made of. */
const PARTS: ReadonlySet<NamedField> = new Set(['make', 'category', 'colour'])
/** So many existing names are shown beside a new one. */
const NEAREST = 5
/** By trigrams: below it two names have little more in common than a letter or two. */
const ALIKE = 0.2

type Counted = Omit<UnknownName, 'nearest'>
type Row = { n: number; id: number; name: string; is_same: boolean }

/** The names that do not exist, each with the existing ones that are most like it. */
export async function withNearest(db: Db, names: readonly Counted[]): Promise<UnknownName[]> {
  const found: UnknownName[] = []
  for (const [field, own] of Map.groupBy(names, (name) => name.field)) {
    const table = TABLES[field]
    // Of many products only those are compared that the index finds.
    const among = field === 'product' ? sql`search %> search_text(w.name)` : sql`true`
    const rows = await nearest(db, sql.table(table.table), sql.ref(table.name), own, among)
    const byName = Map.groupBy(rows, ({ n }) => n)
    for (const [n, name] of own.entries()) {
      const near = byName.get(n) ?? []
      // A make, colour or category of a new product may well be there.
      if (PARTS.has(field) && near.some(({ is_same }) => is_same)) continue
      found.push({ ...name, nearest: near.map(({ id, name }) => ({ id, name })) })
    }
  }
  return found.toSorted((a, b) => b.rows - a.rows)
}

async function nearest(
  db: Db,
  table: RawBuilder<unknown>,
  column: RawBuilder<unknown>,
  names: readonly Counted[],
  among: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select w.n::int - 1 as n, t.id, t.name, t.is_same
    from unnest(${names.map(({ seen }) => seen)}::text[]) with ordinality as w (name, n)
    cross join lateral (
      select id, ${column} as name, lower(${column}) = lower(w.name) as is_same,
        greatest(similarity(${column}, w.name), word_similarity(${column}, w.name) * 0.9) as alike
      from ${table} where ${among} order by is_same desc, alike desc, id limit ${NEAREST}) t
    where t.alike > ${ALIKE} order by w.n, t.alike desc, t.id`.execute(db)
  return rows
}
