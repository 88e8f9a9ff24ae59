import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dayMessage,
  fullerImei,
  identifierInSearch,
  identifierOfCell,
  identifierOfLine,
  isDay,
  isShortened,
  isWeakSerial,
  noPhoneMessage,
  saysNone,
  serialProblem,
  shortenedMessage,
  typedIdentifier,
} from './identifier-cell.ts'
import { luhnCheckDigit } from './imei.ts'

const IMEI = '490154203237518'

test.each([
  `'${IMEI}`,
  `’${IMEI}'`,
  `="${IMEI}"`,
  `'="${IMEI}"`,
  `="'${IMEI}.0"`,
  `${IMEI}.0`,
  `\u200b${IMEI}\ufeff`,
  `\u00a0${IMEI}\u202f`,
  `=" ${IMEI}\u200d "`,
  `４９${IMEI.slice(2)}`,
])('%s is the number within', (cell) => {
  expect(identifierOfCell(cell)).toBe(IMEI)
})

test.each([
  'N/A',
  'n/a',
  'n.a.',
  'NA',
  '#N/A',
  '-',
  '--',
  '–',
  '0',
  '0.0',
  '000000000000000',
  'none',
  'NULL',
  'Unknown',
  'x',
  'xxx',
  '???',
  'TBC',
  't.b.a.',
  'ERROR',
  'Fehler',
  'unbekannt',
  'Keine',
  'inconnu',
  'aucun',
  'onbekend',
  'geen',
  'Desconocido',
  'ninguno',
  'sconosciuto',
  'nessuno',
  'nieznany',
  'brak',
  'Not available',
  'illegible',
  'See notes',
  '#VALUE!',
  '#WERT!',
])('%s stands for nothing', (cell) => {
  expect(identifierOfCell(cell)).toBe('')
  expect(identifierOfCell(`'${cell} `)).toBe('')
  expect(identifierOfCell(`="${cell}"`)).toBe('')
})

test.each(['V1.0', '10', 'x1', "O'NEIL", '1.05', '-7', '=1+1', 'NONESUCH', 'NA1', '0-1'])('%s stays', (cell) => {
  expect(identifierOfCell(cell)).toBe(cell)
})

test('cleaning twice is cleaning once, and there is an end to it', () => {
  const odd = fc.string({ unit: fc.constantFrom(...'\'=".0 1A-x\u200b\u00a0'.split('')), maxLength: 30 })
  fc.assert(fc.property(odd, (cell) => identifierOfCell(identifierOfCell(cell)) === identifierOfCell(cell)))
  expect(identifierOfCell("'".repeat(900))).toBe('')
  const endless = `1${"'".repeat(1_000_000)}1`
  // The text keeps its length, so that the import refuses it as too long.
  expect(identifierOfCell(endless).length).toBeGreaterThan(1000)
})

test('a number that a spreadsheet has shortened is told from a serial number', () => {
  for (const cell of ['3.56E+14', '1,23457E+11', '1e+15', '4E+2']) expect(isShortened(cell)).toBe(true)
  for (const cell of ['12E5', 'E+14', '3.56E+14X', '1.23457']) expect(isShortened(cell)).toBe(false)
})

test('the form with the check digit stays, whichever comes second; of two equal forms, the newer one', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{14}$/), fc.stringMatching(/^\d{2}$/), (first14, version) => {
      const [whole, long] = [first14 + luhnCheckDigit(first14), first14 + version]
      expect(fullerImei(`${first14}00`, long)).toBe(long)
      expect([fullerImei(whole, first14), fullerImei(first14, whole)]).toEqual([whole, whole])
      expect([fullerImei(whole, long), fullerImei(long, whole)]).toEqual([whole, whole])
      expect([fullerImei(long, first14), fullerImei(first14, long)]).toEqual([long, long])
    }),
  )
})

test('a serial number that many phones may have is told from one that names a phone', () => {
  for (const weak of [
    '3',
    '10',
    'S1',
    'abc',
    '6',
    '1250',
    '1.250',
    '990.00',
    '1,234.50',
    '€ 249,90',
    '12 pcs',
    '3 Stück',
  ])
    expect(isWeakSerial(weak), weak).toBe(true)
  for (const strong of ['F17AAA0002', '35000', 'C39A', 'SN-1', '12345678', '350000090000197', '1.2.3-A'])
    expect(isWeakSerial(strong), strong).toBe(false)
  fc.assert(fc.property(fc.string({ maxLength: 3 }), (short) => isWeakSerial(short)))
  fc.assert(fc.property(fc.integer({ min: 0, max: 99_999_99 }), (cents) => isWeakSerial((cents / 100).toFixed(2))))
})

test('a day is told from a serial number', () => {
  for (const day of ['2026-11-18', '18/11/2026', '11/18/2026', '18.11.2026', '2026-11-18 00:00:00', '2026-11-18T10:00'])
    expect(isDay(day), day).toBe(true)
  for (const serial of ['2026-1118', '18-11-26', '2026-31-31', '12-34-5678', '20261118', 'SN 2026-11-18'])
    expect(isDay(serial), serial).toBe(false)
})

test('a person is told what is wrong with a serial number', () => {
  expect(serialProblem('TBC', null)).toBe("'TBC' is not a serial number: leave the field empty.")
  expect(serialProblem('#REF!', '350000090000197')).toMatch('not a serial number')
  expect(serialProblem('2026-11-18', null)).toBe('2026-11-18 is a date and not a serial number.')
  expect(serialProblem('3', null)).toMatch("'3' does not identify one device")
  for (const fine of [
    serialProblem('3', '350000090000197'),
    serialProblem('F17AAA0002', null),
    serialProblem(null, null),
  ])
    expect(fine).toBeNull()
})

test.each([
  "'350000090000197",
  '350000090000197.0',
  '"350000090000197"',
  '="350000090000197"',
  '350000090000197\tOne\t249.90',
  'One;350000090000197;249.90',
  'IMEI:350000090000197',
  'IMEI 1: 350000090000197',
  'SN:C39AAA0001;IMEI:350000090000197',
])('the identifier of the line %j is the number within', (line) => {
  expect(identifierOfLine(line)).toBe('350000090000197')
})

test('a line that is an identifier stays as it is', () => {
  for (const line of ['C39AAA0001', '#7', 'SN-1', 'S/N', 'N/A', "O'NEIL", 'x y', '-7'])
    expect(identifierOfLine(line)).toBe(line)
  fc.assert(fc.property(fc.stringMatching(/^[A-Z0-9]{4,20}$/), (line) => identifierOfLine(line) === line))
})

test.each([
  ['1999-12-31', true],
  ['2026/1/5', true],
  ['2026-11-24T10:07', true],
  ['2026-11-24 10:07:09', true],
  ['31.12.2026', true],
  ['12/31/2026 9:05', true],
  ['2026-00-12', false],
  ['2026-01-32', false],
  ['2026-13-13', false],
  ['2026-11/24', false],
  ['31.12.26', false],
  ['1899-12-31', false],
  [`${IMEI}2026-11-24`, false],
])('%s is a day: %s', (identifier, expected) => {
  expect(isDay(identifier)).toBe(expected)
})

test('a word for several phones, or for none, is told with its message; a long text is not', () => {
  expect(noPhoneMessage(" ='See  above' ")).toBeNull()
  expect(noPhoneMessage('see above')).toBe(
    "'see above' does not identify a device: leave the cell empty, or leave out the row.",
  )
  expect(noPhoneMessage('="test"')).toContain("'test' does not identify a device")
  expect([noPhoneMessage(''), noPhoneMessage('C39AAA0001'), noPhoneMessage(`test${' '.repeat(30)}`)]).toEqual([
    null,
    null,
    null,
  ])
  expect(dayMessage('2026-11-24')).toMatch(/^2026-11-24 is a date .* as text/)
  expect(shortenedMessage('IMEI', '3.5E+14')).toMatch(/^A spreadsheet has shortened this IMEI to 3\.5E\+14: /)
})

test('a rounded number is known by its whole form', () => {
  expect(['3E+14', '35,5e+14', '1.23457E+11'].filter((text) => !isShortened(text))).toEqual([])
  expect(['A3E+14', '3E+14A', '3.E+14', '3E14', ''].filter(isShortened)).toEqual([])
})

test('the form of an IMEI with its check digit counts, then the longer one, then the newer one', () => {
  const [whole, short, version] = [IMEI, IMEI.slice(0, 14), `${IMEI}7`]
  expect(fullerImei(whole, version)).toBe(whole)
  expect(fullerImei(short, whole)).toBe(whole)
  expect(fullerImei(version, short)).toBe(version)
  expect(fullerImei(short, '49015420323752')).toBe('49015420323752')
})

test.each([
  ['IMEI: 490154203237518', IMEI],
  ['S/N: C39AAA0001', 'C39AAA0001'],
  ['49 015420 323751 8', '49 015420 323751 8'],
  ['490154-20-323751-8', '490154-20-323751-8'],
  ['iPhone 13', null],
  ['S/N:', null],
  [IMEI, null],
  ['49 015420 32375', null],
  ['49 015420 323751 8 A', null],
  [`IMEI: ${IMEI}${' '.repeat(1000)}`, null],
])('a search for %j is one for the identifier %j', (search, expected) => {
  expect(identifierInSearch(search)).toBe(expected)
})

test.each([
  [`1. ${IMEI}`, IMEI],
  [`${IMEI},One,249.90`, IMEI],
  [`(${IMEI}) and ${IMEI}`, IMEI],
  [`One,${IMEI},350000090000197`, `One,${IMEI},350000090000197`],
  [`C39AAA0001\t${IMEI}\t249.90`, IMEI],
  ['C39AAA0001;One', 'C39AAA0001'],
  [`\t;${IMEI}`, IMEI],
  ['"C39 AAA"', 'C39 AAA'],
  ['"C39 AAA', '"C39 AAA'],
  ['C39 AAA"', 'C39 AAA"'],
  ['"', '"'],
])('the line %j means %j', (line, expected) => {
  expect(identifierOfLine(line)).toBe(expected)
})

test.each([
  ['="490154203237518"', IMEI],
  ["''490154203237518'", IMEI],
  ['490154203237518.0', IMEI],
  ['a="b"', 'a="b"'],
  ['="b"c', '="b"c'],
  ["'", ''],
  ["''", ''],
])('the cell %j holds %j', (cell, expected) => {
  expect(typedIdentifier(cell)).toBe(expected)
})

test('a serial number of fewer than four letters, a count or a price finds no phone; 20 characters do', () => {
  expect(['C39', '1250', '990.00', '12345.67'].filter((serial) => !isWeakSerial(serial))).toEqual([])
  expect(['C39A', '123456', '€ 1.234.567.890,50 stk.'].filter(isWeakSerial)).toEqual([])
})

test.each([
  ...['990.5', '1.234,5', '1234,5', "1'234.50", '1 234,50', '12345,67', '100%'],
  ...['€', '$', '£', 'EUR', 'USD', 'GBP'].flatMap((currency) => [`${currency} 990`, `990,50 ${currency}`]),
  ...['x', 'pc', 'pcs.', 'pieces', 'unit', 'stk.', 'st', 'stück', 'stuks', 'szt.', 'pz.', 'ud', 'uds.'].map(
    (unit) => `12 ${unit}`,
  ),
])('the count or price %s finds no phone, also in capitals', (serial) => {
  expect([serial, serial.toUpperCase()].filter((one) => !isWeakSerial(one))).toEqual([])
})

test.each([
  ['1.250.000.000', true],
  ['1.250.000.000.000', false],
  ['12.50.000', false],
  ['12pcs', true],
  ['12 pc.', true],
  ['12 units', true],
  ['12  units', false],
  ['units 12', false],
  ['100 %', true],
  ['EUR 990', true],
  ['990 EUR', true],
  ['X 990', false],
  ['990 EURO', false],
  ['990.000', true],
  ['990.0000', false],
  ['1234567.89', true],
  ['12345678.90', false],
  ['12345.6', false],
  ['12345.678', false],
  ['A12345.67', false],
  ['12345.67A', false],
  ['1.250.000.000 units', true],
  ['1.250.000.000 pieces', false],
])('the serial number %s may be that of many phones: %s', (serial, expected) => {
  expect(isWeakSerial(serial)).toBe(expected)
})

test.each([
  ['2026-12-31', true],
  ['2026-31-12', true],
  ['31-12-2026', true],
  ['0-1-2026', false],
  ['2026-11-24 9:05', true],
  ['2026-11-24  9:05', false],
  ['2026-11-24 10:7', false],
  ['2026-11-24 10:07:9', false],
  ['2026-11-24x', false],
  ['x31.12.2026', false],
  ['31.12.2026x', false],
  ['31.12-2026', false],
  ['31.12.1826', false],
  ['31.12.2026T9:05', false],
  ['31.12.2026 9:05:01', true],
  ['131.12.2026', false],
])('%s looks like a day to a spreadsheet: %s', (identifier, expected) => {
  expect(isDay(identifier)).toBe(expected)
})

test('a cell says that there is nothing if it is empty or has a word for it, not by a word that is only unread', () => {
  expect(['', ' ', "'", '="n/a"', 'Not available', '#N/A', '–'].filter((cell) => !saysNone(cell))).toEqual([])
  expect(['C39A', 'TBC', 'pending', 'None of these'].filter(saysNone)).toEqual([])
})

test('a person is told of a word in the field for the serial number, and of no field that is empty', () => {
  expect(serialProblem('same as above', '350000090000197')).toBe(
    "'same as above' is not a serial number: leave the field empty.",
  )
  expect([serialProblem('', null), serialProblem('2026-31-31', null)]).toEqual([null, null])
  expect(serialProblem('990.00', '')).toBe(
    "'990.00' does not identify one device: enter the IMEI, or the maker’s serial number.",
  )
})

test('labels and separators around an identifier are no part of it', () => {
  for (const label of [
    'IMEI',
    'IMEI no.',
    'IMEI nr 2',
    'IMEI2:',
    'MEID =',
    'ESN#',
    'SN:',
    'Serial number: ',
    'serial no.:',
  ])
    expect([label, identifierOfLine(`${label} ${IMEI}`)]).toEqual([label, IMEI])
  for (const line of [`${IMEI}|One`, `One/${IMEI}`, `"${IMEI}",'One'`, `One (${IMEI})`])
    expect([line, identifierOfLine(line)]).toEqual([line, IMEI])
  const long = `${IMEI}\t${'x'.repeat(1000)}`
  expect(identifierOfLine(long)).toBe(identifierOfCell(long))
})

test('only a text in quotation marks right after the sign of a formula is taken out of it', () => {
  expect(['="C39AAA0001"', '= "C39AAA0001"', '=X"C39AAA0001"'].map(identifierOfCell)).toEqual([
    ...['C39AAA0001', 'C39AAA0001', '=X"C39AAA0001"'],
  ])
})

test('digits in pieces are an IMEI only if they are as many, in a text as long', () => {
  expect(['350000 090000197', '3500000900001971 2', [...'350000090000197'].join(' ')].map(identifierInSearch)).toEqual([
    ...['350000 090000197', null, null],
  ])
})

test('a cell, a line or a search of 1,000 characters is looked into, a longer one stays as it is', () => {
  const marked = (length: number) => `'${'A'.repeat(length - 1)}`
  expect([identifierOfCell(marked(1000)), identifierOfCell(marked(1001))]).toEqual(['A'.repeat(999), marked(1001)])
  const line = '350000090000197\t'
  expect(identifierOfLine(line.padEnd(1000, 'x'))).toBe('350000090000197')
  expect(identifierOfLine(line.padEnd(1001, 'x'))).not.toBe('350000090000197')
  const search = 'IMEI: 350000090000197'
  expect([search.padEnd(1000), search.padEnd(1001)].map(identifierInSearch)).toEqual(['350000090000197', null])
})
