import { expect, test } from 'vitest'
import { someAnd, someOf, someSentences } from './some-of.ts'

const texts = (n: number) => Array.from({ length: n }, (_, k) => `#${k + 1}`)

test('a list has its first texts and the number of the others', () => {
  expect(someOf([])).toBe('')
  expect(someOf(texts(10))).toBe('#1, #2, #3, #4, #5, #6, #7, #8, #9, #10')
  expect(someOf(texts(11))).toBe('#1, #2, #3, #4, #5, #6, #7, #8, #9, #10 and 1 more')
  expect(someOf(texts(3), 2)).toBe('#1, #2 and 1 more')
  expect(someOf(texts(2), 2, 1_234)).toBe('#1, #2 and 1,232 more')
})

test('a whole list has its last text after an and', () => {
  expect([0, 1, 2, 3, 4].map((n) => someAnd(texts(n), 3))).toEqual([
    ...['', '#1', '#1 and #2', '#1, #2 and #3', '#1, #2, #3 and 1 more'],
  ])
})

test('sentences follow each other, and the last one counts the others', () => {
  expect(someSentences(['One.', 'Two.'], 2)).toBe('One. Two.')
  expect(someSentences(['One.', 'Two.', 'Three.'], 2)).toBe('One. Two. And 1 more.')
  expect(someSentences(texts(1_011))).toMatch(/#10 And 1,001 more\.$/)
})
