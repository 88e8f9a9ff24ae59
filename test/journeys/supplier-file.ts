import { luhnCheckDigit } from '@backstock/contract/imei.ts'

const MODELS = [
  ['Apple', 'iPhone 12', '64', 'Black'],
  ['Apple', 'iPhone 13', '128', 'Blue'],
  ['Samsung', 'Galaxy S21', '128', 'Grey'],
  ['Google', 'Pixel 6', '128', 'Black'],
] as const

/** The IMEI of row `n`, from 0. */
export function imeiOf(n: number): string {
  const first14 = `3512340${String(n).padStart(7, '0')}`
  return first14 + luhnCheckDigit(first14)
}

/** The net sales price of row `n` in hundredths. */
export const salesPriceOf = (n: number) => 24_990 + (n % 7) * 1_005

const euros = (cents: number) => `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`

/**
 * What a supplier on the continent sends: semicolons, comma decimals, a byte order mark, CRLF. All rows are good but
 * the last: its IMEI went through a spreadsheet, and its supplier is unknown.
 */
export function supplierFile(good: number): Buffer {
  const header = [
    'imei',
    'status',
    'make',
    'model',
    'capacity',
    'capacity_unit',
    'colour',
    'category',
    'supplier',
    'purchase_price',
    'purchase_date',
    'sales_price',
    'vat',
    'grading_battery',
  ]
  const row = (imei: string, supplier: string, n: number) => {
    const [make, model, capacity, colour] = MODELS[n % MODELS.length]!
    const prices = [euros(18_000 + (n % 5) * 250), '2026-11-02', euros(salesPriceOf(n))]
    return [imei, 'In Stock', make, model, capacity, 'GB', colour, 'Phones', supplier, ...prices, 'Standard', '87%']
  }
  const rows = Array.from({ length: good }, (_, n) => row(imeiOf(n), 'Pallet Traders', n))
  const bad = row('3,56E+14', 'Nobody Knows Ltd', good)
  return Buffer.from(`\ufeff${[header, ...rows, bad].map((cells) => cells.join(';')).join('\r\n')}\r\n`)
}

/**
 * What another one sends: titles above the header, German names, dates and amounts, and the encoding of an old
 * spreadsheet. Nobody knows the supplier, and nothing is said of the category.
 */
export function germanFile(imeis: readonly string[]): Buffer {
  const lines = [
    ['Lieferung 4711 für Backstock'],
    ['Stand: 18.11.2026'],
    [],
    ['IMEI-Nr', 'Hersteller', 'Modell', 'Speicher', 'Farbe', 'Price', 'Kaufdatum', 'SIM-Lock', 'Lieferant', 'Palette'],
    ...imeis.map((imei, n) => {
      const price = n === 0 ? '1.249,90' : `${200 + n},50`
      const device = [imei, 'Apple', 'iPhone 13', '128 GB', 'Grün']
      return [...device, price, '18.11.2026', n % 2 ? 'WAHR' : 'FALSCH', 'Foxway AB', 'P-1']
    }),
  ]
  return Buffer.from(lines.map((cells) => cells.join(';')).join('\r\n'), 'latin1')
}
