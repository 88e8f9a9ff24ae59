import type { NamedField, UnknownName } from '@backstock/contract/import-preview.ts'
import { inEnglish } from '@backstock/contract/import-words.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { at, zip } from '../../../lists.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { aliker, type NearName, nearestOf, piecesOf } from './alike.ts'
import { supplierNames } from './supplier-names.ts'

/** The tables of names, and the column that names each record. */
const TABLES: Record<NamedField, readonly [table: string, name: string]> = {
  // Its make is that of the models most like it.
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
/** The names that a product consists of. */
const PARTS: ReadonlySet<NamedField> = new Set(['make', 'category', 'colour'])
/** So many existing names are shown beside a new one. */
const NEAREST = 5
/** So many are compared at a time. */
const BLOCK = 1000

type Counted = Omit<UnknownName, 'nearest'>

/** The names that do not exist, each with the existing ones that are most like it. */
export async function withNearest(db: Db, names: readonly Counted[]): Promise<UnknownName[]> {
  const found: UnknownName[] = []
  for (const [field, own] of Map.groupBy(names, (name) => name.field)) {
    const alike = await nearestIn(db, TABLES[field], own)
    const nearest = field === 'make_of_model' ? await makesFor(db, alike) : alike
    const ids = field === 'supplier' ? [...new Set(nearest.flat().map(({ id }) => id))] : []
    const called = ids.length ? await supplierNames(db, ids) : undefined
    for (const [name, near] of zip(own, nearest)) {
      const isThere = near.some((one) => one.name.toLowerCase() === name.seen.toLowerCase())
      // A make, colour or category of a new product may well be there.
      if (PARTS.has(field) && isThere) continue
      found.push({ ...name, nearest: near.map(({ id, name }) => ({ id, name: called?.get(id) ?? name })) })
    }
  }
  // Names that others depend on come first: a decided make may settle all of its products.
  return found.toSorted((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field) || b.rows - a.rows)
}

/** The makes of each list of products, and after them the makes with the most products. */
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
