import { expect, test } from 'vitest'
import { failedRow, moreFailed } from './failed-rows.ts'

test('a failed row names the fields of its faults, but not those of the row as a whole', () => {
  const imei = 'This IMEI is in stock already.'
  expect(failedRow(4, { imei, make: 'This field is required.' })).toBe(
    `Row 4: IMEI: ${imei} Make: This field is required.`,
  )
  for (const field of ['csv', 'row'])
    expect(failedRow(4, { [field]: 'It is not an item.' })).toBe('Row 4: It is not an item.')
  expect(failedRow(4, 'Disk full.')).toBe('Row 4: Disk full.')
})

test('the failed rows that are not listed are counted', () => {
  expect(moreFailed(1)).toBe('1 more row failed: see the import history.')
  expect(moreFailed(1200)).toBe('1,200 more rows failed: see the import history.')
})
