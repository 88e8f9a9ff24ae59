import type { FieldErrors } from '@backstock/contract/answer.ts'
import { CURRENCY, toCurrencyUnits } from '@backstock/contract/money.ts'
import type { StockInput } from '@backstock/contract/stock.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { NO_SUCH_RECORD } from '../../http/refusal.ts'
import type { Attribute } from '../../records/log/write.ts'
import {
  fieldOf,
  isReferring,
  LOGGED_COLUMNS,
  REFERRED,
  REFERRED_TABLES,
  REFERRING_COLUMNS,
  type Referred,
  referenceOf,
  STOCK_COLUMNS,
  type StockColumns,
} from './columns.ts'

/** The columns that an input sets. Columns that it leaves out are not in the result. */
export function columnsOf(input: Partial<StockInput>): Partial<StockColumns> {
  const sent = STOCK_COLUMNS.map((column) => [column, input[fieldOf(column)]] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined))
}

/** The names of the records that items refer to, by `nameKey`. */
export type RelationNames = Map<string, string>
export const nameKey = (to: Referred, id: number | '' | null) => `${to} ${id}`

/** The names of the referred records that differ between two states of an item, for its log. */
export function relationNames(
  tx: Tx,
  before: Partial<StockColumns> | null,
  after: StockColumns,
): Promise<RelationNames> {
  return relationNamesAmong(tx, [{ before, after }])
}

/** The names for several items, read together. */
export async function relationNamesAmong(
  db: Db,
  items: readonly { before: Partial<StockColumns> | null; after: StockColumns }[],
): Promise<RelationNames> {
  const found = Object.fromEntries(REFERRED_TABLES.map((to) => [to, new Set<number>()])) as Record<
    Referred,
    Set<number>
  >
  for (const { before, after } of items)
    for (const column of REFERRING_COLUMNS) {
      if (before?.[column] === after[column]) continue
      for (const id of [before?.[column], after[column]])
        if (typeof id === 'number') found[referenceOf(column).to].add(id)
    }
  const ids = REFERRED_TABLES.map((to) => [to, [...found[to]]] as const)
  if (ids.every(([, list]) => list.length === 0)) return new Map()
  const names = ids.map(
    ([to, list]) => sql`
      select ${sql.lit(nameKey(to, ''))} || id as key, ${sql.ref(REFERRED[to])} as name from ${sql.table(to)}
      where id = any(${list}::int[])`,
  )
  const { rows } = await sql<{ key: string; name: string }>`${sql.join(names, sql` union all `)}`.execute(db)
  return new Map(rows.map((row) => [row.key, row.name]))
}

/** A message under each column whose new reference does not exist. */
export function missingRelations(names: RelationNames, before: StockColumns | null, after: StockColumns): FieldErrors {
  const errors: FieldErrors = {}
  for (const column of REFERRING_COLUMNS) {
    const id = after[column]
    if (id !== null && before?.[column] !== id && !names.has(nameKey(referenceOf(column).to, id)))
      errors[fieldOf(column)] = NO_SUCH_RECORD
  }
  return errors
}

/** The purchase price in the form of the log: hundredths, or a text with the currency if that is not EUR. */
const loggedPrice = ({ purchase_price, purchase_currency }: StockColumns): Attribute =>
  purchase_currency === CURRENCY ? purchase_price : `${toCurrencyUnits(purchase_price)} ${purchase_currency}`

/** An item in the form of its log: referred records by name, prices in hundredths. */
export function attributesOf(item: StockColumns, names: RelationNames): Record<string, Attribute> {
  const attributes: Record<string, Attribute> = {}
  for (const column of LOGGED_COLUMNS) {
    if (column === 'purchase_price') attributes[column] = loggedPrice(item)
    else if (!isReferring(column)) attributes[column] = item[column]
    else {
      const id = item[column]
      const { to, label } = referenceOf(column)
      attributes[label] = { id, name: id === null ? null : (names.get(nameKey(to, id)) ?? `#${id}`) }
    }
  }
  return attributes
}
