import { tacOf } from '@backstock/contract/imei.ts'
import { productDisplayName } from '@backstock/contract/product-name.ts'
import { type SplitModel, splitModel } from '@backstock/contract/split-model.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { PreviewSettings, TakenApart } from '../../../db/preview-columns.ts'
import type { CsvValues } from '../../stock/columns.ts'
import { findProducts } from '../look-up.ts'
import { type DescribedProduct, describedProduct, productKey } from '../read/described-product.ts'
import type { ParsedRow } from '../read/parse-row.ts'
import type { Translation } from './translation.ts'

/** So many models of a file are looked for in other words. */
const MAX_MODELS = 20_000

/** What a row says of its product, in small letters. */
function modelKey({ make, model, capacity, capacity_unit, colour }: CsvValues): string {
  return JSON.stringify([make, model, capacity, capacity_unit, colour]).toLowerCase()
}

export type Models = { apart: Map<string, SplitModel>; seen: Set<string> }
export const modelsOf = (taken: TakenApart | null): Models => ({
  apart: new Map(Object.entries(taken ?? {})),
  seen: new Set(),
})

/**
 * Looks for models that stand in rows for the first time: `iPhone 13 128GB` may be the catalogue's iPhone 13 with 128 GB.
 * What is found holds for all rows of the file, wherever they stand. A capacity that the row says in its own column as well
 * is taken off the name, also where the catalogue does not have the product; so is one of a row that says its make and no
 * other capacity.
 */
export async function lookForModels(db: Db, rows: readonly ParsedRow[], { apart, seen }: Models): Promise<void> {
  const asked: { key: string; split: SplitModel; product: DescribedProduct; isSaid: boolean }[] = []
  for (const { values } of rows) {
    if (values.model === undefined || seen.size >= MAX_MODELS) continue
    const key = modelKey(values)
    if (seen.has(key)) continue
    seen.add(key)
    for (const split of splitModel(values.make ?? null, values.model)) {
      const product = withModel(values, split) && describedProduct({ ...values, ...split }, null)
      const isSaid = values.make !== undefined && split.capacity !== undefined
      if (product) asked.push({ key, split, product, isSaid })
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
  }
  // The last of them is without its make, too.
  for (const { key, split, isSaid } of asked) if (isSaid && !settled.has(key)) apart.set(key, split)
}

/** Whether a row's own capacity does not contradict the one in its model's name. */
const withModel = (values: CsvValues, split: SplitModel) =>
  values.capacity === undefined ||
  split.capacity === undefined ||
  (values.capacity === split.capacity && (values.capacity_unit ?? split.capacity_unit) === split.capacity_unit)

/** Puts the product that a row means in place of what its cells say. */
export function settleProduct(row: ParsedRow, models: Models, products: ProductsMeant, translation: Translation): void {
  const { values } = row
  const split = values.model === undefined ? undefined : models.apart.get(modelKey(values))
  if (split) Object.assign(values, split)
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

/** The TAC of a row that does not say its product. */
export function tacOfRow({ values: { imei, make, model } }: ParsedRow): string | undefined {
  return imei === undefined || make !== undefined || model !== undefined ? undefined : tacOf(imei)
}

const nameOf = ({ make, model, capacity, capacity_unit, colour }: DescribedProduct) =>
  productDisplayName(make, model, capacity, capacity_unit, colour)

/** By the number of the product, as meanings have it. */
type ProductsMeant = ReadonlyMap<string, DescribedProduct>

/** The products that people have said names in the file mean. */
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
