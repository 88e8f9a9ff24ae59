import { tacOf } from '@backstock/contract/imei.ts'
import { coloursIn } from '@backstock/contract/import-words.ts'
import { productDisplayName } from '@backstock/contract/product-name.ts'
import {
  bareCapacities,
  colouredModels,
  mayBeColour,
  mayBeMemory,
  modelsWithColour,
  type SplitModel,
  splitModel,
} from '@backstock/contract/split-model.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { PreviewSettings, TakenApart } from '../../../db/preview-columns.ts'
import type { CsvValues } from '../../stock/columns.ts'
import { findProducts } from '../look-up.ts'
import { type DescribedProduct, describedProduct, productKey } from '../read/described-product.ts'
import type { ParsedRow } from '../read/parse-row.ts'
import type { Translation } from './translation.ts'

/** The most different models of a file that are taken apart. */
const MAX_MODELS = 20_000

/** The key of a row's description of its product, in lower case. */
function modelKey({ make, model, capacity, capacity_unit, colour }: CsvValues): string {
  return JSON.stringify([make, model, capacity, capacity_unit, colour]).toLowerCase()
}

export type Models = {
  apart: Map<string, SplitModel>
  seen: Set<string>
  /** The number of rows whose make comes from the catalogue, by model and make, as in `Galaxy S21 (Samsung)`. */
  makes: Map<string, number>
  /**
   * `doubtful` has the keys of models with a number that may be working memory. `memories` has the number of rows that
   * keep it in the name, by names such as `Galaxy S23 8GB`.
   */
  doubtful: Set<string>
  memories: Map<string, number>
}
export const modelsOf = (taken: TakenApart | null): Models => ({
  apart: new Map(Object.entries(taken ?? {})),
  seen: new Set(),
  makes: new Map(),
  doubtful: new Set(),
  memories: new Map(),
})

/**
 * Takes apart the models that rows have for the first time: `iPhone 13 128GB` may be the catalogue's iPhone 13 with 128
 * GB, and `Apple iPhone 12 64GB Black` its black one. If the catalogue has the model, but not in that colour or
 * capacity, the rest of the name becomes a new colour or capacity. A result holds for all rows of the file. If the row
 * has the same capacity in its own column, the capacity is taken off the name, even if the catalogue lacks the product.
 * The same holds if the row has a make and no other capacity. A capacity of less than 16 GB may be working memory, so
 * it stays in the name unless the catalogue has that product. A capacity without a unit counts only if nothing else can
 * be meant: the number is large, or the catalogue has the model with capacities. A row without a make gets the make
 * that the catalogue has for its model.
 */
export async function lookForModels(
  db: Db,
  rows: readonly ParsedRow[],
  { apart, seen, doubtful }: Models,
): Promise<void> {
  const asked: Asked[] = []
  const withoutMake: { key: string; values: CsvValues }[] = []
  for (const { values } of rows) {
    if (values.model === undefined || seen.size >= MAX_MODELS) continue
    const key = modelKey(values)
    if (seen.has(key)) continue
    seen.add(key)
    if (values.make === undefined) withoutMake.push({ key, values })
    for (const split of splitModel(values.make ?? null, values.model)) {
      const product = withModel(values, split) && describedProduct({ ...values, ...split }, null)
      const isDoubtful = isMemory(values, split)
      if (isDoubtful) doubtful.add(key)
      const isSaid = values.make !== undefined && split.capacity !== undefined && !isDoubtful
      if (product) asked.push({ key, split, product, isSaid })
    }
    for (const split of wholeNames(values)) {
      const product = describedProduct({ ...values, ...split }, null)
      if (product) asked.push({ key, split, product, isSaid: false, isWhole: true })
    }
    for (const { split, isSure } of bareCapacities(values.make ?? null, values.model)) {
      const product = withModel(values, split) && describedProduct({ ...values, ...split }, null)
      const isSaid = values.make !== undefined && (isSure || values.capacity !== undefined)
      if (product) asked.push({ key, split, product, isSaid, isBare: true })
    }
  }
  const found = await findProducts(
    db,
    asked.map(({ product }) => product),
  )
  const settled = new Set<string>()
  for (const { key, split, product } of asked) {
    if (settled.has(key) || !found.has(productKey(product))) continue
    settled.add(key)
    apart.set(key, split)
    doubtful.delete(key)
  }
  const whole = asked.filter(
    ({ key, split, isWhole }) => isWhole && !settled.has(key) && mayBeColour(split.colour ?? ''),
  )
  for (const one of await ofCatalogue(db, whole)) {
    if (settled.has(one.key)) continue
    settled.add(one.key)
    apart.set(one.key, one.split)
    doubtful.delete(one.key)
  }
  const bare = asked.filter(({ key, isBare, isSaid }) => isBare && !isSaid && !settled.has(key))
  for (const one of await withCapacities(db, bare)) one.isSaid = true
  // Later entries replace earlier ones: the last one of a key has neither make nor capacity in its name.
  for (const { key, split, isSaid } of asked) if (isSaid && !settled.has(key)) apart.set(key, split)
  const open = withoutMake.filter(({ key }) => !settled.has(key))
  const makeOf = await makesTold(db, open)
  for (const { key, values } of open) {
    const told = makeOf(values)
    if (told) apart.set(key, told)
  }
}

type Asked = {
  key: string
  split: SplitModel
  product: DescribedProduct
  isSaid: boolean
  isBare?: true
  /** The name has a colour, too. */
  isWhole?: true
}

/** The readings of a model's name that ends with a colour, and with a capacity if the row has no other. */
const wholeNames = ({ make, model = '', capacity, colour }: CsvValues): SplitModel[] =>
  colour !== undefined
    ? []
    : [...(capacity === undefined ? colouredModels(make ?? null, model) : []), ...modelsWithColour(make ?? null, model)]

/**
 * The entries of `asked` whose model is in the catalogue. Also those whose make is in the catalogue and whose name ends
 * with a capacity and a known colour, because they can only be a new model of that make.
 */
async function ofCatalogue(db: Db, asked: readonly Asked[]): Promise<Asked[]> {
  if (asked.length === 0) return []
  const lower = (of: (product: DescribedProduct) => string) => [
    ...new Set(asked.map(({ product }) => of(product).toLowerCase())),
  ]
  const { rows } = await sql<{ make: string; model: string | null }>`
    select lower(m.name) as make, p.model
    from make m left join lateral (
      select distinct lower(model) as model from product
      where make_id = m.id and lower(model) = any(${lower(({ model }) => model)}::text[])) p on true
    where lower(m.name) = any(${lower(({ make }) => make)}::text[])`.execute(db)
  const makes = new Set(rows.map(({ make }) => make))
  const models = new Set(rows.map(({ make, model }) => JSON.stringify([make, model])))
  const hasModel = ({ product: { make, model } }: Asked) =>
    models.has(JSON.stringify([make.toLowerCase(), model.toLowerCase()]))
  const isSure = ({ split: { capacity, colour = '' }, product }: Asked) =>
    capacity !== undefined && coloursIn(colour).size > 0 && makes.has(product.make.toLowerCase())
  return [...asked.filter(hasModel), ...asked.filter((one) => !hasModel(one) && isSure(one))]
}

/** The entries of `asked` whose model exists in the catalogue with a capacity. */
async function withCapacities(db: Db, asked: readonly Asked[]): Promise<Asked[]> {
  if (asked.length === 0) return []
  const name = ({ make, model }: { make: string; model: string }) => JSON.stringify([make, model]).toLowerCase()
  const models = [...new Set(asked.map(({ product }) => product.model.toLowerCase()))]
  const { rows } = await sql<{ make: string; model: string }>`
    select distinct m.name as make, p.model from product p join make m on m.id = p.make_id
    where lower(p.model) = any(${models}::text[]) and p.capacity is not null`.execute(db)
  const known = new Set(rows.map(name))
  return asked.filter(({ product }) => known.has(name(product)))
}

/**
 * Finds the make of rows without one: the only make that has the row's model in the catalogue, else the make with which
 * the model begins. If the catalogue knows none, or several, nothing is guessed.
 */
async function makesTold(db: Db, rows: readonly { values: CsvValues }[]) {
  const splitsOf = ({ model = '', ...values }: CsvValues, isSure = false) =>
    [
      ...splitModel(null, model),
      ...bareCapacities(null, model).flatMap((one) => (one.isSure || !isSure ? one.split : [])),
      ...(isSure ? [] : wholeNames({ ...values, model }).filter(({ colour = '' }) => mayBeColour(colour))),
    ].filter((split) => withModel(values, split))
  const all = rows.flatMap(({ values }) => splitsOf(values))
  const models = [...new Set(all.flatMap(({ make, model }) => (make === undefined ? model.toLowerCase() : [])))]
  const makes = [...new Set(all.flatMap(({ make }) => make?.toLowerCase() ?? []))]
  if (models.length === 0) return () => null
  const { rows: bearing } = await sql<{ model: string; make: string | null }>`
    select lower(p.model) as model, case when count(distinct p.make_id) = 1 then min(m.name) end as make
    from product p join make m on m.id = p.make_id where lower(p.model) = any(${models}::text[]) group by 1`.execute(db)
  const { rows: known } = await sql<{ name: string }>`
    select name from make where lower(name) = any(${makes}::text[])`.execute(db)
  const makeByModel = new Map(bearing.map(({ model, make }) => [model, make]))
  const called = new Map(known.map(({ name }) => [name.toLowerCase(), name]))
  return (values: CsvValues): SplitModel | null => {
    for (const split of splitsOf(values)) {
      const make = split.make === undefined ? makeByModel.get(split.model.toLowerCase()) : undefined
      if (make === null) return null
      if (make !== undefined) return isMemory(values, split) ? { model: values.model ?? '', make } : { ...split, make }
    }
    // If several readings begin with a known make, the last reading counts: its model contains no capacity.
    const split = splitsOf(values, true).findLast(
      (one) => one.make !== undefined && called.has(one.make.toLowerCase()) && !isMemory(values, one),
    )
    const make = split?.make === undefined ? undefined : called.get(split.make.toLowerCase())
    return split && make !== undefined ? { ...split, make } : null
  }
}

/** Whether the capacity in a model's name may be working memory. It cannot be if the row has a capacity of its own. */
const isMemory = (values: CsvValues, split: SplitModel) => values.capacity === undefined && mayBeMemory(split)

/** Whether the row's own capacity and the one in its model's name agree. If either is missing, they do. */
const withModel = (values: CsvValues, split: SplitModel) =>
  values.capacity === undefined ||
  split.capacity === undefined ||
  (values.capacity === split.capacity && (values.capacity_unit ?? split.capacity_unit) === split.capacity_unit)

function count(rows: Map<string, number>, name: string): void {
  if (rows.has(name) || rows.size < MAX_MODELS) rows.set(name, (rows.get(name) ?? 0) + 1)
}

/** Replaces the product in a row's cells by the one that the row means. */
export function settleProduct(row: ParsedRow, models: Models, products: ProductsMeant, translation: Translation): void {
  const { values } = row
  const { model } = values
  if (model !== undefined) {
    const key = modelKey(values)
    const split = models.apart.get(key)
    if (models.doubtful.has(key)) count(models.memories, model)
    const isTold = split?.make !== undefined && model.toLowerCase().startsWith(split.make.toLowerCase())
    if (values.make === undefined && split?.make !== undefined && !isTold)
      count(models.makes, `${split.model} (${split.make})`)
    Object.assign(values, split)
    // The colour had no cell of its own, so its meaning has not replaced it yet.
    if (split?.colour !== undefined) values.colour = translation.meaningOf('colour', split.colour) ?? split.colour
  }
  const described = describedProduct(values, null)
  const tac = described ? undefined : tacOfRow(row)
  const means = described
    ? translation.meaningOf('product', nameOf(described))
    : tac && translation.meaningOf('product', tac)
  const product = means === undefined ? undefined : products.get(means)
  if (!product) return
  if (described) row.product = product
  else row.productIfNew = product
}

/** The TAC of a row that names no product; undefined for any other row. */
export function tacOfRow({ values: { imei, make, model } }: ParsedRow): string | undefined {
  return imei === undefined || make !== undefined || model !== undefined ? undefined : tacOf(imei)
}

const nameOf = ({ make, model, capacity, capacity_unit, colour }: DescribedProduct) =>
  productDisplayName(make, model, capacity, capacity_unit, colour)

/** The products that names mean, by the number of the product. */
type ProductsMeant = ReadonlyMap<string, DescribedProduct>

/** The products that a person chose for names in the file, by their ids as text. */
export async function productsMeant(db: Db, { meanings }: Pick<PreviewSettings, 'meanings'>): Promise<ProductsMeant> {
  const ids = meanings.flatMap(({ field, means }) =>
    field === 'product' && means && /^\d{1,9}$/.test(means) ? means : [],
  )
  if (ids.length === 0) return new Map()
  const { rows } = await sql<DescribedProduct & { id: number }>`
    select p.id, m.name as make, p.model, p.capacity, p.capacity_unit, c.name as colour, g.name as category
    from product p join make m on m.id = p.make_id join category g on g.id = p.category_id
      left join colour c on c.id = p.colour_id
    where p.id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map(({ id, ...product }) => [String(id), product]))
}
