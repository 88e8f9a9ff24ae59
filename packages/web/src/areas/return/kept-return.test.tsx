import { at } from '@backstock/contract/lists.ts'
import { expect, test } from 'vitest'
import { drawn, NOW } from '../../testing/drawn.tsx'
import { type KeptReturn, useFoundReturn } from './kept-return.ts'

const kept = (text: string, said: Partial<KeptReturn> = {}): KeptReturn => ({
  ...{ text, note: `Note of ${text}`, email: false, buyer: 4, left: [7] },
  choices: [[7, { reason: 'faulty' }]],
  ...said,
})

/** The draft with which a new return of these lines begins, of those that the browser keeps, newest first. */
async function foundOf(given: string[], drafts: KeptReturn[], isAfresh = false) {
  const found: ReturnType<typeof useFoundReturn>[] = []
  function Part() {
    found.push(useFoundReturn(given, isAfresh))
    return null
  }
  const keptAt = Date.parse(NOW)
  const names = drafts.map((draft, n) => [`draft return ${n + 1} 1`, { ...draft, keptAt: keptAt - n }] as const)
  await drawn(<Part />, { kept: Object.fromEntries(names) })
  return at(found, found.length - 1)
}
const same = (draft: KeptReturn) => expect.objectContaining(draft)

test('a return without lines from another screen continues the newest draft, unless it begins afresh', async () => {
  const drafts = [kept('X1\nX2'), kept('X3')]
  expect(await foundOf([], drafts)).toEqual({ name: 'return 1', found: same(at(drafts, 0)) })
  expect((await foundOf([], drafts, true)).found).toBeNull()
  expect((await foundOf([], [])).found).toBeNull()
})

test('lines from another screen continue the draft that has them, and each item counts again if they differ', async () => {
  const drafts = [kept('X1\nX2'), kept('X3')]
  expect(await foundOf(['X3'], drafts)).toEqual({ name: 'return 2', found: same(at(drafts, 1)) })
  expect(await foundOf(['X1', 'X2', 'X4'], drafts)).toEqual({
    ...{ name: 'return 1', found: same(kept('X1\nX2', { text: 'X1\nX2\nX4', left: [] })) },
  })
  const other = await foundOf(['X5'], drafts)
  expect([other.found, ['return 1', 'return 2'].includes(other.name)]).toEqual([null, false])
  expect((await foundOf(['X3'], drafts, true)).found).toBeNull()
})
