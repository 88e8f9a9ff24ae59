import { expect, test } from 'vitest'
import { titlesSkipped, whatStops, whatWillHappen } from './preview-words.ts'

const none = { new: 0, updated: 0, unchanged: 0, failed: 0 }

test.each([
  [{ ...none, new: 40, updated: 18, failed: 2 }, '40 new, 18 updated. 2 failed rows are left out.'],
  [{ ...none, new: 1_204, unchanged: 3 }, '1,204 new, 3 unchanged.'],
  [{ ...none, failed: 1 }, '1 failed row is left out.'],
  [none, 'The file has no rows.'],
])('what %j will do', (counts, words) => {
  expect(whatWillHappen({ counts })).toBe(words)
})

test('what stops all rows is said, and nothing where some can be imported', () => {
  const reasons = [
    { field: 'category', message: 'A new product needs a category.', rows: 71, first_row: 4, asks: null },
  ]
  const words = 'No row can be imported yet. 71 rows: Category: A new product needs a category.'
  expect(whatStops({ counts: { ...none, failed: 90 }, reasons })).toBe(words)
  expect(whatStops({ counts: { ...none, new: 1, failed: 89 }, reasons })).toBeNull()
  expect(whatStops({ counts: { ...none, failed: 1 }, reasons: [] })).toBeNull()
})

test.each([
  [['a', 'b'], '2 title lines above the header were skipped.'],
  [['a'], '1 title line above the header was skipped.'],
  [[], ''],
])('of the titles %j', (titles, words) => {
  expect(titlesSkipped({ titles })).toBe(words)
})
