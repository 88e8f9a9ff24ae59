import { expect, test } from 'vitest'
import { attributeTitle } from './attribute-name.ts'
import { columnLabel } from './column-label.ts'
import { NAMED_PERIODS, periodName } from './named-period.ts'
import { capacityText, productDisplayName } from './product-name.ts'
import { PURCHASE_CURRENCIES } from './purchase-currency.ts'
import { IDENTITY_NAMES, RECEIPT_KIND_NAMES, RECEIPT_PAYMENT_NAMES } from './receipt-kind.ts'
import {
  RETURN_CONDITION_NAMES,
  RETURN_OUTCOME_NAMES,
  RETURN_REASON_NAMES,
  RETURN_STATE_NAMES,
} from './return-state.ts'
import { ROLE_TITLES } from './role.ts'
import { STOCK_AGE_NAMES } from './stock-age.ts'
import { furtherTitle, STOCK_COLUMN_TITLES } from './stock-list-columns.ts'
import { TAKE_OVER_NAMES } from './take-over-fields.ts'
import { PURCHASE_TREATMENT_NAMES, TREATMENT_NAMES, treatmentAt } from './treatment.ts'
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
  ['functional', 'Function', 'Functional'],
  ['video_csv_id', 'Video CSV ID', 'Video Csv Id'],
])('%s is called %s in forms and %s in logs', (column, label, title) => {
  expect([columnLabel(column), attributeTitle(column)]).toEqual([label, title])
})

// The choices of a select, in their order: `value: name`.
test.each<[names: Readonly<Record<string, string>>, choices: string]>([
  [RETURN_STATE_NAMES, 'announced: Announced, received: Received, settled: Settled, refused: Refused'],
  [
    RETURN_REASON_NAMES,
    'not_stated: Not stated, faulty: Faulty, not_as_described: Not as described, wrong_item: Wrong item, ' +
      'damaged_in_transit: Damaged in transit, not_wanted: No longer wanted, other: Other',
  ],
  [
    RETURN_CONDITION_NAMES,
    'not_checked: Not checked, as_sold: As sold, used: Signs of use, damaged: Damaged, defective: Defective',
  ],
  [
    RETURN_OUTCOME_NAMES,
    'restock: Back in stock, inbound: Inbound for testing, to_supplier: To the supplier, scrap: Scrap',
  ],
  [RECEIPT_KIND_NAMES, 'private: Private person, self_billed: Dealer; self-billed'],
  [RECEIPT_PAYMENT_NAMES, 'cash: Cash, transfer: Bank transfer, trade_in: Set off against a sale'],
  [IDENTITY_NAMES, 'identity_card: Identity card, passport: Passport, driving_licence: Driving licence'],
  [
    TREATMENT_NAMES,
    'standard: With VAT, zero: Zero rate, margin: Margin scheme, reverse_charge: Reverse charge, ' +
      'intra_community: Intra-Community, export: Export, exempt: Exempt, none: No VAT type',
  ],
  [
    PURCHASE_TREATMENT_NAMES,
    'unknown: Unknown, standard: With VAT, margin: Margin scheme, reverse_charge: Reverse charge, ' +
      'intra_community: Intra-Community, import: Import',
  ],
  [ROLE_TITLES, 'ROLE_USER: User, ROLE_ADMIN: Admin'],
  [STOCK_AGE_NAMES, '0-30: 0–30 days, 31-60: 31–60 days, 61-90: 61–90 days, over-90: Over 90 days'],
  [TAKE_OVER_NAMES, 'grade: Grade, functional: Function, battery_health: Battery health, location: Location'],
  [
    STOCK_COLUMN_TITLES,
    'id: #, status: Status, product: Product, purchase_price: Purchase Price, sales_price: Sales Price, imei: IMEI, ' +
      'imei2: IMEI 2, serial_number: Serial number, backstock_id: Backstock ID, grade: Grade, functional: Function, ' +
      'battery_health: Battery, category: Category, supplier: Supplier, batch: Batch, location: Location, ' +
      'purchase_date: Purchase date, age: Age, margin: Margin, margin_percent: Margin %, vat: VAT, ' +
      'network_locked: Locked, notes: Notes, created_at: Created',
  ],
  [
    Object.fromEntries(NAMED_PERIODS.map((period) => [period, periodName(period)])),
    'today: Today, yesterday: Yesterday, this-week: This week, last-week: Last week, this-month: This month, ' +
      'last-month: Last month, this-quarter: This quarter, last-quarter: Last quarter, this-year: This year, ' +
      'last-year: Last year',
  ],
])('the choices %j are named', (names, choices) => {
  const said = Object.entries(names).map(([value, name]) => `${value}: ${name.replaceAll(',', ';')}`)
  expect(said.join(', ')).toBe(choices)
})

test('a further column that is called like one of the list says whence it comes', () => {
  expect([furtherTitle('Grade'), furtherTitle('Shelf')]).toEqual(['Grade (import)', 'Shelf'])
})

test('currencies have the names of Unicode, but for six that the trade calls otherwise', () => {
  const official = new Intl.DisplayNames('en-GB', { type: 'currency' })
  const own = Object.entries(PURCHASE_CURRENCIES).filter(
    ([code, name]) => official.of(code)?.toLowerCase() !== name.toLowerCase(),
  )
  expect(own).toEqual([
    ['GBP', 'Pound sterling'],
    ['ISK', 'Icelandic krona'],
    ['BAM', 'Bosnian mark'],
    ['AED', 'UAE dirham'],
    ['ILS', 'Israeli shekel'],
    ['TWD', 'Taiwan dollar'],
  ])
  expect(Object.keys(PURCHASE_CURRENCIES)).toHaveLength(54)
})
