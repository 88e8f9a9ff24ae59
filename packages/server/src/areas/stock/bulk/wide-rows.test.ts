import type net from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { importCsv } from '../../../testing/csv-upload.ts'
import { newImei } from '../../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
/** The sockets of all connections to the database that were used, on which the bytes are counted. */
const wires = new Set<net.Socket>()
beforeAll(async () => {
  t = await testApp()
  for (const pool of [t.db.pool, t.db.readers])
    pool.on('acquire', (client: pg.PoolClient) =>
      wires.add((client as unknown as { connection: { stream: net.Socket } }).connection.stream),
    )
  await t.user('ROLE_ADMIN')
  user = await t.user()
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const rows = async (sql: string, ...values: unknown[]) => (await t.db.pool.query(sql, values)).rows
const range = (n: number) => Array.from({ length: n }, (_, at) => at)
const MB = 1024 * 1024
const comeIn = () => [...wires].reduce((sum, { bytesRead }) => sum + bytesRead, 0)

test('a change of many items does not read their further values from files', async () => {
  const said = range(20).map(() => 'x'.repeat(10_000))
  const lines = range(20).map(() => `${newImei()},Apple,iPhone 13,Phone,249.90,Inbound,${said}`)
  const csv = [`imei,make,model,category,purchase_price,status,${said.map((_, n) => `remark ${n}`)}`, ...lines].join(
    '\n',
  )
  const { id } = await importCsv(t, user, { csv })
  const items = (await rows(`select id from stock where length(attributes::text) > 200000 order by id`)).map(
    (row) => row.id as number,
  )
  expect(items).toHaveLength(20)
  const before = comeIn()
  expect(before).toBeGreaterThan(0)

  const received = (await user.post('/api/stock/bulk/receive', { import_id: id })).body.data
  const changes = { sales_price: { set: 100 } }
  const { token, will_change } = (await user.post('/api/stock/bulk/preview', { items, changes })).body.data
  const { changed, bulk_id } = (await user.post('/api/stock/bulk', { items, changes, token })).body.data
  expect([received.received, will_change, changed]).toEqual([20, 20, 20])
  for (const act of [bulk_id, received.bulk_id])
    expect((await user.post(`/api/stock/bulk/${act}/undo`)).body.data).toEqual({ restored: 20, kept: [] })
  expect(comeIn() - before).toBeLessThan(MB)
})
