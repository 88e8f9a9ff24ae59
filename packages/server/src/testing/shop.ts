import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { Logger, runOnce } from 'graphile-worker'
import type { Insertable } from 'kysely'
import pg from 'pg'
import { createCustomer } from '../areas/customer.ts'
import { receiptJobs } from '../areas/purchase-receipt/render.ts'
import { saleJobs } from '../areas/sale/jobs.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import type { JobHandlers } from '../jobs.ts'

export type Shop = { product: number; customer: number; vat: { standard: number; zero: number } }

/** Makes the records that sales need: a seller, a product, VAT types and a customer. */
export async function openShop(db: Database): Promise<Shop> {
  return db.write(async (tx) => {
    await tx
      .updateTable('company')
      .set({
        name: 'Phones Ltd',
        address_1: '1 Quay',
        city: 'Dublin',
        postal_code: 'D01',
        country_code: 'IE',
        vat_number: 'IE1234567T',
        iban: 'IE29AIBK93115212345678',
        email: 'sales@phones.test',
      })
      .execute()
    const make = await tx
      .insertInto('make')
      .values({ name: 'Apple', logo_image: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const category = await tx.insertInto('category').values({ name: 'Phone' }).returning('id').executeTakeFirstOrThrow()
    const product = await tx
      .insertInto('product')
      .values({
        make_id: make.id,
        category_id: category.id,
        colour_id: null,
        model: 'iPhone 13',
        capacity: 128,
        capacity_unit: 'GB',
        display_name: 'Apple iPhone 13 128 GB',
        image_url: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const [standard, zero] = await tx
      .insertInto('vat')
      .values([
        { name: 'Standard', rate: 2300 },
        { name: 'Zero', rate: 0 },
      ])
      .returning('id')
      .execute()
    const address = {
      address_1: 'ul. Długa 1',
      address_2: null,
      city: 'Łódź',
      state: null,
      postal_code: '90-001',
      country_code: 'PL',
    }
    const customer = await createCustomer(
      tx,
      {
        first_name: 'Zażółć',
        last_name: 'Παπαδόπουλος',
        email: 'buyer@example.test',
        billing_address: address,
        delivery_address: address,
      },
      { userId: null },
    )
    return { product: product.id, customer, vat: { standard: standard!.id, zero: zero!.id } }
  })
}

const FIRST_SERIAL = 10_000_000
let serial = FIRST_SERIAL

/** Counts from the start again. Call it before the first item: test files of one process share the count. */
export function restartImeis(): void {
  serial = FIRST_SERIAL
}

/** An IMEI that no other item of the test has. */
export function newImei(): string {
  const first14 = `350000${++serial}`
  return first14 + luhnCheckDigit(first14)
}

/** Makes sellable items: bought for 200.00, offered at 300.00, without VAT. Returns their ids. */
export async function stockItems(
  db: Database,
  shop: Shop,
  n: number,
  columns: Partial<Insertable<Tables['stock']>> = {},
): Promise<number[]> {
  const rows = await db.write((tx) =>
    tx
      .insertInto('stock')
      .values(
        Array.from({ length: n }, () => ({
          status: 'In Stock' as const,
          actual_product_id: shop.product,
          expected_product_id: null,
          supplier_id: null,
          vat_id: null,
          partner_id: null,
          batch_id: null,
          sale_id: null,
          backstock_id: null,
          imei: newImei(),
          serial_number: null,
          purchase_price: 20_000,
          purchase_date: null,
          sales_price: 30_000,
          engineer_notes: null,
          ...columns,
        })),
      )
      .returning('id')
      .execute(),
  )
  return rows.map((row) => row.id)
}

/** Makes an open or locked batch with items in it. */
export async function batchOf(
  db: Database,
  shop: Shop,
  userId: number,
  n: number,
  isLocked = false,
): Promise<{ id: number; items: number[] }> {
  const { id } = await db.write((tx) =>
    tx
      .insertInto('batch')
      .values({ user_id: userId, name: `Batch of ${n}`, is_locked: isLocked })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { id, items: await stockItems(db, shop, n, { status: 'In Batch', batch_id: id }) }
}

/**
 * Runs the due jobs of sales until none is left, and the jobs that these queue. It also runs the jobs that have a
 * handler in `more`.
 */
export async function runSaleJobs(
  t: { db: Database; config: Config; connection: pg.ClientConfig },
  dataDir: string,
  more: Partial<JobHandlers> = {},
): Promise<void> {
  const handlers = { ...saleJobs({ db: t.db, config: t.config, dataDir }), ...receiptJobs(t), ...more }
  const taskList = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown) => handle(payload as never, AbortSignal.any([])),
    ]),
  )
  // The runner asks for the next job while it still takes the last one out of its queue. With a second connection, it may
  // find that queue locked: it then takes a later job, or ends too early.
  const pgPool = new pg.Pool({ ...t.connection, max: 1 })
  const ignore = () => undefined
  pgPool.on('error', ignore).on('connect', (client) => client.on('error', ignore))
  try {
    await runOnce({ pgPool, taskList, logger: new Logger(() => () => undefined), noHandleSignals: true })
  } finally {
    await pgPool.end()
  }
}
