import { expect, test } from 'vitest'
import { sameFileAgain } from './same-file-again.ts'

test('a field forgets its file when it is pressed, so that the same file can be chosen again', () => {
  const input = { value: 'C:\\fakepath\\january.xml' }
  sameFileAgain({ currentTarget: input } as never)
  expect(input.value).toBe('')
})
