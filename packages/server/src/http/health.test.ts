import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'

test('an instance is ready though all who write wait for something', async () => {
  const t = await testApp()
  const busy = await Promise.all(Array.from({ length: t.db.pool.options.max }, () => t.db.pool.connect()))
  try {
    expect(t.db.figures().write.idle).toBe(0)
    expect((await t.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  } finally {
    for (const client of busy) client.release()
    await t.close()
  }
})
