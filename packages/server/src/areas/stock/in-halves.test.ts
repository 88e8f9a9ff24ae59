import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { openShop, stockItems } from '../../testing/shop.ts'

test('a quick order of many lines, asked in two halves, comes in the order of the lines', async () => {
  const t = await testApp()
  try {
    const ids = await stockItems(t.db, await openShop(t.db), 120)
    const { rows } = await t.db.pool.query('select id, imei from stock where id = any($1)', [ids])
    const imeiOf = new Map(rows.map(({ id, imei }) => [id, imei]))
    const asked = ids.toSorted((a, b) => (a % 7) - (b % 7) || b - a)
    const staff = await t.user()
    const order = async (lines: string[]) => (await staff.post('/api/stock/quick-order-find', { lines })).body
    const lines = [...asked.map((id) => imeiOf.get(id)!), 'nothing', imeiOf.get(asked[0]!)!]
    const found = await order(lines)
    expect(found.data.map((row: { id: number }) => row.id)).toEqual(asked)
    expect([found.not_found, found.duplicates]).toEqual([['nothing'], [imeiOf.get(asked[0]!)]])
    expect((await order(lines.slice(0, 50))).data).toEqual(found.data.slice(0, 50))
  } finally {
    await t.close()
  }
})
