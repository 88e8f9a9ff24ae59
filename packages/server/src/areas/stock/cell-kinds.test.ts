import { MAX_ID, MAX_NOTES } from '@backstock/contract/fields.ts'
import { expect, test } from 'vitest'
import * as kinds from './cell-kinds.ts'
import { BadCell, type CellKind, capacityAndUnit, quoted } from './cell-kinds.ts'

const BACKSTOCK_ID = kinds.textIdentifier('Backstock ID')
const IS_READ: [kind: unknown, cell: string, value: unknown][] = [
  [kinds.TEXT, '  Two \n words ', 'Two words'],
  [kinds.TEXT, 'x'.repeat(255), 'x'.repeat(255)],
  [kinds.NOTES, ' One \n two ', 'One \n two'],
  [kinds.NAME, ' Grade  A ', 'Grade A'],
  [kinds.PRICE, '249,90', 24_990],
  [kinds.PRICE, '0', 0],
  [kinds.PRICE, '1000000.00', 100_000_000],
  [kinds.PURCHASE_CURRENCY, 'usd', 'USD'],
  [kinds.FX_RATE, '4,25', 4.25],
  [kinds.CURRENCY_CODE, 'eur', 'EUR'],
  [kinds.DATE, '2024-02-29', '2024-02-29'],
  [kinds.DATE, '03/12/2025', '2025-12-03'],
  [kinds.IMEI, '35-693803 564380-9', '356938035643809'],
  [kinds.IMEI, 'n/a', undefined],
  [kinds.MEID, 'a1000012345678', 'A1000012345678'],
  [kinds.EID, '8904 9032 0000 0000 0000 0000 0000 0001', '89049032000000000000000000000001'],
  [kinds.SERIAL, "'F2LXQ1", 'F2LXQ1'],
  [kinds.SERIAL, 'unknown', undefined],
  [BACKSTOCK_ID, '2011-01-31', '2011-01-31'],
  [kinds.ITEM_NUMBER, '#7', 7],
  [kinds.ITEM_NUMBER, String(MAX_ID), MAX_ID],
  [kinds.STATUS, 'returned TO supplier', 'Returned to Supplier'],
  [kinds.WORKING, 'Minor_-faults', 'minor faults'],
  [kinds.BATTERY, '100 %', 100],
  [kinds.BATTERY, '0', 0],
  [kinds.PURCHASE, 'intra community', 'intra_community'],
  [kinds.PURCHASE, 'With VAT', 'standard'],
  [kinds.UNIT, 'gb', 'GB'],
  [kinds.CAPACITY, '1000000', 1_000_000],
  [kinds.FLAG, 'YES', true],
  [kinds.FLAG, '1', true],
  [kinds.FLAG, 'True', true],
  [kinds.FLAG, 'No', false],
  [kinds.FLAG, '0', false],
  [kinds.FLAG, 'false', false],
]

const nameOf = (kind: unknown) => Object.entries(kinds).find(([, one]) => one === kind)?.[0] ?? 'Backstock ID'
const read = (kind: unknown, cell: string) => (kind as CellKind<string | number | boolean>).read(cell)

test('each kind of cell is read in all its forms', () => {
  for (const [kind, cell, value] of IS_READ)
    expect([nameOf(kind), cell, read(kind, cell)]).toEqual([nameOf(kind), cell, value])
})

const IS_REFUSED: [kind: unknown, cell: string, message: string | RegExp][] = [
  [kinds.TEXT, 'x'.repeat(256), 'At most 255 characters.'],
  [kinds.TEXT, 'a\u0007', /^Has a control character/],
  [kinds.NOTES, 'x'.repeat(MAX_NOTES + 1), 'At most 10,000 characters.'],
  [kinds.NAME, 'One\ntwo', 'Must not hold a line break.'],
  [kinds.NAME, 'One\u2028two', 'Must not hold a line break.'],
  [kinds.PRICE, '-5', 'Must not be negative.'],
  [kinds.PRICE, '− 5', 'Must not be negative.'],
  [kinds.PRICE, 'cheap', "'cheap' is not a price: write it like 249.90 or 249,90."],
  [kinds.PRICE, '1000000.01', 'At most 1,000,000.00.'],
  [kinds.PURCHASE_CURRENCY, 'zloty', 'Must be the code of a currency, such as USD.'],
  [kinds.PURCHASE_CURRENCY, 'toString', 'Must be the code of a currency, such as USD.'],
  [kinds.FX_RATE, '0.04', /^Must be an exchange rate/],
  [kinds.CURRENCY_CODE, 'USD', 'Only EUR is supported.'],
  [kinds.DATE, '2025-02-29', 'Must be a real date as yyyy-mm-dd or dd/MM/yyyy.'],
  [kinds.DATE, '12/31/2025', 'Must be a real date as yyyy-mm-dd or dd/MM/yyyy.'],
  [kinds.IMEI, '356938035643808', /^The check digit of IMEI 356938035643808 is wrong/],
  [kinds.IMEI, '3.56938E+14', /shortened/],
  [kinds.IMEI, 'various', /^'various' does not identify a device/],
  [kinds.MEID, 'A100001234567G', 'An MEID has 14 digits, of which some may be A to F.'],
  [kinds.EID, '8904', 'An EID has 32 digits.'],
  [kinds.SERIAL, '2011-01-31', /^2011-01-31 is a date and not a serial number/],
  [kinds.ITEM_NUMBER, '0', "'0' is not the number of an item."],
  [kinds.ITEM_NUMBER, String(MAX_ID + 1), `'${MAX_ID + 1}' is not the number of an item.`],
  [kinds.ITEM_NUMBER, '#7a', "'#7a' is not the number of an item."],
  [
    kinds.STATUS,
    'Lost',
    "'Lost' is not a status: write Inbound, In Stock, In Batch, Sold, Returned to Supplier or Deleted.",
  ],
  [kinds.WORKING, 'broken', "'broken' is not a value for Function: write working, minor faults, faulty or untested."],
  [kinds.BATTERY, '101', 'Must be a whole number from 0 to 100.'],
  [kinds.BATTERY, '99.5', 'Must be a whole number from 0 to 100.'],
  [kinds.PURCHASE, 'VAT', /^'VAT' is not a VAT treatment of a purchase: write Unknown, With VAT, .+ or Import\.$/],
  [kinds.UNIT, 'PB', 'Must be MB, GB or TB.'],
  [kinds.CAPACITY, '0', 'Must be a whole number from 1 to 1,000,000.'],
  [kinds.CAPACITY, '1000001', 'Must be a whole number from 1 to 1,000,000.'],
  [kinds.FLAG, 'maybe', 'Must be true or false.'],
]

test('each kind of cell is refused in a sentence if it cannot be right', () => {
  for (const [kind, cell, message] of IS_REFUSED) {
    const reading = () => read(kind, cell)
    expect(reading, `${nameOf(kind)}: ${cell}`).toThrow(BadCell)
    expect(reading, `${nameOf(kind)}: ${cell}`).toThrow(typeof message === 'string' ? new BadCell(message) : message)
  }
})

test('a cell belongs to a column by itself only if it can hardly be anything else', () => {
  const cells = ['EUR', 'USD', '249.90', '87', '4.25', 'F2LX-Q1', 'Shelf', '31/01/2011', 'faulty', '356938035643809']
  const plain = Object.entries({ ...kinds, BACKSTOCK_ID }).flatMap(([name, kind]) =>
    typeof kind === 'object' && 'isPlainly' in kind ? [[name, cells.filter((cell) => kind.isPlainly(cell))]] : [],
  )
  const numbers = ['249.90', '87', '4.25']
  expect(Object.fromEntries(plain)).toEqual({
    ...{ TEXT: [], NOTES: [], NAME: [], FX_RATE: [], BATTERY: [], EID: [], MEID: [], STATUS: [], UNIT: [], FLAG: [] },
    ...{ PRICE: numbers, PURCHASE_CURRENCY: ['EUR'], CURRENCY_CODE: ['EUR'], DATE: ['31/01/2011'] },
    ...{ IMEI: ['356938035643809'], SERIAL: ['F2LX-Q1', '356938035643809'] },
    ...{ BACKSTOCK_ID: ['F2LX-Q1', '356938035643809'], ITEM_NUMBER: ['87'], WORKING: ['faulty'], PURCHASE: [] },
    CAPACITY: ['87'],
  })
})

test('a capacity may bring its unit; a message quotes the beginning of a cell, and no half of a sign', () => {
  expect(['128 GB', '128gb', '1 TB', '64'].map(capacityAndUnit)).toEqual([
    ...[
      { capacity: 128, unit: 'GB' },
      { capacity: 128, unit: 'GB' },
      { capacity: 1, unit: 'TB' },
    ],
    { capacity: 64, unit: undefined },
  ])
  expect(quoted('😀'.repeat(41))).toBe(`'${'😀'.repeat(40)}'`)
})
