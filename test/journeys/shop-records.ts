import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { Call, Found } from './sample-shop.ts'

type Created<Row> = { data: Row }

/** A new IMEI that no other item has. */
export function newImei(): string {
  const first14 = `359990${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  return first14 + luhnCheckDigit(first14)
}

/**
 * Creates items of one product, In Stock unless `input` says otherwise, bought for 100.00 and with a sales price of
 * 149.90.
 */
export async function newItems(call: Call, n: number, input: object = {}): Promise<StockRow[]> {
  const products = await call<Found<{ id: number }>>('GET', 'product/find?search=Galaxy%20A52')
  const items: StockRow[] = []
  for (let i = 0; i < n; i++)
    items.push(
      await create<StockRow>(call, 'stock', {
        actual_product_id: products.data[0]!.id,
        imei: newImei(),
        purchase_price: 10_000,
        sales_price: 14_990,
        status: 'In Stock',
        ...input,
      }),
    )
  return items
}

/** Creates a record in the way its form does. */
export async function create<Row = { id: number }>(call: Call, area: string, input: object): Promise<Row> {
  return (await call<Created<Row>>('POST', `${area}/create`, input)).data
}

/** The first row of the answer to a find. Throws if there is none. */
export async function first<Row = { id: number }>(call: Call, path: string): Promise<Row> {
  const { data } = await call<Found<Row>>('GET', path)
  if (!data[0]) throw new Error(`The sample data has nothing for ${path}`)
  return data[0]
}

/** Creates a sale of these items to the first customer of the sample data. */
export async function newSale(call: Call, items: readonly { id: number }[], input: object = {}) {
  const customer = await first(call, 'customer/find')
  return create(call, 'sale', {
    stock_items: items.map(({ id }) => ({ id, sales_price: 14_990 })),
    customer_id: customer.id,
    send_email: false,
    ...input,
  })
}
