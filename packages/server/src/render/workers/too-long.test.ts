import { expect, test } from 'vitest'
import { WorkTimeout } from './thread.ts'
import { orTooLong } from './too-long.ts'

test('work with too much time or memory is told so; any other error stays a fault', async () => {
  const outOfMemory = Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
  for (const error of [new WorkTimeout('It took longer than 60 seconds.'), outOfMemory])
    await expect(orTooLong(Promise.reject(error))).rejects.toMatchObject({ status: 503, retryAfter: 10 })
  await expect(orTooLong(Promise.reject(new Error('No font.')))).rejects.toThrow('No font.')
  expect(await orTooLong(Promise.resolve('made'))).toBe('made')
})
