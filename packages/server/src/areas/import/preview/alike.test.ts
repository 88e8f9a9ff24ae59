import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aliker, piecesOf } from './alike.ts'

const nearest = (seen: string, ...names: string[]) =>
  aliker(names.map((name, n) => ({ id: n + 1, name })))(piecesOf(seen), 5).map(({ name }) => name)

test.each([
  ['Phones', ['Tablets', 'Smartphones', 'Cases'], ['Smartphones']],
  [
    'iPhone 13 128GB',
    ['Apple iPhone 13 256 GB', 'Apple iPhone 13 128 GB', 'Nokia 3310'],
    ['Apple iPhone 13 128 GB', 'Apple iPhone 13 256 GB'],
  ],
  ['Händler AB', ['Handler A.B.', 'Foxway'], ['Handler A.B.']],
  ['foxway ab', ['Foxway AB', 'FOXWAY'], ['Foxway AB', 'FOXWAY']],
  ['A-', ['A+', 'A', 'B-'], ['A']],
  ['Grade A+', ['Grade A-', 'Grade A', 'Grade A+'], ['Grade A+', 'Grade A']],
  ['Blue', ['Blu', 'Sierra Blue'], ['Sierra Blue', 'Blu']],
  ['?', ['Foxway'], []],
])('%s is most like %j', (seen, names, expected) => {
  expect(nearest(seen, ...names)).toEqual(expected)
})

test('accents, capitals and marks between words make no difference', () => {
  expect(piecesOf('Händler, CAFÉ')).toEqual(piecesOf('handler cafe'))
})

test('a name is most like itself, and asking changes nothing', () => {
  const name = fc.string({ unit: fc.constantFrom(...'abcdé 128GB-ł'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 20 }), fc.nat(), (names, at) => {
      const mostAlike = aliker(names.map((name, n) => ({ id: n + 1, name })))
      const pieces = piecesOf(names[at % names.length]!)
      const found = mostAlike(pieces, 5)
      if (pieces.size > 0) expect(found[0]!.alike).toBe(1)
      expect(mostAlike(pieces, 5)).toEqual(found)
    }),
  )
})
