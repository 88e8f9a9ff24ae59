import { expect, test } from 'vitest'
import { DATEV_COLUMNS } from './columns.ts'
import { type DatevBooking, datevLine } from './datev.ts'

const BOOKING: DatevBooking = {
  ...{ gross: 12_345, personal: 10_001, against: 8400, issued_on: '2026-03-18', number: '2026-00042', text: 'Bea' },
  buyersVatNumber: null,
}

/** The filled fields of a line by the names of their columns. */
function fields(changes: Partial<DatevBooking>): Record<string, string> {
  const line = new TextDecoder('windows-1252').decode(datevLine({ ...BOOKING, ...changes }))
  expect(line.endsWith('\r\n')).toBe(true)
  const values = line.trimEnd().split(';')
  return Object.fromEntries(DATEV_COLUMNS.map((name, n) => [name, values[n] ?? '']).filter(([, value]) => value !== ''))
}

test('a booking says its sum, its side, its accounts and its day', () => {
  expect(fields({})).toEqual({
    ...{ 'Umsatz (ohne Soll/Haben-Kz)': '123,45', 'Soll/Haben-Kennzeichen': '"S"', 'WKZ Umsatz': '"EUR"' },
    ...{ Konto: '10001', 'Gegenkonto (ohne BU-Schlüssel)': '8400', Belegdatum: '1803' },
    ...{ 'Belegfeld 1': '"2026-00042"', Buchungstext: '"Bea"' },
  })
  expect(fields({ gross: -5 })).toMatchObject({
    ...{ 'Umsatz (ohne Soll/Haben-Kz)': '0,05', 'Soll/Haben-Kennzeichen': '"H"' },
  })
})

test.each([
  ['A "B" C', '"A ""B"" C"'],
  ['A\r\n\tB', '"A B"'],
  ['Łódź, Đuro, ẞ', '"Lódz, Duro, SS"'],
  ['e\u0301 ﬁ', '"é fi"'],
  ['x'.repeat(61), `"${'x'.repeat(60)}"`],
])('the text %j of a booking is %s', (text, field) => {
  expect(fields({ text })['Buchungstext']).toBe(field)
})

test('a number has the characters that DATEV takes, at most 36, and a VAT number at most 15', () => {
  const { 'Belegfeld 1': number, ...others } = fields({
    number: `A_1 §(2)/3-${'9'.repeat(40)}`,
    buyersVatNumber: 'DE1234567890123456',
  })
  expect(number).toBe(`"A_12/3-${'9'.repeat(29)}"`)
  expect(others['EU-Land u. UStID (Bestimmung)']).toBe('"DE1234567890123"')
})
