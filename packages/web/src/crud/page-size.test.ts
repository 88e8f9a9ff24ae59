import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseRows, chosenRows } from './page-size.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  stored.set('person', '7')
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the rows per page are those of a person and a list', () => {
  chooseRows('stock', 50)
  expect([chosenRows('stock'), chosenRows('sale'), chosenRows(undefined)]).toEqual([50, undefined, undefined])
  stored.set('person', '8')
  expect(chosenRows('stock')).toBeUndefined()
})

test.each([
  ['1', 1],
  ['250', 250],
  ['251', undefined],
  ['0', undefined],
  ['-10', undefined],
  ['2.5', undefined],
  ['many', undefined],
])('%s rows that the browser has kept are %s', (text, rows) => {
  stored.set('rows 7 stock', text)
  expect(chosenRows('stock')).toBe(rows)
})
