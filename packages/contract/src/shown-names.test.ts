import { expect, test } from 'vitest'
import { attributeTitle } from './attribute-name.ts'
import { columnLabel } from './column-label.ts'
import { capacityText, productDisplayName } from './product-name.ts'
import { treatmentAt } from './treatment.ts'
import { formatRate, vatDisplayName } from './vat-rate.ts'

type Parts = Parameters<typeof productDisplayName>

test.each<[parts: Parts, name: string, capacity: string]>([
  [['Apple', 'iPhone 13', 128, 'GB', 'Black'], 'Apple iPhone 13 128 GB Black', '128 GB'],
  [['Apple', 'iPhone 13', 128, null, null], 'Apple iPhone 13 128', '128'],
  [['Nokia', '3310', null, 'MB', 'Blue'], 'Nokia 3310 Blue', '-'],
])('a product of %j is called %s', (parts, name, capacity) => {
  expect([productDisplayName(...parts), capacityText(parts[2], parts[3])]).toEqual([name, capacity])
})

test.each([
  [0, '0'],
  [5, '0.05'],
  [50, '0.5'],
  [700, '7'],
  [2000, '20'],
  [2150, '21.5'],
  [2105, '21.05'],
  [10_000, '100'],
])('a rate of %s hundredths is %s percent', (rate, percent) => {
  expect([formatRate(rate), vatDisplayName('Standard', rate)]).toEqual([percent, `Standard (${percent}%)`])
})

test('a treatment is named with its rate only if it has one', () => {
  expect([treatmentAt('standard', 21.5), treatmentAt('margin', 0)]).toEqual(['VAT 21.5%', 'Margin scheme'])
})

test.each([
  ['serial_number', 'Serial number', 'Serial Number'],
  ['backstock_id', 'Backstock ID', 'Backstock Id'],
  ['imei', 'IMEI', 'Imei'],
  ['vat', 'VAT', 'Vat'],
  ['imei2', 'IMEI 2', 'Imei2'],
  ['meid', 'MEID', 'Meid'],
  ['video_csv_id', 'Video CSV ID', 'Video Csv Id'],
])('%s is called %s in forms and %s in logs', (column, label, title) => {
  expect([columnLabel(column), attributeTitle(column)]).toEqual([label, title])
})
