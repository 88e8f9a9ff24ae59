import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LOCK_TIMEOUT_MS } from '../db/connect.ts'
import { testApp } from '../testing/app.ts'
import { testClient } from '../testing/database.ts'
import { firstAdministrator } from './first-administrator.ts'

let t: Awaited<ReturnType<typeof testApp>>
let other: pg.Client
beforeAll(async () => {
  t = await testApp()
  other = testClient(t.connection)
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await t.close()
})

test('one of several instances that start at once creates the administrator, and the others wait', async () => {
  await other.query('begin; lock table app_user in share row exclusive mode')
  const starts = Promise.all([1, 2, 3].map(() => firstAdministrator(t.db, t.config)))
  await vi.waitFor(
    async () => {
      const { rows } = await t.db.pool.query(
        'select from pg_locks where not granted and clock_timestamp() - waitstart > $1::interval',
        [`${LOCK_TIMEOUT_MS} ms`],
      )
      expect(rows).not.toEqual([])
    },
    { timeout: 60_000, interval: 50 },
  )
  await other.query('commit')
  expect((await starts).filter((login) => login)).toHaveLength(1)
})

test('an instance starts while one of its users is being changed', async () => {
  await other.query('begin; update app_user set name = name')
  expect(await firstAdministrator(t.db, t.config)).toBeUndefined()
  await other.query('rollback')
})
