import { furtherColumn } from '@backstock/contract/stock-list-columns.ts'
import { expect, test } from 'vitest'
import { stockColumnChoice } from './column-choice.ts'

const choice = stockColumnChoice({ id: { header: '#', cell: () => null } })
const [box, palette] = [furtherColumn('Box, sealed'), furtherColumn('Palette')]

test('the list asks for what its columns need, however they are ordered, and for nothing else', () => {
  expect(choice.query(['id', 'location'])).toEqual({ also: undefined, further: undefined })
  const asked = choice.query(['age', 'vat', palette, 'id', 'category', box])
  expect(asked).toEqual({ also: ['category', 'vat', 'age'], further: ['Box%2C%20sealed', 'Palette'] })
  expect(choice.query([box, 'category', 'id', palette, 'age', 'vat'])).toEqual(asked)
  for (const one of ['category', 'vat', 'age']) expect(choice.query([one]).also).toEqual([one])
})

test('a column is known if it is a usual one, one of Backstock, or one that an import brought', () => {
  expect(['id', 'margin', box, 'nonsense', 'toString'].map((name) => choice.isKnown(name))).toEqual([
    ...[true, true, true, false, false],
  ])
})
