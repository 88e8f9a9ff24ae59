import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { encoded } from '../../packages/server/src/testing/encoded.ts'

const MODELS = [
  ['Apple', 'iPhone 12', '64', 'Black'],
  ['Apple', 'iPhone 13', '128', 'Blue'],
  ['Samsung', 'Galaxy S21', '128', 'Grey'],
  ['Google', 'Pixel 6', '128', 'Black'],
] as const

/** The IMEI of row `n`, counted from 0. */
export function imeiOf(n: number): string {
  const first14 = `3512340${String(n).padStart(7, '0')}`
  return first14 + luhnCheckDigit(first14)
}

/** The net sales price of row `n` in hundredths. */
export const salesPriceOf = (n: number) => 24_990 + (n % 7) * 1_005

const euros = (cents: number) => `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`

/**
 * A file of a supplier in continental Europe: semicolons, decimal commas, a byte order mark, CRLF. All rows are good
 * but the last: a spreadsheet has changed its IMEI, and its supplier is unknown.
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

/** The bytes of a file that an old German spreadsheet program writes: semicolons, CRLF, Latin-1. */
const spreadsheet = (lines: readonly (readonly string[])[]) =>
  Buffer.from(lines.map((cells) => cells.join(';')).join('\r\n'), 'latin1')

/** A file with titles above its header. Its supplier is unknown, and it has no category and no status. */
export const titledFile = (imeis: readonly string[]) =>
  spreadsheet([
    ['Lieferung 4711 für Backstock'],
    ['Stand: 18.11.2026'],
    [],
    ['IMEI-Nr', 'Hersteller', 'Modell', 'Speicher', 'Farbe', 'EK', 'Lieferant', 'Palette'],
    ...imeis.map((imei, n) => [imei, 'Apple', 'iPhone 13', '128 GB', 'Grün', `${200 + n},50`, 'Foxway AB', 'P-1']),
  ])

/** A file whose amounts have points for thousands. */
export const pricedFile = (imeis: readonly string[]) =>
  spreadsheet([
    ['IMEI', 'Brand', 'Model', 'Storage', 'Category', 'Vendor', 'Status', 'Price'],
    ...imeis.map((imei, n) => [
      ...[imei, 'Apple', 'iPhone 13', '128 GB', 'Smartphones', 'Kringloop Telecom B.V.', 'In Stock'],
      n === 0 ? '1.249,90' : '1.250',
    ]),
  ])

/** A file with German dates, and with German words for yes and no. */
export const datedFile = (imeis: readonly string[]) =>
  spreadsheet([
    ['IMEI', 'Brand', 'Model', 'Storage', 'Category', 'Vendor', 'Status', 'Cost', 'Kaufdatum', 'SIM-Lock'],
    ...imeis.map((imei, n) => [
      ...[imei, 'Apple', 'iPhone 13', '128 GB', 'Smartphones', 'Kringloop Telecom B.V.', 'In Stock', '200'],
      ...['18.11.2026', n === 0 ? 'WAHR' : 'FALSCH'],
    ]),
  ])

/** A file from Poland, in the encoding of Central Europe. */
export function polishFile(imeis: readonly string[]): Buffer {
  const lines = [
    ['Marka', 'Model', 'Pamięć', 'Kolor', 'Kategoria', 'Numer IMEI', 'Cena zakupu', 'Data zakupu', 'Uwagi'],
    ...imeis.map((imei, n) => {
      const device = ['Apple', 'iPhone 13', '128 GB', 'Żółty', 'Smartphones', imei]
      return [...device, `1 ${200 + n},90 zł`, '18.11.2026', 'pęknięta szyba, wyświetlacz żółknie']
    }),
  ]
  return encoded(lines.map((cells) => cells.join(';')).join('\r\n'), 'windows-1250')
}

/**
 * A file with prices in another currency, which is named in the column's name or in the cells. It has no supplier,
 * category or status.
 */
export const foreignFile = (imeis: readonly string[], column: string, price: string) =>
  spreadsheet([
    ['Brand', 'Model', 'Storage', 'IMEI', column],
    ...imeis.map((imei) => ['Apple', 'iPhone 13', '128 GB', imei, price]),
  ])

/** A file without makes. The shop lacks one of its models, and its column of categories is empty. */
export const makelessFile = (imeis: readonly string[], unknownModel: string) =>
  spreadsheet([
    ['Model', 'Category', 'IMEI', 'Price'],
    ...imeis.map((imei, n) => [n === 0 ? unknownModel : 'iPhone 13 128GB', '', imei, '199,90']),
  ])

/** A file with three kinds of identifiers in one column. In one row the quantity contradicts the identifiers. */
export const mixedFile = (identifiers: readonly string[]) =>
  spreadsheet([
    ['Brand', 'Model', 'IMEI / MEID / Serial', 'Price', 'Qty'],
    ...identifiers.map((one, n) => ['Apple', 'iPhone 13 128GB', one, '199,90', n === 0 ? '3' : '1']),
  ])
