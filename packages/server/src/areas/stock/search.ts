import { identifierInSearch } from '@backstock/contract/identifier-cell.ts'
import { compactIdentifier, imeiKey, mistypedImei } from '@backstock/contract/imei.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { calledId, hasText, hasWord, idAmongNames, patternsOf, searchedId, searchedWords } from '../../db/page.ts'
import { unseen } from '../../db/prepared.ts'
import { at, single } from '../../lists.ts'
import { IS_EID, IS_IMEI, IS_OTHER } from './identifiers.ts'

type Sql = RawBuilder<unknown>
const and = (conditions: readonly Sql[]) => sql`(${sql.join(conditions, sql` and `)})`
const or = (conditions: readonly Sql[]) => sql`(${sql.join(conditions, sql` or `)})`

/**
 * The matches of a search, as conditions on `stock s`. An item matches if `named` or one of `arms` holds. `named` is
 * the condition for the products and suppliers that the search names, which may have very many items; null if it names
 * none. Each condition has an index.
 */
export type Searched = { named: Sql | null; arms: Sql[] }

/**
 * Searches for an id, and for words that are each part of the item's identifiers, or of the name of its product or
 * supplier. A word of one or two characters must be the beginning of an identifier, or of a word of a name. An IMEI is
 * found in each of its forms, and with the spaces and dashes that people paste.
 */
export async function searched(db: Db, given: string): Promise<Searched> {
  const search = identifierInSearch(given) ?? given
  const digits = compactIdentifier(search)
  const words = searchedWords(search)
  const arms: Sql[] = []
  const found: Searched = { named: null, arms }
  const id = searchedId(search) ?? calledId(['item', 'stock'], search)
  if (id !== null) arms.push(sql`s.id = ${id}`)
  if (/^\d{15,16}$/.test(digits)) {
    arms.push(...wholeIdentifier(search, digits).map(hasIdentifier))
    return found
  }
  if (/^\d{32}$/.test(digits)) {
    arms.push(hasIdentifier(sql`${IS_EID} and upper(value) = ${digits}`), hasIdentifier(asOther(search, digits)))
    return found
  }
  if (/^\d{3,}$/.test(digits) && digits !== words[0]) arms.push(hasIdentifier(identified(digits)))
  arms.push(...withIdAmong(words))
  if (words.length === 1) return { ...found, named: await ofOneWord(db, single(words), arms) }
  return { ...found, named: await ofWords(db, words, arms) }
}

/**
 * One of the words may be the item's id. The item's identifiers or its product's name must then have the other words.
 */
function withIdAmong(words: readonly string[]): Sql[] {
  if (words.length === 1) return []
  return words.flatMap((word, n) => {
    const id = idAmongNames(word)
    if (id === null) return []
    const others = words.toSpliced(n, 1).map((other) => {
      const isNamed = hasText(sql`search`, other)
      return or([
        sql`s.actual_product_id in (select id from product where ${isNamed})`,
        hasIdentifier(identified(other)),
      ])
    })
    return [and([sql`s.id = ${id}`, ...others])]
  })
}

const ofProducts = (ids: readonly number[]) => sql`s.actual_product_id = any(${ids}::int[])`
const ofSuppliers = (ids: readonly number[]) => sql`s.supplier_id = any(${ids}::int[])`

/**
 * Adds the conditions for a search of one word. Returns the condition for the products and suppliers that have the word
 * in their name, because these may have very many items; null if there are none.
 */
async function ofOneWord(db: Db, word: string, arms: Sql[]): Promise<Sql | null> {
  arms.push(hasIdentifier(identified(word)))
  if (!hasLetter(word)) {
    arms.push(sql`s.actual_product_id = any(array(select id from product where ${hasText(sql`search`, word)}))`)
    return null
  }
  const { products, suppliers } = await namesWith(db, [word])
  const ids = (named: Named[]) => named.flatMap((one) => one.ids)
  // One or two letters would find too many suppliers.
  return anyOf([
    ...(products.length ? [ofProducts(ids(products))] : []),
    ...(suppliers.length && word.length > 2 ? [ofSuppliers(ids(suppliers))] : []),
  ])
}

const anyOf = (conditions: Sql[]) => (conditions.length > 1 ? or(conditions) : (conditions[0] ?? null))

/** Records whose names have the same words of the search. `has` says for each word whether the names have it. */
type Named = { has: boolean[]; ids: number[] }

/**
 * The products and suppliers that have any of these words in their names. The name of a supplier is that of its
 * company.
 */
async function namesWith(db: Db, words: readonly string[]): Promise<{ products: Named[]; suppliers: Named[] }> {
  const hasEach = (column: Sql) => words.map((word) => hasText(column, word))
  const found = (table: 'product' | 'supplier', isNamed: Sql[]) => sql`
    select ${sql.lit(table)} as table, has, array_agg(id) as ids from (
      select id, array[${sql.join(isNamed)}] as has from ${sql.table(table)} where ${or(isNamed)}) named group by has`
  const { rows } = await sql<Named & { table: string }>`
    ${found('product', hasEach(sql`search`))} union all
    ${found('supplier', hasEach(sql`(E'\n' || split_part(search, E'\n', 2))`))}`.execute(db)
  return {
    products: rows.filter(({ table }) => table === 'product'),
    // A number alone finds no supplier: the 13 in `iphone 13` does not mean the supplier 'Handel 13'.
    suppliers: rows.filter(
      ({ table, has }) => table === 'supplier' && words.some((word, n) => at(has, n) && hasLetter(word)),
    ),
  }
}

/**
 * Adds the conditions for a search of several words, of which some may be in the names of the product and the supplier,
 * and others in the identifiers. Each word is looked up once in each of them. The ids are passed as arrays: PostgreSQL
 * cannot know how few they are, and would otherwise read all items. Returns the condition for the items whose names
 * have all words; null if there are none.
 */
async function ofWords(db: Db, words: readonly string[], arms: Sql[]): Promise<Sql | null> {
  const { products, suppliers } = await namesWith(db, words)
  const idsWith = (named: Named[], n: number) => named.filter(({ has }) => at(has, n)).flatMap(({ ids }) => ids)
  const parts = words.map((word, n) => ({
    word,
    isNamed: anyOf([
      ...(idsWith(products, n).length
        ? [sql`one.actual_product_id in (select unnest(${idsWith(products, n)}::int[]))`]
        : []),
      ...(idsWith(suppliers, n).length ? [sql`one.supplier_id = any(${idsWith(suppliers, n)}::int[])`] : []),
    ]),
    table: sql.table(`word_${n}`),
  }))
  // If no name has a word, the word must be in an identifier. The longest of these words leaves the fewest items to
  // check.
  const [sure] = parts.filter(({ isNamed }) => !isNamed).toSorted((a, b) => b.word.length - a.word.length)
  const found = ({ table }: { table: Sql }) => sql`select stock_id from ${table}`
  arms.push(sql`s.id = any(array(
    with ${sql.join(
      parts.map(
        ({ word, table }) => sql`${table} as materialized (
      select stock_id from stock_identifier where ${identified(word)})`,
      ),
    )}
    select one.id from stock one where one.id = any(array(${sure ? found(sure) : sql.join(parts.map(found), sql` union all `)}))
      and ${and(
        parts
          .filter((part) => part !== sure)
          .map((part) => or([...(part.isNamed ? [part.isNamed] : []), sql`one.id in (${found(part)})`])),
      )}))`)
  return namedByAll(words, products, suppliers)
}

/**
 * The condition that the names of an item's product and supplier together have all words; null if no names have them.
 */
function namedByAll(words: readonly string[], products: Named[], suppliers: Named[]): Sql | null {
  const isWhole = (has: readonly boolean[]) => has.every(Boolean)
  const ids = (named: Named[]) => named.filter(({ has }) => isWhole(has)).flatMap((one) => one.ids)
  // Pairs of products and suppliers that have all words only together.
  const pairs = suppliers.flatMap((supplier) =>
    isWhole(supplier.has)
      ? []
      : products
          .filter(({ has }) => !isWhole(has) && words.every((_, n) => has[n] || supplier.has[n]))
          .map((product) => and([ofProducts(product.ids), ofSuppliers(supplier.ids)])),
  )
  return anyOf([
    ...(ids(products).length ? [ofProducts(ids(products))] : []),
    ...(ids(suppliers).length ? [ofSuppliers(ids(suppliers))] : []),
    ...pairs,
  ])
}

/**
 * The form of a part of an identifier. It has at least five characters, because a shorter part would be in too many
 * items.
 */
const PART = /^[0-9A-Za-z]{5,40}$/

/**
 * SQL for the ids of the items with an identifier that equals or contains the search; null if the search cannot be an
 * identifier.
 */
export function itemsIdentified(given: string): Sql | null {
  const search = identifierInSearch(given) ?? given
  const compact = compactIdentifier(search)
  if (!PART.test(compact) || !/\d/.test(compact)) return null
  const isIt = /^\d{15,16}$/.test(compact) ? or(wholeIdentifier(search, compact)) : identified(compact)
  return sql`select stock_id from stock_identifier where ${isIt}`
}

const hasLetter = (word: string) => /\p{L}/u.test(word)

const hasIdentifier = (condition: Sql) => sql`s.id in (select stock_id from stock_identifier where ${condition})`

/**
 * The condition that an identifier contains a word. A word with three characters and a letter or digit has few matches
 * in the pattern index, so one plan serves all such words (`unseen`). Any other search is planned anew each time.
 */
function identified(word: string): Sql {
  // Digits have no case, so `like` is enough, and it is faster.
  const like = sql.raw(hasLetter(word) ? 'ilike' : 'like')
  const patterns = patternsOf(word, ['', '% '])
  if (word.length < 3 || !hasWord(word)) return or(patterns.map((pattern) => sql`value ${like} ${pattern}`))
  return sql<SqlBool>`value ${like} ${unseen(sql`${patterns[0]}::text`)}`
}

/**
 * The conditions for a whole IMEI. Its parts are in many other IMEIs, so the unique indexes are faster than the pattern
 * index. The first 14 digits of a mistyped IMEI could be another phone's, but the number may still be a serial number.
 */
function wholeIdentifier(search: string, digits: string): Sql[] {
  if (mistypedImei(digits) !== null) return [asOther(search, digits)]
  return [sql`${IS_IMEI} and left(value, 14) = ${imeiKey(digits)}`, asOther(search, digits)]
}

const asOther = (search: string, digits: string) => sql`${IS_OTHER} and upper(value) in (upper(${search}), ${digits})`
