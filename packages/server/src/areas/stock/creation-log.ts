import { type RawBuilder, sql } from 'kysely'
import type { Author } from '../../records/log/write.ts'
import { isReferring, LOGGED_COLUMNS, REFERRED, REFERRING_COLUMNS, referenceOf } from './columns.ts'

const change = (label: string, to: string, more = '') =>
  `'{"attributeName":"${label}","from":null,"to":' || ${to} || '${more}}'`

/** SQL for the purchase price in the form of `attributesOf`: a text with the currency if that is not EUR. */
const PURCHASE_PRICE = `case item.purchase_currency when 'EUR' then to_json(item.purchase_price)
  else to_json((item.purchase_price * 0.01)::numeric(12, 2) || ' ' || item.purchase_currency) end::text`

const changes = [
  ...LOGGED_COLUMNS.map((column) => {
    if (column === 'purchase_price') return change(column, PURCHASE_PRICE)
    if (!isReferring(column)) return change(column, `to_json(item.${column})::text`)
    const { to, label } = referenceOf(column)
    return change(label, `to_json(${label}.${REFERRED[to]})::text || ',"from_id":null,"to_id":' || ${label}.id`)
  }),
  ...['grading_data', 'attributes'].map((raw) => change(raw, `to_json(nullif(item.${raw}::text, '{}'))::text`)),
]
const content = sql.raw(
  `concat('{"type":"model_update","data":[', concat_ws(',', ${changes.join(',\n      ')}), ']}')::jsonb`,
)
const names = sql.raw(
  REFERRING_COLUMNS.map((column) => {
    const { to, label } = referenceOf(column)
    return `left join ${to} ${label} on ${label}.id = item.${column}`
  }).join('\n      '),
)

/**
 * The statement that writes the log entries of new items, with the same content as `changes(null, …)`. `items` has the
 * columns of `stock`, and raw data as text too. It is SQL, because the entries would otherwise be most of the bytes
 * that an import sends to the database.
 */
export function creationLog(items: RawBuilder<unknown>, author: Author): RawBuilder<unknown> {
  // If a value is null, the text of its change is null too, and `concat_ws` leaves it out.
  return sql`
    insert into log (user_id, partner_id, import_id, loggable_type, loggable_id, content)
    select ${author.userId ?? null}::int, ${author.partnerId ?? null}::int, ${author.importId ?? null}::int, 'Stock',
      item.id, ${content}
    from ${items} item ${names} order by item.id`
}
