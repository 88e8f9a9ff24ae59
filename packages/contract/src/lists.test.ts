import { expect, test } from 'vitest'
import { at, first, getFrom, single, zip } from './lists.ts'

test('elements that must be there are found', () => {
  expect([single(['a']), first(['a', 'b']), at(['a', 'b'], 1)]).toEqual(['a', 'a', 'b'])
  expect(getFrom(new Map([['a', 0]]), 'a')).toBe(0)
  expect(zip(['a', 'b'], [1, 2])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})

test('an element that is not there is told, and never passed on', () => {
  expect(() => single([])).toThrow('One element was expected, there are 0.')
  expect(() => single(['a', 'b'])).toThrow('One element was expected, there are 2.')
  expect(() => first([])).toThrow('There is no element 0 among 0.')
  expect(() => at(['a'], 1)).toThrow('There is no element 1 among 1.')
  expect(() => getFrom(new Map(), 'a')).toThrow('There is nothing for a.')
  expect(() => zip(['a'], [])).toThrow('1 and 0 elements make no pairs.')
})
