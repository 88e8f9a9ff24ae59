import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IMPORT_FIELDS } from './csv-columns.ts'
import { isCellFor, shareLook, ticks } from './import-cells.ts'
import { decimalOf, plainCell } from './import-columns.ts'
import { currencyOfPrice } from './import-prices.ts'
import { formatMoney, MAX_PRICE, parseCurrencyUnits } from './money.ts'

const price = (cell: string, decimal: ',' | '.' | null = null) =>
  parseCurrencyUnits(plainCell('purchase_price', cell, decimal))

test.each([
  ['1.249,90', 124_990],
  ['1,249.90', 124_990],
  ['€249.90', 24_990],
  ['249,90 zł', 24_990],
  ['EUR 249,9', 24_990],
  ['249.90 EUR', 24_990],
  ['1 249,90', 124_990],
  ['1\u00a0249,90 €', 124_990],
  ['1\u202f249\u202f000,90', 124_900_090],
  ["1'249.90", 124_990],
  ['1.249.000', 124_900_000],
  ['249,-', 24_900],
  ['249.0000', 24_900],
  ['249', 24_900],
])('%s is read in one way only', (cell, amount) => {
  for (const decimal of [',', '.', null] as const) expect(price(cell, decimal)).toBe(amount)
})

test('digits that may be thousands or decimals are read as the other prices are written, else are no price', () => {
  expect([price('1.234', ','), price('1,234', '.'), price('€ 12.345', ',')]).toEqual([123_400, 123_400, 1_234_500])
  for (const cell of ['1.234', '1,234', '12.345', '123,456', '1.230'])
    expect([plainCell('purchase_price', cell, null), price(cell)]).toEqual([cell, null])
  expect([price('1.234', '.'), price('1,234', ',')]).toEqual([null, null])
  expect([price('1.230', '.'), price('1,230', ',')]).toEqual([123, 123])
})

test.each([
  '-5',
  '1e3',
  '0.500',
  '1,24,900',
  '1.2.3',
  '12 34',
  'on request',
  '5 kr',
  '$5 EUR',
  '€',
  '5-6',
  '1.249,9.0',
  '',
])('%j is left as it is, and is no price', (cell) => {
  for (const decimal of [',', '.', null] as const) {
    expect(plainCell('purchase_price', cell, decimal)).toBe(cell)
    expect(price(cell, decimal)).toBe(null)
  }
})

test('each price comes back from how people write it, in both styles', () => {
  const styled = (amount: number, decimal: ',' | '.', sign: string) => {
    const english = formatMoney(amount)
    const text = decimal === '.' ? english : english.replace(/[,.]/g, (mark) => (mark === ',' ? '.' : ','))
    return `${sign}${text}`
  }
  fc.assert(
    fc.property(
      fc.nat(MAX_PRICE),
      fc.constantFrom(',' as const, '.' as const),
      fc.constantFrom('', '€', 'EUR '),
      fc.constantFrom(',' as const, '.' as const, null),
      (amount, style, sign, decimal) => {
        const cell = styled(amount, style, sign)
        expect(decimalOf([cell])).toBe(style)
        expect(price(cell, decimal)).toBe(amount)
        expect(price(cell.replace(/[.,]00$/, ''), style)).toBe(amount)
      },
    ),
  )
})

test('how decimals are written is known from the cells that can be read in one way, if they agree', () => {
  expect(decimalOf(['1.234', '249', 'x', '99,5'])).toBe(',')
  expect(decimalOf(['1,234', '€ 0.99', ''])).toBe('.')
  expect(decimalOf(['1.249.000'])).toBe(',')
  expect(decimalOf(['1.234', '12', 'n/a'])).toBe(null)
  expect(decimalOf(['249,90', '249.90'])).toBe('mixed')
})

test('a price says its currency; that of a sale is always euros', () => {
  expect(['249 zł', '$5', 'GBP 7', '€1', '5', 'x5'].map(currencyOfPrice)).toEqual([
    'PLN',
    'USD',
    'GBP',
    'EUR',
    undefined,
    undefined,
  ])
  expect(plainCell('sales_price', '249,90 zł', null)).toBe('249,90 zł')
  expect(plainCell('sales_price', '249,90 €', null)).toBe('249.90')
  expect(['€', 'euro', 'usd', 'Zł', '?'].map((cell) => plainCell('purchase_currency', cell, null))).toEqual([
    'EUR',
    'EUR',
    'USD',
    'PLN',
    '?',
  ])
})

test.each([
  '18.11.2026',
  '18/11/2026',
  '18/11/26',
  '2026-11-18',
  '18-11-2026',
  '2026/11/18',
  '20261118',
  '18.11.26',
  '18.11.2026 14:33',
  '2026-11-18T00:00:00.000Z',
  '18/11/2026 2:33 PM',
  '18-Nov-26',
  '18. November 2026',
  'November 18th, 2026',
  '18 novembre 2026',
  '18 de noviembre de 2026',
  '18 listopada 2026',
])('%s is the 18th of November', (cell) => {
  expect(plainCell('purchase_date', cell, null)).toBe('2026-11-18')
})

test('the day stands before the month, and a day that might be another one is left as it is', () => {
  expect(plainCell('purchase_date', '3/4/2026', null)).toBe('2026-04-03')
  expect(plainCell('purchase_date', '1 März 2026', null)).toBe('2026-03-01')
  expect(plainCell('purchase_date', '2. sierpień 2026', null)).toBe('2026-08-02')
  for (const cell of ['11/18/2026', '18-11-26', '31.02.2026', '46344', 'Nov 2026', '18 Foo 2026', '18.11', 'today'])
    expect(plainCell('purchase_date', cell, null)).toBe(cell)
})

test('every day comes back from how people write it', () => {
  const two = (n: number) => String(n).padStart(2, '0')
  fc.assert(
    fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
      const [iso, year, month, day] = [
        date.toISOString().slice(0, 10),
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
      ]
      const english = date.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
      for (const cell of [iso, `${day}.${month}.${year}`, `${two(day)}/${two(month)}/${year}`, english])
        expect(plainCell('purchase_date', cell, null)).toBe(iso)
    }),
  )
})

const LOCKED = 'true|YES|Ja|oui|sí|Si|Tak|WAHR|VRAI|WAAR|VERDADERO|VERO|PRAWDA|1|Locked|SIM-Lock|zablokowany'
const FREE = 'false|no|Nein|non|nee|nie|FALSCH|FAUX|ONWAAR|FALSO|FAŁSZ|0|unlocked|SIM free|débloqué|libre'
test.each([
  ['network_locked', LOCKED, 'true'],
  ['network_locked', FREE, 'false'],
  ['network_locked', '-|n/a', ''],
  ['capacity', '1|1.0', '1'],
  ['capacity', '128|128.0|128GB|128 gb|128 Go|128 GiB|128 GBytes|128 GByte|128 G', '128 GB'],
  ['capacity', '3', '3'],
  ['capacity', '4', '4 GB'],
  ['capacity', '2048', '2048 GB'],
  ['capacity', '2049', '2049'],
  ['capacity', '1 To', '1 TB'],
  ['capacity_unit', 'gb|Go| GB ', 'GB'],
  ['vat', '21|21%|21 %|21,00 %|0,21|0.21', '21%'],
  ['vat', '5,5', '5.5%'],
  ['vat', '0', '0%'],
  ['vat', '1', '1%'],
  ['vat', '0,5 %', '0.5%'],
  ['battery_health', '87|87%|87 %|87.0|87,00|0.87|0,87', '87'],
  ['battery_health', '0.9|0,90', '90'],
  ['battery_health', 'n/a|-', ''],
  ['functional', 'Working|Fully functional|OK|yes|funktioniert|Sprawny', 'working'],
  ['functional', 'Minor faults|minor-faults|Defauts mineurs', 'minor faults'],
  ['functional', 'Faulty|DEFEKT|no|nie działa|kaputt', 'faulty'],
  ['functional', 'Untested|nicht getestet|Non testé', 'untested'],
] as const)('%s: %s', (field, cells, says) => {
  for (const cell of cells.split('|')) expect([cell, plainCell(field, cell, null)]).toEqual([cell, says])
})

test('cells that are not understood, and those of literal fields, come back as they are', () => {
  for (const cell of ['maybe', 'yes and no']) expect(plainCell('network_locked', cell, null)).toBe(cell)
  for (const cell of ['Standard 21', 'Margin', '21% (NL)']) expect(plainCell('vat', cell, null)).toBe(cell)
  for (const cell of ['6/128', '128 XB', '6.1"']) expect(plainCell('capacity', cell, null)).toBe(cell)
  for (const cell of ['8 GB', 'GB 8', 'GB8']) expect(plainCell('capacity_unit', cell, null)).toBe(cell)
  for (const cell of ['at 87', '87 (new)', '87.5']) expect(plainCell('battery_health', cell, null)).toBe(cell)
  for (const field of ['imei', 'serial_number', 'status', 'model', 'engineer_notes', 'supplier'] as const)
    expect(plainCell(field, ' 1.249,90 ', ',')).toBe(' 1.249,90 ')
})

test.each([
  ['purchase_price', '249|249.90|1,234|1.234|€ 99|', 'on request 249|249 for both|249.9.9|A'],
  ['sales_price', '249|249.90|1,234|1.234|€ 99|', 'ab 249|249 for both|A1|A.B'],
  ['purchase_currency', 'EUR|zł', 'Vodafone'],
  ['network_locked', 'Unlocked|ja|n/a|', 'Vodafone'],
  ['functional', 'Minor faults|OK|-', 'Grade A'],
  ['capacity', '128 GB|128|1 To|3|', 'RAM 8|128 GB used|6/128|A'],
  ['battery_health', '87%|100|', '101|A|87 (new)|at 87'],
  ['purchase_date', '18.11.2026|-', '31.02.2026|wiped'],
  ['model', 'anything', ''],
] as const)('what may stand in a column of %s: %s, and what may not: %s', (field, may, mayNot) => {
  for (const cell of may.split('|')) expect([cell, isCellFor(field, cell)]).toEqual([cell, true])
  for (const cell of mayNot.split('|').filter(Boolean)) expect([cell, isCellFor(field, cell)]).toEqual([cell, false])
})

test('a cell that was understood is understood as the same again', () => {
  const written = fc.string({ unit: fc.constantFrom(...'0123456789.,€ %GTBo-/złyesnoJa'), maxLength: 12 })
  const cell = fc.oneof(written, fc.constantFrom(...LOCKED.split('|'), ...FREE.split('|'), '18. Mai 2026', '-'))
  fc.assert(
    fc.property(
      fc.constantFrom(...IMPORT_FIELDS),
      cell,
      fc.constantFrom(',' as const, '.' as const, null),
      (field, text, decimal) => {
        const once = plainCell(field, text, decimal)
        expect(plainCell(field, once, decimal)).toBe(once)
      },
    ),
    { numRuns: 2000 },
  )
})

const lock = (cell: string) => [plainCell('network_locked', cell, null), plainCell('network_unlocked', cell, null)]

test('yes and no are turned if the column says the opposite', () => {
  for (const yes of [
    'yes',
    'Y',
    'Ja',
    'oui',
    'Sí',
    'sì',
    'TAK',
    'true',
    'WAHR',
    'vrai',
    'waar',
    'verdadero',
    'vero',
    '1',
  ])
    expect([yes, ...lock(yes)]).toEqual([yes, 'true', 'false'])
  for (const no of ['no', 'N', 'Nein', 'nee', 'Non', 'nie', 'false', 'FALSCH', 'faux', 'onwaar', 'falso', 'fałsz', '0'])
    expect([no, ...lock(no)]).toEqual([no, 'false', 'true'])
  const working = (cell: string) => [plainCell('functional', cell, null), plainCell('faulty', cell, null)]
  expect(['yes', 'nein', 'working', 'defekt', 'untested'].map(working)).toEqual([
    ['working', 'faulty'],
    ['faulty', 'working'],
    ['working', 'working'],
    ['faulty', 'faulty'],
    ['untested', 'untested'],
  ])
})

test('words that say it themselves hold whatever the column is called', () => {
  for (const cell of [
    ...['Locked', 'Locked to EE', 'Locked (Vodafone)', 'gesperrt', 'Verrouillé', 'SIM-Lock: ja', 'Network lock: yes'],
    ...['Bloqueado', 'bloccato da TIM', 'zablokowany', 'gelockt', 'not unlocked', 'unlocked: no', 'nicht entsperrt'],
  ])
    expect([cell, ...lock(cell)]).toEqual([cell, 'true', 'true'])
  for (const cell of [
    ...['Unlocked', 'frei', 'SIM-Lock: frei', 'SIM free', 'not locked', 'nicht gesperrt', 'SIM lock: no', 'Libre'],
    ...['Désimlocké', 'simlockvrij', 'sbloccato', 'bez simlocka', 'Odblokowany', 'sin simlock', 'Unlocked - yes'],
  ])
    expect([cell, ...lock(cell)]).toEqual([cell, 'false', 'false'])
})

test('a cell about another lock, or in doubt, says nothing', () => {
  const cells = [
    'Locked?',
    'iCloud locked',
    'locked to iCloud',
    'Locked, now unlocked',
    'EE',
    'Unlocked EE only',
    'FMI off',
  ]
  for (const cell of cells) expect([cell, ...lock(cell)]).toEqual([cell, cell, cell])
})

test.each([
  [['0.93', '1', '0,8'], true],
  [['0.93', '1.00', 'n/a', ''], true],
  [['1', '1'], false],
  [['0', '1'], false],
  [['0.93', '93'], false],
  [['0.93', '1.1'], false],
  [[], false],
])('the cells %j are shares of 1: %s', (cells, areShares) => {
  const look = shareLook()
  for (const cell of cells) look.add(cell)
  expect(look.areShares()).toBe(areShares)
})

test('a list ticks what is so if it says yes in one word or by a mark, and never no', () => {
  for (const cells of [['x', ''], ['X', 'x'], ['yes'], ['Ja', '', 'ja'], ['✓', 'Locked?', 'N/A']])
    expect([cells, ticks(cells)]).toEqual([cells, true])
  for (const cells of [[], [''], ['yes', 'no'], ['no'], ['x', 'yes'], ['Locked', ''], ['✗']])
    expect([cells, ticks(cells)]).toEqual([cells, false])
  // In one cell, an x may tick an item or cross it out, so it stays an x and is no word for 'none'.
  for (const column of ['network_locked', 'network_unlocked', 'functional', 'faulty'] as const)
    expect([plainCell(column, 'x', null), isCellFor(column, ' X ')]).toEqual(['x', true])
  expect(plainCell('purchase_date', 'x', null)).toBe('')
})
