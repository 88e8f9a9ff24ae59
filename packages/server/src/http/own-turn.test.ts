import { expect, test } from 'vitest'
import { mapTexts } from './own-turn.ts'

test('between texts that are long together everybody else has a turn', async () => {
  let turns = 0
  let isOver = false
  const another = () => {
    turns++
    if (!isOver) setImmediate(another)
  }
  setImmediate(another)
  const made = await mapTexts(Array(12).fill('x'.repeat(1000)), (text, n) => `${n} ${text.length}`)
  isOver = true
  expect(made.slice(0, 2)).toEqual(['0 1000', '1 1000'])
  expect(made).toHaveLength(12)
  expect(turns).toBeGreaterThanOrEqual(2)
})
