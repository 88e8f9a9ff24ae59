import { expect, test } from 'vitest'
import { paperPriority } from './paper-priority.ts'

test('small before large; every paper that was made alone before every one of many', () => {
  const sizes = [1, 10, 11, 100, 101, 1000, 1001, 100_000]
  const [alone, many] = [false, true].map((isOneOfMany) => sizes.map((lines) => paperPriority({ lines, isOneOfMany })))
  expect(alone).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
  expect(many).toEqual([10, 10, 11, 11, 12, 12, 13, 13])
})
