import type { NamedField, UnknownName } from '@backstock/contract/import-preview.ts'
import { coloursIn, inEnglish, isForeign } from '@backstock/contract/import-words.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { Meaning } from '../../../db/preview-columns.ts'
import { at, zip } from '../../../lists.ts'
import type { DescribedProduct } from '../read/described-product.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { aliker, type Candidate, type Choice, type NearName, nearestOf, piecesOf } from './alike.ts'
import { supplierNames } from './supplier-names.ts'

/** For each field, the table of its records and the column with their name. */
const TABLES: Record<NamedField, readonly [table: string, name: string]> = {
  // Finds the products with the most similar models. `makesFor` then takes their makes.
  make_of_model: ['product', 'model'],
  supplier: ['supplier', 'company_name'],
  vat: ['vat', 'name'],
  grade: ['grade', 'name'],
  make: ['make', 'name'],
  category: ['category', 'name'],
  colour: ['colour', 'name'],
  product: ['product', 'display_name'],
}
/** The names on which others depend come first. */
const ORDER: readonly NamedField[] = [
  'make_of_model',
  'make',
  'category',
  'supplier',
  'vat',
  'grade',
  'colour',
  'product',
]
/** The fields whose values are part of a product's name. */
const PART_FIELDS = ['make', 'category', 'colour'] as const
const PARTS: ReadonlySet<NamedField> = new Set(PART_FIELDS)
/** The parts of a product's name. */
const OF_PRODUCT = sql`, t.capacity, t.capacity_unit, (select name from colour c where c.id = t.colour_id) as colour,
  lower(t.model) as model, (select lower(m.name) from make m where m.id = t.make_id) as make`
/** The number of existing names that are proposed for a new one. */
const NEAREST = 5
/** The number of names that are compared at a time. */
const BLOCK = 1000

/** A name with its rows. `of` are the names of the parts of a product. */
export type CountedName = Omit<UnknownName, 'nearest'> & {
  of?: DescribedProduct
}

const keyOf = (field: string, name: string) => `${field} ${name.toLowerCase()}`

/**
 * The names that no record has, each with the existing names that are most like it. If a person has said that a name
 * means a new make, category or colour, the new name is not asked about.
 */
export async function withNearest(
  db: Db,
  all: readonly CountedName[],
  meanings: readonly Meaning[],
): Promise<UnknownName[]> {
  const given = new Set(
    meanings.flatMap(({ field, means }) =>
      means === null ? [] : keyOf(field === 'make_of_model' ? 'make' : field, means),
    ),
  )
  const names = all.filter(({ field, seen }) => !PARTS.has(field) || !given.has(keyOf(field, seen)))
  const found: UnknownName[] = []
  const open = new Set<string>()
  for (const [field, own] of Map.groupBy(names, (name) => name.field)) {
    const alike = await nearestIn(db, field, own)
    const nearest = field === 'make_of_model' ? await makesFor(db, alike) : alike
    const ids = field === 'supplier' ? [...new Set(nearest.flat().map(({ id }) => id))] : []
    const called = ids.length ? await supplierNames(db, ids) : undefined
    for (const [name, near] of zip(own, nearest)) {
      const isThere = near.some((one) => one.name.toLowerCase() === name.seen.toLowerCase())
      // The product is new, but its make, category or colour may exist.
      if (PARTS.has(field) && isThere) continue
      const { of: _, ...counted } = name
      const word = wordOf(name, near)
      found.push({
        ...counted,
        nearest: near.map(({ id, name }) => ({ id, name: called?.get(id) ?? name })),
        ...(word && { word }),
      })
      if (PARTS.has(field)) open.add(keyOf(field, name.seen))
    }
  }
  for (const { field, seen, of } of names) {
    const waits = of && PART_FIELDS.some((part) => open.has(keyOf(part, of[part] ?? '')))
    const product = waits && found.find((one) => one.field === field && one.seen === seen)
    if (product) product.waits = true
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
    return [...different.values()]
      .slice(0, NEAREST)
      .map((make) => ({ ...make, alike: 0, hasAll: false, isWithin: false }))
  })
}

/** The name in the shop of a colour or category in another language, or the English name that it would get. */
function wordOf({ field, seen }: CountedName, near: readonly NearName[]): UnknownName['word'] {
  const english = inEnglish(field, seen)
  if (english === undefined || !isForeign(field, seen)) return undefined
  const [first] = near
  return first?.alike === 1 ? { name: first.name, is_new: false } : { name: english, is_new: true }
}

/** The least likeness of colours and categories: most of the letters, or all words of one of the two. */
const ALIKE_PART = 0.4

/** Whether two names have known words for colours, but none in common: `Space Blue` is never `Space Black`. */
function areOtherColours(one: string, other: string): boolean {
  const [own, others] = [coloursIn(one), coloursIn(other)]
  return own.size > 0 && others.size > 0 && own.isDisjointFrom(others)
}

/**
 * The records that may be proposed for a name. An unlike colour or category misleads. If the catalogue has the make of
 * a product, other products of this make are proposed, those of the same model first.
 */
function choiceFor({ field, seen, of }: CountedName, makes: ReadonlySet<string>): Choice {
  if (field === 'colour' || field === 'category')
    return {
      isMeant: ({ name, alike, hasAll, isWithin }) =>
        hasAll || isWithin || (alike >= ALIKE_PART && !areOtherColours(seen, name)),
      isFirst: ({ name }) => name.toLowerCase() === seen.toLowerCase(),
    }
  const make = of?.make.toLowerCase()
  if (make === undefined || !makes.has(make)) return {}
  const model = of?.model.toLowerCase()
  return { isMeant: (near) => near.make === make, isFirst: (near) => near.model === model }
}

const isOther = <One>(one: One | null, other: One | null | undefined) =>
  one !== null && other !== null && other !== undefined && one !== other

/** A number with up to two letters before it and one after it. */
const NUMBER = /((?<!\p{L})\p{L}{1,2})?[ -]?(\d+(?:\p{L}(?![\p{L}\d]))?)/gu
const NETWORK = /\b[2-5]g\b/g

/** The numbers in a model's name: `s20` for `Galaxy S20 5G`, `6a` for `Pixel 6a`, `13` for `iPhone 13` and `iPhone13`. */
const numbersIn = (model: string): ReadonlySet<string> =>
  new Set(
    Array.from(
      model.toLowerCase().replace(NETWORK, '').matchAll(NUMBER),
      ([, before = '', number]) => `${before}${number}`,
    ),
  )

/**
 * Whether the numbers of two models differ: `Galaxy S20` is never `Galaxy S22`. If only one of them has a number that
 * the other lacks, it may be a year, or a capacity that was not recognised.
 */
function areOtherModels(one: string, other: string): boolean {
  const [own, others] = [numbersIn(one), numbersIn(other)]
  return !own.isSubsetOf(others) && !others.isSubsetOf(own)
}

/** Whether a record has another colour or capacity than the product that is looked for. */
const isAnotherPhone = ({ colour, capacity, capacity_unit }: DescribedProduct, near: Candidate): boolean =>
  isOther(capacity && inGb(capacity, capacity_unit), near.capacity && inGb(near.capacity, near.capacity_unit)) ||
  (isOther(colour?.toLowerCase() ?? null, near.colour?.toLowerCase()) &&
    coloursIn(colour ?? '').isDisjointFrom(coloursIn(near.colour ?? '')))

const inGb = (capacity: number, unit: string | null | undefined) =>
  unit === 'TB' ? capacity * 1024 : unit === 'MB' ? capacity / 1024 : capacity

/**
 * The nearest names without those of another model number, those that may be the same phone first. If the catalogue has
 * only other models, or the model in other colours and capacities, none: the first proposal would be another phone.
 */
function withoutOthers(near: readonly NearName[], of: DescribedProduct): NearName[] {
  const ofNumber = near.filter(({ model }) => !areOtherModels(of.model, model ?? ''))
  const ofModel = ofNumber.filter(({ model }) => model === of.model.toLowerCase())
  const same = (ofModel.length > 0 ? ofModel : ofNumber).filter((one) => !isAnotherPhone(of, one))
  return same.length === 0 ? [] : [...same, ...ofNumber.filter((one) => !same.includes(one))]
}

async function nearestIn(db: Db, field: NamedField, names: readonly CountedName[]): Promise<NearName[][]> {
  const [table, column] = TABLES[field]
  const isProduct = field === 'product'
  const makes = isProduct ? await makesWithProducts(db, names) : new Set<string>()
  const asked = names.map((name) => ({
    pieces: piecesOf(inEnglish(field, name.seen) ?? name.seen),
    choice: choiceFor(name, makes),
  }))
  let nearest: NearName[][] = names.map(() => [])
  for (let last = 0; ; ) {
    const { rows } = await sql<Candidate>`
      select t.id, t.${sql.ref(column)} as name
        ${isProduct ? OF_PRODUCT : sql``}
      from ${sql.table(table)} t where t.id > ${last} order by t.id limit ${BLOCK}`.execute(db)
    if (rows.length === 0)
      return zip(names, nearest).map(([{ of }, near]) => (of ? withoutOthers(near, of) : near).slice(0, NEAREST))
    // The shop's own names may be in another language than the file's, so they are compared in English too.
    const mostAlike = aliker(
      rows.flatMap((row) => {
        const english = inEnglish(field, row.name)
        return english === undefined ? row : [{ ...row, text: english }, row]
      }),
    )
    nearest = await mapWithPauses(zip(asked, nearest), ([{ pieces, choice }, near]) => {
      const found = nearestOf([...near, ...mostAlike(pieces, 2 * NEAREST, choice)], 3 * NEAREST, choice.isFirst)
      const different = found.filter(({ id }, n) => found.findIndex((one) => one.id === id) === n)
      return different.slice(0, isProduct ? 3 * NEAREST : NEAREST)
    })
    last = at(rows, rows.length - 1).id
  }
}

/** The makes of these products that have products in the catalogue, in lower case. */
async function makesWithProducts(db: Db, names: readonly CountedName[]): Promise<Set<string>> {
  const makes = [...new Set(names.flatMap(({ of }) => of?.make.toLowerCase() ?? []))]
  const { rows } = await sql<{ name: string }>`
    select lower(name) as name from make m
    where lower(name) = any(${makes}::text[]) and exists (select from product p where p.make_id = m.id)`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
