import { expect, test } from 'vitest'
import { type OnReceipt, stillSaid } from './receipt-differences.ts'

const item: Parameters<typeof stillSaid>[0] = {
  ...{ purchase_price: 20_000, purchase_currency: 'EUR', purchase_treatment: 'margin' },
  ...{ product_display_name: 'Apple iPhone 13', grade_name: 'A', imei: '356938035643809', serial_number: 'F2LX' },
  supplier_id: 7,
}
const printed: OnReceipt = {
  ...{ price: 20_000, currency: 'EUR', description: 'Apple iPhone 13, A', imei: '356938035643809' },
  ...{ serial_number: 'F2LX', supplier_id: 7, seller_name: 'Ann' },
}

test('an item that is as its receipt says has no words that are no longer true', () => {
  expect(stillSaid(item, printed)).toEqual([])
  expect(stillSaid({ ...item, grade_name: null }, { ...printed, description: 'Apple iPhone 13' })).toEqual([])
})

test.each<[changes: Partial<typeof item>, words: string[]]>([
  [{ purchase_price: 20_001 }, ['EUR 200.00']],
  [{ purchase_currency: 'USD' }, ['EUR 200.00']],
  [{ product_display_name: 'Apple iPhone 12' }, ['Apple iPhone 13, A']],
  [{ grade_name: null }, ['Apple iPhone 13, A']],
  [{ imei: null }, ['IMEI 356938035643809']],
  [{ serial_number: 'G2LX' }, ['serial number F2LX']],
  [{ supplier_id: null }, ['bought from Ann']],
  [{ purchase_treatment: 'unknown' }, ['bought under: Margin scheme']],
  [{ purchase_price: 1, supplier_id: 8, imei: '1' }, ['EUR 200.00', 'IMEI 356938035643809', 'bought from Ann']],
])('after %j the receipt still says %j', (changes, words) => {
  expect(stillSaid({ ...item, ...changes }, printed)).toEqual(words)
})

test('a receipt without an identifier says that there was none', () => {
  expect(stillSaid(item, { ...printed, imei: null, serial_number: null })).toEqual(['no IMEI', 'no serial number'])
})
