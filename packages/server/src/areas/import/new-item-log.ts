import { sql } from 'kysely'

const change = (attribute: string, to: string, more = '') =>
  `'{"attributeName":"${attribute}","from":null,"to":' || ${to} || '${more}}'`
const plain = (column: string) => change(column, `to_json(item.${column})::text`)
const relation = (attribute: string, id: string, name: string) =>
  change(attribute, `to_json(${name})::text || ',"from_id":null,"to_id":' || ${id}`)
const raw = (column: string) => change(column, `to_json(nullif(item.${column}, '{}'))::text`)

const all = [
  plain('status'),
  relation('actual_product', 'p.id', 'p.display_name'),
  relation('supplier', 's.id', 's.company_name'),
  relation('vat', 'v.id', 'v.name'),
  ...['backstock_id', 'imei', 'serial_number', 'purchase_price', 'purchase_date', 'sales_price'].map(plain),
  ...['network_locked', 'engineer_notes'].map(plain),
  ...['grading_data', 'attributes'].map(raw),
]

/**
 * The log of a new item in SQL, what `changes(null, …)` says of it: made here it would be most of what goes over the wire.
 * `item` has the columns of stock, raw data as text; where one is null there is no text of it, and no change.
 */
export const newItemLog = sql.raw(
  `concat('{"type":"model_update","data":[', concat_ws(',', ${all.join(',\n      ')}), ']}')::jsonb`,
)

/** The names that `newItemLog` speaks of. */
export const newItemRelations = sql.raw(`
  join product p on p.id = item.actual_product_id
  left join supplier s on s.id = item.supplier_id
  left join vat v on v.id = item.vat_id`)
