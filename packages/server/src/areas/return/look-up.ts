import type { ReturnLookUpAnswer, ReturnLookUpRow } from '@backstock/contract/customer-return.ts'
import { imeiKey } from '@backstock/contract/imei.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../../db/connect.ts'
import { isNotedAtZero } from '../document/credit.ts'
import { whyNotBack } from '../sale/change/return-item.ts'
import { twinsOf } from '../stock/identifiers.ts'
import { itemsMeant, type MeantItem } from '../stock/quick-order.ts'

/**
 * The items that pasted lines mean, each with the sale that has it now or had it last. A line that may mean several
 * phones is ambiguous.
 */
export async function lookUp(db: Database, given: readonly string[]): Promise<ReturnLookUpAnswer> {
  const answer: ReturnLookUpAnswer = { success: true, data: [], not_found: [], ambiguous: [], duplicates: [] }
  const chosen: { line: string; item: MeantItem }[] = []
  const brought = new Set<number>()
  const named = new Set<string>()
  for (const { line, key, items } of await itemsMeant(db, given)) {
    const [one] = items
    const item = one && items.every((other) => isSamePhone(other, one)) ? soldLast(items) : undefined
    if (item ? brought.has(item.id) : named.has(key)) answer.duplicates.push(line)
    else if (item) chosen.push({ line, item })
    else if (items.length === 0) answer.not_found.push(line)
    else answer.ambiguous.push({ line, items: [...new Set(items.map(({ id }) => id))] })
    if (item) brought.add(item.id)
    else named.add(key)
  }
  const ids = [...brought]
  const [sold, twins] = await Promise.all([soldAs(db.read, ids), twinsOf(db.read, ids)])
  answer.data = chosen.map(({ line, item }) =>
    rowOf(line, item, sold.get(item.id), Object.values(twins.get(item.id) ?? {})),
  )
  return answer
}

const imeisOf = ({ imei, imei2 }: MeantItem) => [imei, imei2].flatMap((one) => (one === null ? [] : imeiKey(one)))

/** Whether two items are the same phone at different times. */
function isSamePhone(one: MeantItem, other: MeantItem): boolean {
  const [imeis, others] = [imeisOf(one), imeisOf(other)]
  if (imeis.length + others.length > 0) return imeis.some((imei) => others.includes(imei))
  const keyOf = ({ serial_number, backstock_id }: MeantItem) => (serial_number ?? backstock_id)?.toUpperCase()
  return keyOf(one) === keyOf(other) && one.actual_product_id === other.actual_product_id
}

/** The item of the newest sale, if one phone was sold, bought again and sold again. */
function soldLast(items: readonly MeantItem[]): MeantItem | undefined {
  const sold = items.filter(({ status }) => status === 'Sold')
  return sold.toSorted((a, b) => (b.related_sale_id ?? 0) - (a.related_sale_id ?? 0))[0] ?? items[0]
}

type Sold = NonNullable<ReturnLookUpRow['sale']> & {
  stock_id: number
  released: 'lost' | 'returned' | null
  return_id: number | null
}

/** For each item, the sale that has it now or had it last, and the open return that expects it. */
async function soldAs(db: Db, ids: readonly number[]): Promise<Map<number, Sold>> {
  const { rows } = await sql<Sold>`
    select i.stock_id, i.released, sale.id, sale.status, sale.customer_id, sale.invoice_number, sale.created_at as sold_at,
      coalesce(sale.buyer ->> 'company_name', sale.buyer ->> 'full_name') as customer_name, sale.dispatched_on,
      sale.prices_include_vat, coalesce(i.sales_price_vat, i.sales_price) - i.allowed_price as price,
      ${isNotedAtZero('i')} as noted_at_zero, open.return_id
    from unnest(${ids}::int[]) as given (id)
    join lateral (
      select * from (
        select * from sale_item where stock_id = given.id and released is null
        union all
        select * from sale_item where stock_id = given.id and released in ('lost', 'returned')) line
      order by released nulls first, sale_id desc limit 1) i on true
    join sale on sale.id = i.sale_id
    left join customer_return_item open on open.stock_id = given.id and open.is_open`.execute(db)
  return new Map(rows.map((row) => [row.stock_id, row]))
}

function rowOf(line: string, item: MeantItem, sold: Sold | undefined, twins: readonly string[]): ReturnLookUpRow {
  const { id, product_display_name: product_name, imei, serial_number, grade_name, status } = item
  const { supplier_id, supplier_name, purchase_date } = item
  const why_not = whyNot(item, sold) ?? (twins.length ? twins.join(' ') : null)
  const { stock_id: _, released: __, return_id = null, ...sale } = sold ?? {}
  return {
    ...{ line, id, product_name, imei, serial_number, grade_name, status, supplier_id, supplier_name, purchase_date },
    sale: sold ? (sale as NonNullable<ReturnLookUpRow['sale']>) : null,
    return_id,
    returnable: why_not === null,
    why_not,
  }
}

function whyNot({ id, status, related_sale_id }: MeantItem, sold: Sold | undefined): string | null {
  if (!sold) return `It is ${status} and has not been sold.`
  const why = whyNotBack(sold, { stock_id: id, released: sold.released }, related_sale_id === sold.id)
  if (why) return why
  return sold.return_id === null ? null : `It is in return #${sold.return_id} already.`
}
