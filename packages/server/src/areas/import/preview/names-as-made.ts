import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { DescribedProduct } from '../read/described-product.ts'

const PARTS = ['make', 'category', 'colour'] as const

/**
 * The makes, categories and colours that the rows of a plan name, in the spelling that they will have. Existing records
 * keep their spelling.
 */
export type NamesAsMade = Map<string, string>

const keyOf = (part: string, name: string) => `${part} ${name.toLowerCase()}`

/**
 * New products with the names that they will have, in the order of `products`. `names` has the names that earlier rows
 * have used first.
 */
export async function asMade(
  db: Db,
  products: readonly DescribedProduct[],
  names: NamesAsMade,
): Promise<DescribedProduct[]> {
  for (const part of PARTS) {
    const typed = products.flatMap((product) => product[part] ?? []).filter((name) => !names.has(keyOf(part, name)))
    if (typed.length === 0) continue
    const lower = [...new Set(typed.map((name) => name.toLowerCase()))]
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(part)} where lower(name) = any(${lower}::text[]) order by id desc`.execute(db)
    for (const { name } of rows) names.set(keyOf(part, name), name)
    for (const name of typed) if (!names.has(keyOf(part, name))) names.set(keyOf(part, name), name)
  }
  const named = <Name extends string | null>(part: string, name: Name) =>
    name === null ? name : (names.get(keyOf(part, name)) ?? name)
  return products.map((product) => ({
    ...product,
    make: named('make', product.make) as string,
    category: named('category', product.category),
    colour: named('colour', product.colour),
  }))
}
