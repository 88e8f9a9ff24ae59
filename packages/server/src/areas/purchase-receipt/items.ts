import { createHash } from 'node:crypto'
import type { ReceiptKind } from '@backstock/contract/receipt-kind.ts'
import { PURCHASE_TREATMENT_NAMES } from '@backstock/contract/treatment.ts'
import { type RawBuilder, sql } from 'kysely'

/** An item that was chosen for a receipt. `why` says why it cannot be on one, and is null if it can. */
export type ChosenItem = {
  id: number
  supplier_id: number | null
  currency: string
  price: number
  purchase_date: string | null
  description: string
  imei: string | null
  serial_number: string | null
  why: string | null
}

const boughtUnder = sql`case s.purchase_treatment ${sql.join(
  Object.entries(PURCHASE_TREATMENT_NAMES).map(
    ([treatment, name]) => sql`when ${sql.lit(treatment)} then ${sql.lit(`It was bought under: ${name}.`)}`,
  ),
  sql` `,
)} end`

/**
 * A query of the items with these ids, as `ChosenItem`. A receipt needs a purchase under the margin scheme, because only
 * such a seller issues no invoice with VAT (Directive 2006/112/EC, article 314).
 */
export const chosenItems = (ids: RawBuilder<unknown>): RawBuilder<ChosenItem> => sql<ChosenItem>`
  select s.id, s.supplier_id, s.purchase_currency as currency, s.purchase_price as price, s.purchase_date,
    p.display_name || coalesce(', ' || g.name, '') as description, s.imei, s.serial_number,
    case
      when s.status = 'Deleted' then 'It is deleted.'
      when s.purchase_treatment <> 'margin' then ${boughtUnder}
      when r.id is not null then 'It is on ' || r.printed || '.'
      when u.id is not null and u.receipt_kind is null then u.company_name || ' issues its own invoices.'
      when s.purchase_price = 0 then 'It has no purchase price.'
    end as why
  from stock s join product p on p.id = s.actual_product_id left join grade g on g.id = s.grade_id
    left join supplier u on u.id = s.supplier_id
    left join purchase_receipt_line l on l.stock_id = s.id and l.is_live
    left join purchase_receipt r on r.id = l.receipt_id
  where s.id = any(${ids})`

/** Identifies what a receipt says of a purchase: its kind, its supplier, and its lines in any order. */
export function receiptToken(
  { kind, supplier_id, currency }: Pick<ChosenItem, 'supplier_id' | 'currency'> & { kind: ReceiptKind },
  items: readonly ChosenItem[],
): string {
  const lines = items
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, description, imei, serial_number, price }) => [id, description, imei, serial_number, price])
  return createHash('sha256')
    .update(JSON.stringify([kind, supplier_id, currency, lines]))
    .digest('hex')
}
