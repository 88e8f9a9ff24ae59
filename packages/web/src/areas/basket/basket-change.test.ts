import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BasketChange, changed, changeText, isNothing, undone } from './basket-change.ts'

type Item = { id: number }
const basket = (...ids: number[]) => ids.map((id) => ({ id }))
const tick = (now: Item[], id: number) =>
  now.some((item) => item.id === id) ? now.filter((item) => item.id !== id) : [...now, { id }]

function after(before: Item[], ids: readonly number[]) {
  let now = before
  let change: BasketChange<Item> | null = null
  for (const id of ids) {
    const next = tick(now, id)
    change = changed(change, now, next)
    now = next
  }
  return { now, change }
}

test('counts up, and says what has come of it in the end', () => {
  const texts = [[4], [4, 5, 6], [4, 4, 5], [1], [1, 2, 4], Array.from({ length: 1200 }, (_, n) => n + 10)].map((ids) =>
    changeText(after(basket(1, 2, 3), ids).change!),
  )
  expect(texts).toEqual([
    '1 item added to the basket',
    '3 items added to the basket',
    '1 item added to the basket',
    '1 item removed from the basket',
    '1 item added to the basket, 2 removed',
    '1,200 items added to the basket',
  ])
  expect(isNothing(after(basket(1, 2), [2, 2, 5, 5]).change!)).toBe(true)
})

const Ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }))

test('undone, the basket is what it was, in its order', () => {
  fc.assert(
    fc.property(Ids, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (ids, ticks) => {
      const before = basket(...ids)
      const { now, change } = after(before, ticks)
      expect(undone(change!, now)).toEqual(before)
    }),
  )
})

test('additions and removals in another window meanwhile stay', () => {
  fc.assert(
    fc.property(Ids, Ids, Ids, (ids, ticks, others) => {
      const before = basket(...ids)
      const { now, change } = after(before, ticks)
      if (!change) return
      const mine = new Set(ticks)
      const theirs = others.filter((id) => !mine.has(id))
      const left = undone(change, theirs.reduce(tick, now)).map(({ id }) => id)
      expect([...left].sort()).toEqual(
        theirs
          .reduce(tick, before)
          .map(({ id }) => id)
          .sort(),
      )
    }),
  )
})
