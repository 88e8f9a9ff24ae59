import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import type { Bench } from '../bench.ts'

type Product = {
  id: number
  make: string
  model: string
  capacity: number
  colour: string
  category: string
}

const HEADER =
  'imei,status,make,model,capacity,capacity_unit,colour,category,supplier,purchase_price,purchase_date,sales_price,vat,grading_screen'

/** New items, as a supplier's CSV file and as text for COPY into the table. No generated item has their IMEIs. */
export type NewItems = {
  /** `extra` is added to each sales price, in whole currency units. */
  csv(extra?: number): string
  copy(): string
}

const COPY_COLUMNS =
  'imei,status,actual_product_id,supplier_id,purchase_price,purchase_date,sales_price,vat_id,grading_data'
export const COPY = `copy stock (${COPY_COLUMNS}) from stdin (format csv)`

let made = 0

/** Makes `count` items that the database does not have. */
export async function newItems({ db }: Bench, count: number): Promise<NewItems> {
  const { rows: products } = await db.query<Product>(`
    select p.id, m.name as make, model, capacity, c.name as colour, k.name as category
    from product p join make m on m.id = make_id join category k on k.id = category_id join colour c on c.id = colour_id`)
  const { rows: suppliers } = await db.query<{ company_name: string }>('select company_name from supplier order by id')
  const first = made
  made += count
  const items = Array.from({ length: count }, (_, n) => {
    const digits = `36${String(((first + n) * 7_919_777) % 1_000_000_000_000).padStart(12, '0')}`
    const product = products[(n * 7) % products.length]!
    return { imei: digits + luhnCheckDigit(digits), product, supplier: n % suppliers.length, price: 100 + (n % 500) }
  })
  return {
    csv: (extra = 0) =>
      `${HEADER}\n${items
        .map(({ imei, product: p, supplier, price }) =>
          [
            ...[imei, 'In Stock', p.make, p.model, p.capacity, 'GB', p.colour, p.category],
            ...[suppliers[supplier]!.company_name, `${price}.00`, '2026-11-01', `${price + 50 + extra}.00`],
            ...['Standard', 'A'],
          ].join(','),
        )
        .join('\n')}\n`,
    copy: () =>
      `${items
        .map(({ imei, product, supplier, price }) =>
          [
            ...[imei, 'In Stock', product.id, supplier + 1, price * 100, '2026-11-01', (price + 50) * 100, 1],
            '"{""screen"": ""A""}"',
          ].join(','),
        )
        .join('\n')}\n`,
  }
}
