import { sql } from 'kysely'
import { announce } from '../../areas/return/announce.ts'
import { editReturn } from '../../areas/return/edit.ts'
import { editSale } from '../../areas/sale/change/edit.ts'
import { createSale } from '../../areas/sale/new/create.ts'
import { readNewSale } from '../../areas/sale/new/new-sale.ts'
import { pay } from '../../areas/sale/payment/pay.ts'
import type { Tx } from '../../db/connect.ts'
import { at, first } from '../../lists.ts'
import { daysAgo, type Happening } from './backdate.ts'
import { COURIERS, type PastSale, SALES } from './sales-data.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import type { Shop } from './shop.ts'

/** The ids of `n` sellable items: those that have been in stock longest, or those of a batch. */
export async function oldestItems(tx: Tx, n: number, random: Random, batchId?: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from stock
    where ${batchId === undefined ? sql`status = 'In Stock'` : sql`status = 'In Batch' and batch_id = ${batchId}`}
    order by purchase_date, id limit ${n * 3}`.execute(tx)
  return random.some(
    rows.map((row) => row.id),
    n,
  )
}

/**
 * The events by which the shop sold. `batches` has the ids of the batches made so far; `ids` collects those of the
 * sales.
 */
export function sales(tx: Tx, shop: Shop, batches: readonly number[], ids: number[]): Happening[] {
  return SALES.flatMap((sale, place) => oneSale(tx, shop, { sale, place, batches, ids }))
}

type Placed = { sale: PastSale; place: number; batches: readonly number[]; ids: number[] }

function oneSale(tx: Tx, shop: Shop, { sale, place, batches, ids }: Placed): Happening[] {
  const random = seededRandom(place)
  const author =
    sale.partner === undefined
      ? { userId: at(shop.people, place % shop.people.length) }
      : { partnerId: at(shop.partners, sale.partner).id }
  const later = (days: number, hour: number, happen: (day: string) => Promise<void>): Happening => {
    const at = daysAgo(shop.now, sale.days - days, hour, random.whole(0, 59))
    return { at, happen: () => happen(at.toISOString().slice(0, 10)) }
  }
  const move = (input: Parameters<typeof editSale>[2]) => async () => {
    await editSale(tx, at(ids, place), input, 'userId' in author ? author : { userId: at(shop.people, 1) })
  }

  const made = later(0, 9, async () => {
    const batchId = sale.batch === undefined ? undefined : at(batches, sale.batch)
    const items = await oldestItems(tx, sale.items, random, batchId)
    const wanted = readNewSale({
      stock_items: items.map((id) => ({ id })),
      customer_id: shop.customers[sale.customer],
      reference_number: random.chance(70) ? `PO-${random.whole(10_000, 99_999)}` : null,
      includeVat: sale.includeVat ?? false,
      batch_id: batchId ?? null,
      send_email: false,
    })
    ids[place] = (await createSale(tx, wanted, author, { series: 'sample' })).id
  })
  const [courier, prefix] = random.pick(COURIERS)
  const tracking = `${prefix}${random.whole(1_000_000, 9_999_999)}`
  const steps = {
    payment: later(0, 11, move({ status: 'Awaiting Payment' })),
    paid: later(1, 13, async (day) => {
      await payShare(tx, at(ids, place), { percent: sale.paid ?? 100, day, userId: at(shop.people, 1) })
      await move({ status: 'Awaiting Dispatch' })()
    }),
    sent: later(2, 15, move({ status: 'Dispatched', courier, outbound_tracking_number: tracking })),
    voided: later(3, 15, move({ status: 'Voided' })),
  }
  const { returned } = sale
  const back = returned && [
    later(returned.after, 10, () => takeBack(tx, at(ids, place), returned, at(shop.people, 2))),
    ...(returned.state === 'settled'
      ? [
          later(returned.after + 1, 9, (day) =>
            payShare(tx, at(ids, place), { percent: 100, day, userId: at(shop.people, 1) }),
          ),
        ]
      : []),
  ]
  const { payment, paid, sent, voided } = steps
  switch (sale.end) {
    case 'New':
      return [made]
    case 'Awaiting Payment':
      return [made, payment]
    case 'Voided':
      return [made, payment, voided]
    case 'Dispatched':
      return [made, payment, paid, sent, ...(back ?? [])]
    default: // a sale that Requires Attention gets there when one of its items is found missing
      return [made, payment, paid]
  }
}

/** Pays a percentage of the open amount on a day. A refund is paid whole. */
async function payShare(
  tx: Tx,
  saleId: number,
  { percent, day, userId }: { percent: number; day: string; userId: number },
): Promise<void> {
  if (percent === 0) return
  const sale = tx.selectFrom('sale').select('open_amount').where('id', '=', saleId)
  const { open_amount } = await sale.executeTakeFirstOrThrow()
  await pay(tx, saleId, { paid_on: day, amount: Math.round((open_amount * percent) / 100) }, { userId })
}

async function takeBack(
  tx: Tx,
  saleId: number,
  { items: n, note, state, reason, condition }: NonNullable<PastSale['returned']>,
  userId: number,
): Promise<void> {
  const lines = await tx
    .selectFrom('sale_item as i')
    .innerJoin('sale as s', 's.id', 'i.sale_id')
    .select(['i.stock_id as id', 's.customer_id'])
    .where('i.sale_id', '=', saleId)
    .orderBy('i.position')
    .limit(n)
    .execute()
  const items = lines.map(({ id }) => ({ id, reason, condition, outcome: 'restock' as const, price: null }))
  const { customer_id } = first(lines)
  const wanted = { customer_id, note, items, received: state !== 'announced', send_email: false }
  const { id } = await announce(tx, wanted, { userId }, undefined)
  if (state === 'settled') await editReturn(tx, id, { state }, { userId })
}
