import { expect, test } from 'vitest'
import {
  allowsOtherKinds,
  areMixed,
  imeisOfCell,
  mixedKindOf,
  quantityOf,
  saysQuantity,
  saysTotal,
} from './mixed-identifiers.ts'

test.each([
  'Qty, Quantity, Pcs, Pieces, Units, No. of units, Number of units, Count',
  'Menge, Anzahl, Stück, Stueck, Stückzahl, Stueckzahl, Stk., St.',
  'Quantité, Qté, Nombre, Pièces, Aantal, Stuks, Hoeveelheid',
  'Cantidad, Cant., Uds., Unidades, Quantità, Q.tà, Pezzi, Pz., Numero pezzi, Ilość, Szt., Sztuk, Liczba sztuk',
])('each of these columns has the number of phones in its row: %s', (names) => {
  expect(names.split(', ').filter((name) => !saysQuantity(name))).toEqual([])
})

test.each([
  'Total, Line total, Row total, Total price (EUR), Total amount, Total net, Net total, Total cost, Subtotal, Sum, Amount',
  'Extended, Extended price, Ext. price, Gesamt, Gesamtpreis €, Gesamtbetrag, Summe, Betrag, Zeilensumme, Zeilenbetrag',
  'Positionssumme, Nettobetrag, Montant, Montant HT, Montant total, Prix total, Total HT, Total ligne, Totaal',
  'Regeltotaal, Totaalbedrag, Totaalprijs, Bedrag, Importe, Importe total, Precio total, Totale, Importo, Importo totale',
  'Prezzo totale, Wartość, Wartość netto, Razem, Suma, Kwota, Kwota netto',
])('each of these columns has the price of all phones in its row: %s', (names) => {
  expect(names.split(', ').filter((name) => !saysTotal(name))).toEqual([])
})

test('a price of one phone is neither a number of phones nor their total', () => {
  const names = ['Price', 'Unit price', 'Stückpreis', 'Total units sold', 'IMEI', '']
  expect(names.filter((name) => saysQuantity(name) || saysTotal(name))).toEqual([])
})

test.each<[cell: string, quantity: number | null]>([
  ['3', 3],
  [' 12 ', 12],
  ['3.00', 3],
  ['3,0', 3],
  ['3 pcs', 3],
  ['3x', 3],
  ['2 pc.', 2],
  ['4 Stk.', 4],
  ['5 Stück', 5],
  ['6 szt.', 6],
  ['7 St.', 7],
  ['9999', 9999],
  ['10000', null],
  ['3.5', null],
  ['3.001', null],
  ['-3', null],
  ['three', null],
  ['', null],
])('the cell %j has %j phones', (cell, quantity) => {
  expect(quantityOf(cell)).toBe(quantity)
})

test('a column that names IMEIs alone has no other identifiers', () => {
  const names = [
    'IMEI',
    'IMEI / Serial',
    'IMEI/SN',
    'IMEI or MEID',
    'IMEI (EID)',
    'IMEI, ESN',
    'IMEI/Seriennr',
    'Number',
  ]
  expect(names.filter(allowsOtherKinds)).toEqual(names.slice(1))
  expect(['IMEI série', 'IMEI numer seryjny', 'IMEI matricola'].map(allowsOtherKinds)).toEqual([true, true, true])
  expect(allowsOtherKinds('x'.repeat(256))).toBe(false)
})

const IMEI = '356938035643809'
const SERIAL = 'F2LXQ1ABCD'
const EID = '8'.repeat(32)
const MEID = 'A1000009B1C2D3'

test('the form of an identifier says its kind; digits alone are an IMEI, even if they are mistyped', () => {
  const cells = [IMEI, '356938035643800', '35-693803-564380-9', EID, MEID, SERIAL, '', '2026-11-02']
  expect(cells.map(mixedKindOf)).toEqual(['imei', 'imei', 'imei', 'eid', 'meid', 'serial_number', null, null])
  // An MEID may be written in decimal digits. One that begins with a digit may be a serial number as well.
  expect(['293608736500703710', '35A80000000000', '3.56938E+14', 'n/a'].map(mixedKindOf)).toEqual([
    ...['meid', 'serial_number', null, null],
  ])
})

test('identifiers are mixed if eight of ten cells are some, and three of ten are proved', () => {
  expect(areMixed([IMEI, EID, SERIAL, MEID, SERIAL])).toBe(true)
  expect(areMixed([IMEI, EID, SERIAL, MEID, 'n/a'])).toBe(true)
  expect(areMixed([IMEI, EID, MEID, 'n/a', 'none'])).toBe(false)
  expect(areMixed([IMEI, IMEI, SERIAL, SERIAL, SERIAL, SERIAL, SERIAL])).toBe(false)
  expect(areMixed([IMEI, SERIAL])).toBe(false)
  expect(areMixed(['356938035643800', IMEI, 'iPhone13', 'Samsung'])).toBe(false)
})

test('the IMEIs of one cell, each once, in whatever way they are separated', () => {
  const other = '352099001761481'
  for (const between of [' ', ', ', '; ', '/', ' | ', ' & ', '+', '\n'])
    expect(imeisOfCell([IMEI, other, IMEI].join(between))).toEqual([IMEI, other])
  expect(imeisOfCell(`IMEI1: ${IMEI} IMEI2: ${other}`)).toEqual([IMEI, other])
  const [short, shorter] = [IMEI.slice(0, 14), other.slice(0, 14)]
  expect(imeisOfCell(`${short} ${shorter}`)).toEqual([short, shorter])
  expect(imeisOfCell(`${short} ${IMEI}`)).toEqual([IMEI])
  for (const cell of [IMEI, `${IMEI} and ${other}`, `${IMEI} 1234567890123`, Array(251).fill(IMEI).join(' ')])
    expect(imeisOfCell(cell)).toEqual([])
})
