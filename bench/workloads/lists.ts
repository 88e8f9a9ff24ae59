import type { Bench } from '../bench.ts'
import type { Exchange } from '../load-client.ts'
import { requests } from './workload.ts'

const get = (path: string): Exchange => ({ method: 'GET', path })
const AREAS = ['stock', 'batch', 'sale', 'customer', 'user', 'supplier']
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)

/** The last 8 digits of some items' IMEIs, which people type to find a phone. */
const lastDigits = (bench: Bench, n: number) => bench.inStock.slice(0, n).map(({ imei }) => imei.slice(-8))

/**
 * Texts that people type to find a model: make and capacity; make, model and colour; make and the last digits of an
 * IMEI.
 */
function wordsOfSome({ inStock }: Bench, n: number): string[] {
  const [makes, colours] = [
    ['apple', 'samsung', 'nokia', 'sony'],
    ['black', 'gold', 'graphite'],
  ]
  return inStock.slice(0, n).map(({ imei }, at) => {
    const make = makes[at % makes.length]
    if (at % 3 === 0) return `${make} ${[128, 256, 512][(at % 9) / 3]}`
    return at % 3 === 1 ? `${make} ${10 + (at % 2)} ${colours[at % colours.length]}` : `${imei.slice(-8)} model`
  })
}

const inStock = 'status=In%20Stock&per_page=10'

export const lists = [
  requests({
    id: 'S1',
    title: 'Stock list, In Stock, newest first, exact total',
    asked: { ratio: 3, share: 0.35 },
    operations: (_, side) => [[get(side === 'limit' ? '/newest' : `/api/stock/find?${inStock}`)]],
  }),
  requests({
    id: 'S2',
    title: 'The same by sales price',
    asked: { ratio: 3, share: 0.35 },
    operations: (_, side) => [
      [get(side === 'limit' ? '/byPrice' : `/api/stock/find?${inStock}&order_by=sales_price_desc`)],
    ],
  }),
  requests({
    id: 'S3',
    title: 'The same, a page in the middle',
    asked: { ratio: 1.5, share: 0.6 },
    operations: ({ size: { deepPage } }, side) => [
      [get(side === 'limit' ? `/deep?offset=${(deepPage - 1) * 10}` : `/api/stock/find?${inStock}&page=${deepPage}`)],
    ],
  }),
  requests({
    id: 'S4',
    title: 'Stock search by 8 digits of an IMEI',
    asked: { ratio: 1.5, share: 0.6 },
    operations: (bench, side, n) =>
      lastDigits(bench, n).map((digits) => [
        get(side === 'limit' ? `/search?search=${digits}` : `/api/stock/find?per_page=10&search=${digits}`),
      ]),
  }),
  requests({
    id: 'S4w',
    title: 'Stock search by a whole IMEI',
    operations: ({ inStock }, side, n) =>
      inStock
        .slice(0, n)
        .map(({ imei }) => [
          get(side === 'limit' ? `/whole?search=${imei}` : `/api/stock/find?per_page=10&search=${imei}`),
        ]),
  }),
  requests({
    id: 'S20',
    title: 'Stock search by two and three words',
    asked: { ratio: 2, share: 0.5 },
    operations: (bench, side, n) =>
      wordsOfSome(bench, n)
        .map(encodeURIComponent)
        .map((words) => [
          get(side === 'limit' ? `/words?search=${words}` : `/api/stock/find?per_page=10&search=${words}`),
        ]),
  }),
  requests({
    id: 'S5',
    title: 'Quick search over six areas',
    asked: { ratio: 1.5, share: 0.6 },
    operations: (bench, side, n) =>
      lastDigits(bench, n).map((digits) =>
        AREAS.map((area) =>
          get(
            side === 'limit'
              ? `/quick${capital(area)}?search=${digits}`
              : `/api/${area}/find?per_page=10&quick=true&search=${digits}`,
          ),
        ),
      ),
  }),
]
