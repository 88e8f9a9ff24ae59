import { MAX_VIEWS } from '@backstock/contract/view.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { untilDecided } from '../testing/ask-again.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let ann: Client
let bob: Client
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.db.pool.query('delete from list_view')
  ann = await t.user()
  bob = await t.user()
})

const save = (client: Client, body: object) =>
  client.post('/api/view/create', { area: 'stock', address: 'status=Sold', ...body })
const idOf = async (answer: ReturnType<typeof save>): Promise<number> => (await answer).body.data.id
const names = async (client: Client, query = 'area=stock') =>
  (await client.get(`/api/view/find?${query}&per_page=250`)).body.data.map(({ name }: { name: string }) => name)

test('a view is its address written in one way, without page and view', async () => {
  const address = '/admin/stock?status=Sold&page=7&per_page=50&view=3&search=%20two%20%20words%20&columns=id%2Cimei'
  const { status, body } = await save(ann, { name: ' Sold  ones ', address })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    area: 'stock',
    name: 'Sold ones',
    shared: false,
    address: 'columns=id,imei&search=two+words&status=Sold',
    position: 0,
    created_by: ann.id,
  })
  expect((await save(ann, { name: 'Bare', address: '' })).body.data.address).toBe('')
})

test('a text that is no address of a list is refused by field', async () => {
  for (const [body, field] of [
    [{ name: 'x', address: 'search=%00' }, 'address'],
    [{ name: 'x', address: 'search=a\u0007b' }, 'address'],
    [{ name: 'x', address: `search=${'a'.repeat(2000)}` }, 'address'],
    [{ name: 'x', address: '<script>=1' }, 'address'],
    [{ name: 'x', area: 'secret' }, 'area'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'x', position: -1 }, 'position'],
  ] as const) {
    const answer = await save(ann, body)
    expect([answer.status, Object.keys(answer.body.data.errors)]).toEqual([422, [field]])
  }
})

test('nobody sees or changes another’s own views, administrators neither', async () => {
  const id = await idOf(save(ann, { name: 'Mine' }))
  for (const other of [bob, admin]) {
    expect(await names(other)).toEqual([])
    expect((await other.get(`/api/view/find?id=${id}`)).body.data).toEqual([])
    expect((await other.get('/api/view/find?search=Mine')).body.total).toBe(0)
    expect((await other.get(`/api/view/find?ajax_id=${id}`)).body.data).toEqual([])
    expect((await other.patch(`/api/view/${id}/edit`, { name: 'Theirs' })).status).toBe(404)
    expect((await other.delete(`/api/view/${id}/delete`)).status).toBe(404)
    expect((await other.get('/api/auth')).body.lists_with_views).toEqual([])
  }
  expect(await names(ann)).toEqual(['Mine'])
  expect((await ann.get('/api/auth')).body.lists_with_views).toEqual(['stock'])
})

test('everybody sees a shared one; who made it or an administrator changes it', async () => {
  const id = await idOf(save(ann, { name: 'Ours', shared: true }))
  expect(await names(bob)).toEqual(['Ours'])
  expect((await bob.get('/api/auth')).body.lists_with_views).toEqual(['stock'])
  const theirs = await bob.patch(`/api/view/${id}/edit`, { name: 'Bob’s' })
  expect([theirs.status, theirs.body.message]).toEqual([
    ...[403, 'Only its author or an administrator can change or delete a shared view.'],
  ])
  expect((await bob.delete(`/api/view/${id}/delete`)).status).toBe(403)
  expect((await ann.patch(`/api/view/${id}/edit`, { address: 'status=' })).body.data.address).toBe('status=')
  expect((await admin.patch(`/api/view/${id}/edit`, { name: 'All of us' })).body.data.name).toBe('All of us')
  expect((await admin.patch(`/api/view/${id}/edit`, { shared: false })).body.data.errors).toEqual({
    shared: 'Only its author can make a shared view private.',
  })
  expect((await ann.patch(`/api/view/${id}/edit`, { shared: false, name: 'Ours' })).status).toBe(200)
  expect([await names(ann), await names(bob), await names(admin)]).toEqual([['Ours'], [], []])
  expect((await ann.patch(`/api/view/${id}/edit`, { shared: true })).body.data.shared).toBe(true)
  expect((await admin.delete(`/api/view/${id}/delete`)).status).toBe(200)
})

test('a name is there once for each list and owner', async () => {
  await save(ann, { name: 'Sold' })
  const twice = await save(ann, { name: 'sold' })
  expect([twice.status, Object.keys(twice.body.data.errors)]).toEqual([422, ['name']])
  for (const answer of [
    await save(ann, { name: 'Sold', shared: true }),
    await save(ann, { name: 'Sold', area: 'sale' }),
    await save(bob, { name: 'Sold' }),
  ])
    expect(answer.status).toBe(201)
  expect((await save(bob, { name: 'SOLD', shared: true })).status).toBe(422)
  for (const [areas, count] of [
    ['sale', 1],
    ['stock', 2],
    ['stock,sale', 3],
  ] as const)
    expect(await names(ann, `area=${areas}`)).toEqual(Array.from({ length: count }, () => 'Sold'))
})

test('those of everybody come first, and each group has an order that is changed', async () => {
  const ids: number[] = []
  for (const name of ['a', 'b', 'c']) ids.push(await idOf(save(ann, { name })))
  await save(bob, { name: 'all', shared: true })
  expect(await names(ann)).toEqual(['all', 'a', 'b', 'c'])
  const before = (await ann.get(`/api/view/find?id=${ids[1]}`)).body.data[0]
  const moved = (await ann.get(`/api/view/find?id=${ids[2]}`)).body.data[0]
  await ann.patch(`/api/view/${ids[2]}/edit`, { position: 0 })
  expect(await names(ann)).toEqual(['all', 'c', 'a', 'b'])
  await ann.patch(`/api/view/${ids[2]}/edit`, { position: 50 })
  expect(await names(ann)).toEqual(['all', 'a', 'b', 'c'])
  // A move keeps the `updated_at` of all views, so a view that was loaded before can still be saved. A save without a
  // change keeps it too.
  const { name, address, updated_at } = moved
  const unchanged = await ann.patch(`/api/view/${ids[2]}/edit`, { name, address, updated_at })
  expect([unchanged.status, unchanged.body.data?.updated_at]).toEqual([200, updated_at])
  const saved = await ann.patch(`/api/view/${ids[1]}/edit`, { name: 'B', updated_at: before.updated_at })
  expect(saved.status).toBe(200)
  expect((await ann.patch(`/api/view/${ids[1]}/edit`, { name: 'b', updated_at: before.updated_at })).status).toBe(409)
  // A deleted view can be saved again at its place.
  await ann.delete(`/api/view/${ids[0]}/delete`)
  await save(ann, { name: 'a', position: 0 })
  expect(await names(ann)).toEqual(['all', 'a', 'B', 'c'])
})

test('views that many save at once all get a place, and no more than there is room for', async () => {
  const answers = await Promise.all(
    Array.from({ length: MAX_VIEWS + 5 }, (_, n) =>
      untilDecided(() => save([ann, bob][n % 2]!, { name: `view ${n}`, shared: true })),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  expect(made).toHaveLength(MAX_VIEWS)
  const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body.message)
  expect(refused).toEqual(
    Array.from({ length: 5 }, () => `There are ${MAX_VIEWS} views here already. Delete one first.`),
  )
  const { rows } = await t.db.pool.query('select position from list_view order by position')
  expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: MAX_VIEWS }, (_, n) => n))
  // A full list takes no view by another way, and its own can still be moved.
  const mine = await idOf(save(ann, { name: 'Mine' }))
  for (const answer of [
    await save(ann, { name: 'First', shared: true, position: 0 }),
    await ann.patch(`/api/view/${mine}/edit`, { shared: true }),
  ])
    expect([answer.status, answer.body.message]).toEqual([409, refused[0]])
  expect((await ann.get(`/api/view/find?id=${mine}`)).body.data[0].shared).toBe(false)
  const last = made.find(({ body }) => body.data.position === MAX_VIEWS - 1)!.body.data.id
  expect((await admin.patch(`/api/view/${last}/edit`, { position: 0 })).body.data?.position).toBe(0)
})

test('views that many move at once do not wait for each other in a circle', async () => {
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, n) => idOf(untilDecided(() => save(ann, { name: `View ${n}`, shared: true })))),
  )
  const moved = await Promise.all(
    [ann, admin].flatMap((who) =>
      ids.map((id, n) => untilDecided(() => who.patch(`/api/view/${id}/edit`, { position: ids.length - n }))),
    ),
  )
  expect(moved.map(({ status }) => status)).toEqual(moved.map(() => 200))
  const { body } = await ann.get('/api/view/find?area=stock&per_page=250')
  expect(body.data.map(({ position }: { position: number }) => position)).toEqual(ids.map((_, n) => n))
})

test('a person’s own go with their account, and the shared ones stay', async () => {
  await save(ann, { name: 'Mine' })
  await save(ann, { name: 'Ours', shared: true })
  // So do her basket, and the names that imports have remembered for her.
  await t.db.pool.query(`insert into basket (user_id, items) values ($1, '{}')`, [ann.id])
  await t.db.pool.query(
    `insert into import_remembered (user_id, kind, field_of, seen, name, said_by) values ($1, 'column', '', 'x', 'x', $1)`,
    [ann.id],
  )
  expect((await admin.delete(`/api/user/${ann.id}/delete`)).status).toBe(200)
  for (const table of ['basket', 'import_remembered'])
    expect((await t.db.pool.query(`select from ${table}`)).rowCount, table).toBe(0)
  const { rows } = await t.db.pool.query('select name from list_view')
  expect(rows).toEqual([{ name: 'Ours' }])
  expect(await names(bob)).toEqual(['Ours'])
})
