import { expect, test } from 'vitest'
import { toastStore } from '../../api/toast.ts'
import { tellMoved } from './change-batch.ts'

test.each([
  [[7], '1 item moved from batch #1 to batch #2.'],
  [Array.from({ length: 1_200 }, (_, n) => n), '1,200 items moved from batch #1 to batch #2.'],
])('a message counts the items that have moved, and offers to take them back', (items, message) => {
  tellMoved(items, 1, 2)
  expect(toastStore.read()).toMatchObject([{ message, action: { text: 'Undo' } }])
})
