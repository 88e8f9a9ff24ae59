import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { StockInput } from '@backstock/contract/stock.ts'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import type { Attribute } from '../../records/log.ts'

/** What a person sets on an item; the log tells of these. */
export const STOCK_COLUMNS = [
  'status',
  'actual_product_id',
  'expected_product_id',
  'supplier_id',
  'batch_id',
  'vat_id',
  'backstock_id',
  'imei',
  'serial_number',
  'purchase_price',
  'purchase_date',
  'sales_price',
  'network_locked',
  'engineer_notes',
] as const
export type StockColumns = Pick<Selectable<Tables['stock']>, (typeof STOCK_COLUMNS)[number]>

export const stockColumns = (row: StockColumns) =>
  Object.fromEntries(STOCK_COLUMNS.map((column) => [column, row[column]])) as StockColumns

/** What each relation is called in logs and on the wire, and where its name stands. */
const relations = {
  actual_product_id: { attribute: 'actual_product', field: 'actual_product_id', kind: 'product' },
  expected_product_id: { attribute: 'expected_product', field: 'expected_product_id', kind: 'product' },
  supplier_id: { attribute: 'supplier', field: 'supplier_id', kind: 'supplier' },
  batch_id: { attribute: 'batch', field: 'batch_id', kind: 'batch' },
  vat_id: { attribute: 'vat', field: 'vat_type_id', kind: 'vat' },
} as const
type Relation = keyof typeof relations
const relationColumns = Object.keys(relations) as Relation[]
const isRelation = (column: string): column is Relation => column in relations

/** The columns that an input sets; those it leaves out are missing here too. */
export function columnsOf(input: Partial<StockInput>): Partial<StockColumns> {
  const { updated_at: _, purchase_currency: __, sales_currency: ___, vat_type_id, ...fields } = input
  const columns = { ...fields, vat_id: vat_type_id }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

export type RelationNames = Map<string, string>
const nameKey = (column: Relation, id: number) => `${relations[column].kind} ${id}`

/** The names of the relations that differ between states, for the log. */
export async function relationNames(
  tx: Tx,
  before: Partial<StockColumns> | null,
  after: StockColumns,
): Promise<RelationNames> {
  const ids: Record<string, number[]> = { product: [], supplier: [], batch: [], vat: [] }
  for (const column of relationColumns)
    if (before?.[column] !== after[column])
      ids[relations[column].kind]!.push(...[before?.[column], after[column]].filter((id) => typeof id === 'number'))
  if (Object.values(ids).every((list) => list.length === 0)) return new Map()
  const { rows } = await sql<{ key: string; name: string }>`
    select 'product ' || id as key, display_name as name from product where id = any(${ids['product']}::int[])
    union all select 'supplier ' || id, company_name from supplier where id = any(${ids['supplier']}::int[])
    union all select 'batch ' || id, name from batch where id = any(${ids['batch']}::int[])
    union all select 'vat ' || id, name from vat where id = any(${ids['vat']}::int[])`.execute(tx)
  return new Map(rows.map((row) => [row.key, row.name]))
}

/** A message under each relation that was chosen and is not there. */
export function missingRelations(names: RelationNames, before: StockColumns | null, after: StockColumns): FieldErrors {
  const errors: FieldErrors = {}
  for (const column of relationColumns) {
    const id = after[column]
    if (id !== null && before?.[column] !== id && !names.has(nameKey(column, id)))
      errors[relations[column].field] = 'Does not exist.'
  }
  return errors
}

/** An item as its log shows it: relations by name, prices in hundredths. */
export function attributesOf(item: StockColumns, names: RelationNames): Record<string, Attribute> {
  return Object.fromEntries(
    Object.entries(item).map(([column, value]) => {
      if (!isRelation(column)) return [column, value as Attribute]
      const id = value as number | null
      return [
        relations[column].attribute,
        { id, name: id === null ? null : (names.get(nameKey(column, id)) ?? `#${id}`) },
      ]
    }),
  )
}
