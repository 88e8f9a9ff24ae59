import { expect, test } from 'vitest'
import { colouredModels, mayBeMemory, modelsWithColour, type SplitModel, withoutCapacity } from './split-model.ts'

/** A meaning in a line: make | model | capacity | colour. */
const said = ({ make, model, capacity, capacity_unit, colour }: SplitModel) =>
  [make, model, `${capacity ?? ''}${capacity_unit ?? ''}`, colour].join('|')

test.each([
  [
    null,
    'Apple iPhone 12 64GB Black',
    ['|Apple iPhone 12|64GB|Black', 'Apple|iPhone 12|64GB|Black', 'Apple iPhone|12|64GB|Black'],
  ],
  [
    'apple',
    'Apple iPhone 12 64 go Space Black',
    ['|Apple iPhone 12|64GB|Space Black', 'apple|iPhone 12|64GB|Space Black'],
  ],
  ['Apple', 'X 1TB a b c', ['|X|1TB|a b c']],
  ['Apple', 'X 1TB a b c d', []],
  ['Apple', 'iPhone 12 1TB', []],
  ['Apple', '64GB Black', []],
  ['Apple', 'iPhone 12 Black', []],
])('the colour behind a capacity: %s, %s', (make, model, meanings) => {
  expect(colouredModels(make, model).map(said)).toEqual(meanings)
})

test.each([
  ['Apple', 'Apple iPhone Blau', ['|Apple iPhone||Blau', 'Apple|iPhone||Blau', '|Apple||iPhone Blau']],
  ['Apple', 'Galaxy Space Black', ['|Galaxy Space||Black', '|Galaxy||Space Black']],
  ['Apple', 'Black', []],
  ['Apple', 'iPhone 12', []],
  ['Apple', `${'x '.repeat(20)}Black`, []],
])('the colour at the end of a name: %s, %s', (make, model, meanings) => {
  expect(modelsWithColour(make, model).map(said)).toEqual(meanings)
})

test('a capacity below that of present phones may be working memory', () => {
  const capacities: Partial<SplitModel>[] = [
    { capacity: 8, capacity_unit: 'GB' },
    { capacity: 16, capacity_unit: 'GB' },
    { capacity: 8, capacity_unit: 'MB' },
    { capacity: 1, capacity_unit: 'TB' },
    {},
  ]
  expect(capacities.map((one) => mayBeMemory({ model: 'X', ...one }))).toEqual([true, false, false, false, false])
})

test.each([
  ['iPhone 12 64GB', 'iPhone 12'],
  ['Galaxy S23 8/256GB', 'Galaxy S23'],
  ['Galaxy S23 12/128GB', 'Galaxy S23'],
  ['Galaxy S23 16/128GB', 'Galaxy S23 16/128GB'],
  ['Galaxy S23 16/256GB', 'Galaxy S23'],
  ['Galaxy S23 24GB/1TB', 'Galaxy S23'],
  ['Galaxy S23 25GB/1TB', 'Galaxy S23 25GB/1TB'],
  ['64GB', '64GB'],
  ['Galaxy 0GB', 'Galaxy 0GB'],
  ['iPhone 12/128GB', 'iPhone 12'],
  [' iPhone  12 ', 'iPhone 12'],
  ['', ''],
])('%j without its capacity is %j', (model, name) => {
  expect(withoutCapacity(model)).toBe(name)
})
