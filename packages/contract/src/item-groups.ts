import type { Hundredths } from './money.ts'
import type { StockRow } from './stock.ts'

/** The fields of an item that decide its group, and those that count in the group's sums. */
export type GroupedItem = Pick<
  StockRow,
  'id' | 'actual_product_id' | 'product_display_name' | 'grade_id' | 'grade_name' | 'sales_price' | 'cost'
>

/** The items of one product and grade. `lowest` and `highest` are the prices of the items that have a price. */
export type ItemGroup<Item> = {
  key: string
  product: string
  grade: string | null
  items: Item[]
  unpriced: number
  lowest: Hundredths | null
  highest: Hundredths | null
  cost: Hundredths
}

const order = new Intl.Collator('en', { numeric: true })

/** The items by product and grade, in the order of these names. The items without a grade come last. */
export function groupItems<Item extends GroupedItem>(
  items: readonly Item[],
  priceOf: (item: Item) => Hundredths | null = (item) => item.sales_price,
): ItemGroup<Item>[] {
  const groups = Map.groupBy(items, (item) => `${item.actual_product_id} ${item.grade_id ?? ''}`)
  return Array.from(groups, ([key, alike]): ItemGroup<Item> => {
    let [lowest, highest, unpriced, cost]: [Hundredths | null, Hundredths | null, number, Hundredths] = [
      null,
      null,
      0,
      0,
    ]
    for (const item of alike) {
      const price = priceOf(item)
      cost += item.cost
      if (price === null) unpriced++
      else {
        lowest = Math.min(lowest ?? price, price)
        highest = Math.max(highest ?? price, price)
      }
    }
    const { product_display_name: product, grade_name: grade } = alike[0]!
    return { key, product, grade, items: alike, unpriced, lowest, highest, cost }
  }).toSorted(
    (a, b) =>
      order.compare(a.product, b.product) ||
      Number(a.grade === null) - Number(b.grade === null) ||
      order.compare(a.grade ?? '', b.grade ?? ''),
  )
}
