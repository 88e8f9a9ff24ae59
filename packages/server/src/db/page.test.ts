import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
})
afterAll(() => t.close())

test.each([
  ['', 'asc'],
  ['', 'desc'],
  ['search=alike&', 'asc'],
  ['search=alike&', 'desc'],
  ['search=alike&select=1&', 'asc'],
])(
  'records that are alike stand by their ids, so that each is on one page: ?%sorder_by=name_%s',
  async (search, order) => {
    await t.db.pool.query('truncate batch restart identity cascade')
    await t.db.pool.query(
      `insert into batch (user_id, name) select ${user.id}, 'Alike' from generate_series(1, 7) order by 1`,
    )
    // The update moves these rows to the end of the table on the disk.
    await t.db.pool.query('update batch set priority = 1 where id in (2, 5, 3)')
    const found: number[] = []
    for (const page of [1, 2, 3, 4]) {
      const { body } = await user.get(`/api/batch/find?${search}order_by=name_${order}&per_page=2&page=${page}`)
      found.push(...body.data.map((batch: { id: number }) => batch.id))
    }
    expect(found).toEqual(order === 'asc' ? [1, 2, 3, 4, 5, 6, 7] : [7, 6, 5, 4, 3, 2, 1])
  },
)
