import { expect, test } from 'vitest'
import type { BankLine, ReadLine } from './bank-line.ts'
import { joined, keyOf, otherwiseStored } from './recognise.ts'

const camt = (remittance: string, bank_reference: string | null = null): BankLine => ({
  ...{ account: 'A', booked_on: '2026-11-02', amount: 10_000, is_reversal: false, name: null, iban: null },
  ...{ end_to_end: null, bank_reference, remittance },
})
const mt940 = (remittance: string, bank_reference: string): ReadLine => ({
  ...camt(remittance, bank_reference),
  reference: 'own',
})

test('an entry is in a ZIP as often as in the statement that has it most often', () => {
  const [a, b, c] = [camt('a'), camt('b'), camt('c')]
  const files = [
    [a, a, b],
    [b, b, a, c],
  ]
  expect(joined(files)).toEqual({ lines: [a, a, b, b, c], in_several: 2 })
  expect(joined([[a, a]])).toEqual({ lines: [a, a], in_several: 0 })
})

test('a reference of MT940 that different entries have does not tell them from each other', () => {
  const [ada, bob, eve] = [mt940('Ada', 'CREDIT'), mt940('Bob', 'CREDIT'), mt940('Eve', 'B17')]
  const { lines } = joined([[ada], [bob, ada, eve, eve]])
  expect(lines.map(({ remittance, reference }) => [remittance, reference])).toEqual([
    ['Ada', 'shared'],
    ['Bob', 'shared'],
    ['Eve', 'own'],
    ['Eve', 'own'],
  ])
  expect(new Set(lines.map(keyOf)).size).toBe(3)
})

test('a reference of CAMT.053 is that of the entry, in whichever words its text comes', () => {
  const files = [[camt('Invoice 7', 'B17')], [camt('INVOICE 7', 'B17')]]
  expect(joined(files).lines).toHaveLength(1)
})

test('the database may have an entry as version 1.0.0 read it, or by another reference', () => {
  const [today, former] = [camt('Invoice 7', 'B17'), camt('Invoice 7', 'CREDIT')]
  expect(otherwiseStored(today)).toEqual([])
  expect(otherwiseStored({ ...today, reference: 'own' })).toEqual([today])
  expect(otherwiseStored({ ...today, reference: 'shared', former })).toEqual([former, today])
})
