import type { NamedField, UnknownName } from '@backstock/contract/import-preview.ts'
import { inEnglish } from '@backstock/contract/import-words.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { at, zip } from '../../../lists.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { aliker, type NearName, nearestOf, piecesOf } from './alike.ts'
import { supplierNames } from './supplier-names.ts'

/** For each field, the table of its records and the column with their name. */
const TABLES: Record<NamedField, readonly [table: string, name: string]> = {
  // The make is that of the products whose models are most alike.
  make_of_model: ['product', 'model'],
  supplier: ['supplier', 'company_name'],
  vat: ['vat', 'name'],
  grade: ['grade', 'name'],
  make: ['make', 'name'],
  category: ['category', 'name'],
  colour: ['colour', 'name'],
  product: ['product', 'display_name'],
}
const ORDER: readonly NamedField[] = [
  'supplier',
  'vat',
  'grade',
  'make_of_model',
  'make',
  'category',
  'colour',
  'product',
]
/** The fields whose values are part of a product's name. */
const PARTS: ReadonlySet<NamedField> = new Set(['make', 'category', 'colour'])
/** The number of existing names that are proposed for a new one. */
const NEAREST = 5
/** The number of names that are compared at a time. */
const BLOCK = 1000

type Counted = Omit<UnknownName, 'nearest'>

/** The names that no record has, each with the existing names that are most like it. */
export async function withNearest(db: Db, names: readonly Counted[]): Promise<UnknownName[]> {
  const found: UnknownName[] = []
  for (const [field, own] of Map.groupBy(names, (name) => name.field)) {
    const alike = await nearestIn(db, TABLES[field], own)
    const nearest = field === 'make_of_model' ? await makesFor(db, alike) : alike
    const ids = field === 'supplier' ? [...new Set(nearest.flat().map(({ id }) => id))] : []
    const called = ids.length ? await supplierNames(db, ids) : undefined
    for (const [name, near] of zip(own, nearest)) {
      const isThere = near.some((one) => one.name.toLowerCase() === name.seen.toLowerCase())
      // The product is new, but its make, category or colour may exist.
      if (PARTS.has(field) && isThere) continue
      found.push({ ...name, nearest: near.map(({ id, name }) => ({ id, name: called?.get(id) ?? name })) })
    }
  }
  // The names on which others depend come first: the answer for a make may settle all of its products.
  return found.toSorted((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field) || b.rows - a.rows)
}

/** For each list of products, their makes, followed by the makes with the most products. */
async function makesFor(db: Db, products: readonly NearName[][]): Promise<NearName[][]> {
  const ids = [...new Set(products.flat().map(({ id }) => id))]
  const { rows: own } = await sql<{ product: number; id: number; name: string }>`
    select p.id as product, m.id, m.name from product p join make m on m.id = p.make_id
    where p.id = any(${ids}::int[])`.execute(db)
  const { rows: largest } = await sql<{ id: number; name: string }>`
    select m.id, m.name from make m left join product p on p.make_id = m.id
    group by m.id order by count(p.id) desc, m.id limit ${NEAREST}`.execute(db)
  const makeOf = new Map(own.map(({ product, id, name }) => [product, { id, name }]))
  return products.map((near) => {
    const makes = [...near.flatMap(({ id }) => makeOf.get(id) ?? []), ...largest]
    const different = new Map(makes.map((make) => [make.id, make]))
    return [...different.values()].slice(0, NEAREST).map((make) => ({ ...make, alike: 0, hasAll: false }))
  })
}

async function nearestIn(
  db: Db,
  [table, column]: readonly [table: string, name: string],
  names: readonly Counted[],
): Promise<NearName[][]> {
  const pieces = names.map(({ field, seen }) => piecesOf(inEnglish(field, seen) ?? seen))
  let nearest: NearName[][] = names.map(() => [])
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, ${sql.ref(column)} as name from ${sql.table(table)} where id > ${last} order by id limit ${BLOCK}`.execute(
      db,
    )
    if (rows.length === 0) return nearest
    const mostAlike = aliker(rows)
    nearest = await mapWithPauses(zip(pieces, nearest), ([own, near]) =>
      nearestOf([...near, ...mostAlike(own, NEAREST)], NEAREST),
    )
    last = at(rows, rows.length - 1).id
  }
}
