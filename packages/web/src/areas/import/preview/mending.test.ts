import { expect, test } from 'vitest'
import { hookAfter } from '../../../testing/hook-after.tsx'
import { useMending } from './mending.ts'

type Now = ReturnType<typeof useMending>
const cell = (row: number, column: number, value: string) => ({ row, column, value })
const write =
  (...of: Parameters<typeof cell>) =>
  (now: Now) =>
    now.write(cell(...of))
const three = [write(2, 0, 'a'), write(2, 1, 'b'), write(3, 0, 'c')]
/** The values of these three cells, and of one that nobody has typed in. */
const values = ({ read }: Now) => [read(2, 0, 'x'), read(2, 1, 'x'), read(3, 0, 'x'), read(3, 1, 'x')]

test('cells of one row and of one column keep what was typed in each', async () => {
  const now = await hookAfter(useMending, ...three)
  expect(values(now)).toEqual(['a', 'b', 'c', 'x'])
  expect(now.typed).toEqual([cell(2, 0, 'a'), cell(2, 1, 'b'), cell(3, 0, 'c')])
  const again = await hookAfter(useMending, ...three, write(2, 1, ''))
  expect(values(again)).toEqual(['a', '', 'c', 'x'])
})

test('one cell is undone alone, and all at once', async () => {
  const one = await hookAfter(useMending, ...three, (now) => now.undo({ row: 2, column: 1 }))
  expect([values(one), one.typed]).toEqual([
    ['a', 'x', 'c', 'x'],
    [cell(2, 0, 'a'), cell(3, 0, 'c')],
  ])
  const none = await hookAfter(useMending, ...three, (now) => now.forget())
  expect([values(none), none.typed]).toEqual([['x', 'x', 'x', 'x'], []])
})

test('checked cells keep their values and are not sent twice; what is typed later goes before', async () => {
  const checked = await hookAfter(useMending, ...three, (now) => expect(now.check()).toEqual(now.typed))
  expect([values(checked), checked.typed]).toEqual([['a', 'b', 'c', 'x'], []])
  const check = (now: Now) => void now.check()
  const later = await hookAfter(useMending, ...three, check, write(2, 1, 'd'))
  expect([values(later), later.typed]).toEqual([['a', 'd', 'c', 'x'], [cell(2, 1, 'd')]])
  const undone = await hookAfter(useMending, ...three, check, write(2, 1, 'd'), (now) =>
    now.undo({ row: 2, column: 1 }),
  )
  expect(values(undone)).toEqual(['a', 'b', 'c', 'x'])
  const twice = await hookAfter(useMending, ...three, check, write(3, 1, 'e'), check)
  expect(values(twice)).toEqual(['a', 'b', 'c', 'e'])
})

test('refused cells count as typed again, but not in place of what was typed since', async () => {
  let sent: ReturnType<Now['check']> = []
  const check = (now: Now) => {
    sent = now.check()
  }
  const back = (now: Now) => now.putBack(sent)
  const now = await hookAfter(useMending, ...three, check, write(2, 1, 'd'), back)
  expect(values(now)).toEqual(['a', 'd', 'c', 'x'])
  expect(now.typed).toEqual([cell(2, 0, 'a'), cell(2, 1, 'd'), cell(3, 0, 'c')])
  // They are typed alone, so that undoing them brings the values of the file.
  const undone = await hookAfter(useMending, ...three, check, back, (one) => one.undo({ row: 2, column: 0 }))
  expect(values(undone)).toEqual(['x', 'b', 'c', 'x'])
})
