import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { hasText, isFound, searchedWords } from '../../db/page.ts'
import { itemsIdentified } from '../stock/search.ts'

type Sql = RawBuilder<unknown>

/** The condition that a search finds a sale: by the sale's own text, or by an item or a product in it. */
export async function isSaleFound(db: Db, search: string): Promise<Expression<SqlBool>> {
  return isFound('sale', search, await salesHolding(db, search))
}

/**
 * SQL for the ids of the sales that contain an item with this identifier or a product with this name; null if the
 * search can be neither. An item that came back counts.
 */
export async function salesHolding(db: Db, search: string): Promise<Sql | null> {
  const items = itemsIdentified(search)
  const identified = items && sql`${LINES} i.stock_id = any(array(${items}))`
  const named = await salesNamed(db, search)
  return identified && named ? sql`${identified} union ${named}` : (identified ?? named)
}

const LINES = sql`select i.sale_id from sale_item i where i.released is distinct from 'removed' and`

/**
 * Whether a search may name a product. A single number, or one or two letters, would be in the names of too many
 * products.
 */
const namesProduct = (words: readonly string[]) =>
  words.some((word) => /\p{L}/u.test(word)) && (words.length > 1 || words.some((word) => word.length > 2))

/**
 * SQL for the ids of the sales with a product that the search names; null if there is no such product. The product's
 * name must have all words that any product's name has. The other words must be in the sale's own text.
 */
async function salesNamed(db: Db, search: string): Promise<Sql | null> {
  const words = searchedWords(search)
  if (!namesProduct(words)) return null
  const isNamed = words.map((word) => hasText(sql`search`, word))
  const { rows } = await sql<{ has: boolean[]; ids: number[] }>`
    select has, array_agg(id) as ids from (
      select id, array[${sql.join(isNamed)}] as has from product where ${sql.join(isNamed, sql` or `)}) p
    group by has`.execute(db)
  const known = words.map((_, n) => rows.some(({ has }) => has[n]))
  const products = rows.filter(({ has }) => known.every((is, n) => !is || has[n])).flatMap(({ ids }) => ids)
  if (products.length === 0) return null
  const lines = sql`${LINES} i.product_id = any(${products}::int[])`
  const others = words.filter((_, n) => !known[n]).map((word) => hasText(sql`sale.search`, word))
  if (others.length === 0) return lines
  return sql`select sale.id from sale where ${sql.join(others, sql` and `)} and sale.id in (${lines})`
}
