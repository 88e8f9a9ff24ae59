import { COUNTRIES } from '@backstock/contract/country.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestFirst } from './best-first.ts'

const NAMES = Object.values(COUNTRIES).toSorted()
const firstOf = (search: string, names: readonly string[] = NAMES) => bestFirst(names, search, (name) => name)[0]

test.each([
  ['pol', 'Poland'],
  ['neth', 'Netherlands'],
  ['ÅLAND', 'Åland Islands'],
  ['reu', 'Réunion'],
  ['kong', 'Hong Kong SAR China'],
  ['ire', 'Ireland'],
  ['guinea-b', 'Guinea-Bissau'],
])('%j chooses %s', (search, name) => expect(firstOf(search)).toBe(name))

test.each([
  ['new y', 'America/New_York'],
  ['dubl', 'Europe/Dublin'],
])('of time zones %j chooses %s', (search, zone) =>
  expect(firstOf(search, Intl.supportedValuesOf('timeZone'))).toBe(zone),
)

test('nothing is lost, nothing comes twice, and equals keep their order', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (names) => {
      expect(bestFirst(names, '', (name) => name)).toEqual(names)
    }),
  )
  expect(bestFirst(['b pol', 'xpol', 'pol b', 'a pol', 'pol a', 'none'], 'Pol', (name) => name)).toEqual([
    ...['pol b', 'pol a', 'b pol', 'a pol', 'xpol'],
  ])
})
