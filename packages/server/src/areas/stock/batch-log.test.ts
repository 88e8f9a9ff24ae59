import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { applyUndo, importCsv } from '../../testing/csv-upload.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  await t.user('ROLE_ADMIN')
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const edit = async (items: readonly number[], changes: object): Promise<number> => {
  const { token } = (await user.post('/api/stock/bulk/preview', { items, changes })).body.data
  const { body } = await user.post('/api/stock/bulk', { items, changes, token })
  expect(body.data.changed).toBe(items.length)
  return body.data.bulk_id
}
/** The messages in a batch's log, the newest first. */
const told = async (batch: number): Promise<string[]> => {
  const { logs } = (await user.get(`/api/batch/find?id=${batch}`)).body.data[0]
  return logs.map(({ content }: { content: { data: { message: string } } }) => content.data.message)
}
const named = (ids: readonly number[]) => ids.map((id) => `#${id}`).join(', ')

test('each batch that an act and its undo move items into or out of tells so, in one entry', async () => {
  const [one, other, joined, quiet] = [
    await batchOf(t.db, shop, user.id, 2),
    await batchOf(t.db, shop, user.id, 25),
    await batchOf(t.db, shop, user.id, 1),
    await batchOf(t.db, shop, user.id, 1),
  ]
  const fresh = await stockItems(t.db, shop, 1)
  const act = await edit([...fresh, ...other.items, ...one.items], { batch_id: joined.id })
  const many = `items ${named(other.items.slice(0, 20))} and 5 more`
  const from =
    `Added: item #${fresh[0]}. ` +
    `Moved from batch #${one.id}: items ${named(one.items)}. Moved from batch #${other.id}: ${many}.`
  expect(await told(joined.id)).toEqual([from])
  expect(await told(one.id)).toEqual([`Moved to batch #${joined.id}: items ${named(one.items)}.`])
  expect(await told(other.id)).toEqual([`Moved to batch #${joined.id}: ${many}.`])

  // The bulk edit makes one notification, and none about the batch.
  const { recent_logs } = (await user.get('/api/auth')).body.user
  const types = recent_logs.map(({ loggable_type }: { loggable_type: string }) => loggable_type)
  expect([types[0], types.includes('Batch')]).toEqual(['Bulk edit', false])

  expect((await user.post(`/api/stock/bulk/${act}/undo`)).body.data).toEqual({ restored: 28, kept: [] })
  expect(await told(joined.id)).toEqual([
    `Removed: item #${fresh[0]}. ` +
      `Moved to batch #${one.id}: items ${named(one.items)}. Moved to batch #${other.id}: ${many}.`,
    from,
  ])
  expect((await told(one.id))[0]).toBe(`Moved from batch #${joined.id}: items ${named(one.items)}.`)

  await edit(quiet.items, { location: 'Shelf' })
  expect(await told(quiet.id)).toEqual([])
  await edit([...one.items, ...quiet.items], { batch_id: null })
  expect([(await told(one.id))[0], await told(quiet.id)]).toEqual([
    `Removed: items ${named(one.items)}.`,
    [`Removed: item #${quiet.items[0]}.`],
  ])
})

test('the log of a batch that gains from very many others names some of them', async () => {
  const left: number[] = []
  for (let n = 0; n < 13; n++) left.push(...(await batchOf(t.db, shop, user.id, 1)).items)
  const joined = await batchOf(t.db, shop, user.id, 1)
  await edit(left, { batch_id: joined.id })
  const [message] = await told(joined.id)
  expect(message!.match(/Moved from batch #/g)).toHaveLength(10)
  expect(message).toMatch(new RegExp(`Moved from other batches: items ${named(left.slice(10))}\\.$`))
})

test('an edit of one item, a new item, an import and its undo tell the batches which items join or leave', async () => {
  const [one, other] = [await batchOf(t.db, shop, user.id, 3), await batchOf(t.db, shop, user.id, 1)]
  const [moved, ...imported] = one.items
  const place = async (batch_id: number | null) =>
    expect((await user.post(`/api/stock/${moved}/edit`, { batch_id })).status).toBe(200)
  await place(other.id)
  expect((await user.post(`/api/stock/${moved}/edit`, { sales_price: 12_300 })).status).toBe(200)
  await place(null)
  const item = { actual_product_id: shop.product, imei: newImei(), purchase_price: 1, status: 'In Stock' }
  const made = await user.post('/api/stock/create', { ...item, batch_id: other.id })
  expect(made.body.data).toMatchObject({ status: 'In Batch', batch_id: other.id })
  expect(await told(one.id)).toEqual([`Moved to batch #${other.id}: item #${moved}.`])
  expect(await told(other.id)).toEqual([
    `Added: item #${made.body.data.id}.`,
    `Removed: item #${moved}.`,
    `Moved from batch #${one.id}: item #${moved}.`,
  ])

  const csv = ['backstock_item,imei,status']
  for (const id of imported) {
    const { body } = await user.get(`/api/stock/find?id=${id}`)
    csv.push(`${id},${body.data[0].imei},Deleted`)
  }
  const { id } = await importCsv(t, user, { csv: csv.join('\n'), update_existing: '1' })
  expect((await told(one.id))[0]).toBe(`Removed: items ${named(imported)}.`)
  expect((await user.post(`/api/stock/import/history/${id}/undo`)).status).toBe(202)
  await applyUndo(t, id)
  expect((await told(one.id)).slice(0, 2)).toEqual([
    `Added: items ${named(imported)}.`,
    `Removed: items ${named(imported)}.`,
  ])
})
