import { productDisplayName } from '@backstock/contract/product-name.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshProductNames } from '../records/product-names.ts'
import { type Client, testApp } from '../testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
let staff: Client
beforeAll(async () => {
  t = await testApp()
  staff = await t.user()
})
afterAll(() => t.close())

const create = async (area: string, input: object): Promise<number> => {
  const { status, body } = await staff.post(`/api/${area}/create`, input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}
const load = async (id: number) => (await staff.get(`/api/product/find?id=${id}`)).body.data[0]

/** The stored name of each product, beside the name that the contract's rule makes of its parts. */
async function names(): Promise<{ stored: string; ruled: string }[]> {
  const { rows } = await t.db.pool.query(`
    select p.*, m.name as make, c.name as colour from product p join make m on m.id = p.make_id
    left join colour c on c.id = p.colour_id order by p.id`)
  return rows.map((row) => ({
    stored: row.display_name,
    ruled: productDisplayName(row.make, row.model, row.capacity, row.capacity_unit, row.colour),
  }))
}

test('renaming a make or a colour gives its products the names that the contract rules', async () => {
  const [make, other] = [await create('make', { name: 'Appel' }), await create('make', { name: 'Samsung' })]
  const [black, white] = [await create('colour', { name: 'Blakc' }), await create('colour', { name: 'White' })]
  const category_id = await create('category', { name: 'Phone' })
  for (const make_id of [make, other])
    for (const colour_id of [null, black, white])
      for (const capacity of [{}, { capacity: 128, capacity_unit: 'GB' }])
        await create('product', { make_id, category_id, colour_id, model: '100% "X"  13', ...capacity })
  await staff.post(`/api/make/${make}/edit`, { name: 'Apple' })
  await staff.post(`/api/colour/${black}/edit`, { name: 'Black' })
  const all = await names()
  expect(all.map(({ stored }) => stored)).toEqual(all.map(({ ruled }) => ruled))
  expect(all.map(({ stored }) => stored)).toContain('Apple 100% "X" 13 128 GB Black')
  const found = (await staff.get('/api/product/find?search=apple%20100&per_page=100')).body
  expect(found.total).toBe(6)

  // A number beside a name is a part of the name. With # it is an id.
  await t.db.pool.query(
    `insert into product (id, make_id, category_id, model, display_name)
     overriding system value values (777, $1, $2, 'X', 'Apple X')`,
    [make, category_id],
  )
  const total = async (search: string) =>
    (await staff.get(`/api/product/find?search=${encodeURIComponent(search)}`)).body.total
  expect([await total('apple 777'), await total('apple #777')]).toEqual([0, 1])
})

test('products written while their make and colour are renamed end up with the new names', async () => {
  const make_id = await create('make', { name: 'Race make' })
  const colour_id = await create('colour', { name: 'Race colour' })
  const category_id = await create('category', { name: 'Race' })
  const edited = await create('product', { make_id, colour_id, category_id, model: 'Edited' })
  for (let round = 1; round <= 10; round++)
    await Promise.all([
      staff.post(`/api/make/${make_id}/edit`, { name: `Race make ${round}` }),
      staff.post(`/api/colour/${colour_id}/edit`, { name: `Race colour ${round}` }),
      staff.post(`/api/product/${edited}/edit`, { model: `Edited ${round}` }),
      create('product', { make_id, colour_id, category_id, model: `New ${round}` }),
    ])
  const all = await names()
  expect(all.map(({ stored }) => stored)).toEqual(all.map(({ ruled }) => ruled))
  expect(all.map(({ stored }) => stored)).toContain('Race make 10 Edited 10 Race colour 10')
})

test('a product that is created while its make is being renamed waits for the new name', async () => {
  const make_id = await create('make', { name: 'Old make' })
  const category_id = await create('category', { name: 'Waiting' })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const created = await t.db.write(async (tx) => {
    await tx.updateTable('make').set({ name: 'New make' }).where('id', '=', make_id).execute()
    const answer = staff.post('/api/product/create', { make_id, category_id, model: 'X' })
    await expect.poll(async () => (await t.db.pool.query(waiting)).rowCount, { interval: 5 }).toBe(1)
    await refreshProductNames(tx, 'make_id', make_id, {})
    return { answer }
  })
  expect((await created.answer).body.data.display_name).toBe('New make X')
})

test('a new product is told everything that is wrong with it at once', async () => {
  const half = { model: '', capacity: 8, capacity_unit: '' }
  const { status, body } = await staff.post('/api/product/create', half)
  expect([status, Object.keys(body.data.errors).sort()]).toEqual([
    422,
    ['capacity_unit', 'category_id', 'make_id', 'model'],
  ])
})

test('capacity and unit come together or not at all, checked on the whole record', async () => {
  const make_id = await create('make', { name: 'Nokia' })
  const category_id = await create('category', { name: 'Classic' })
  const input = { make_id, category_id, model: '3310' }
  const errors = async (url: string, body: object) => (await staff.post(url, body)).body.data.errors
  expect(await errors('/api/product/create', { ...input, capacity: 8 })).toHaveProperty('capacity_unit')
  expect(await errors('/api/product/create', { ...input, capacity_unit: 'MB' })).toHaveProperty('capacity')
  const id = await create('product', { ...input, capacity: 8, capacity_unit: 'MB' })
  const edit = `/api/product/${id}/edit`
  expect(await errors(edit, { capacity: null })).toHaveProperty('capacity')
  expect(await errors(edit, { capacity_unit: null })).toHaveProperty('capacity_unit')
  expect(await errors(edit, { capacity: 16 })).toBeUndefined()
  expect((await load(id)).display_name).toBe('Nokia 3310 16 MB')
  expect(await errors(edit, { capacity: null, capacity_unit: null })).toBeUndefined()
  expect(await load(id)).toMatchObject({ display_name: 'Nokia 3310', capacity: null, capacity_unit: null })
})

test('relations must exist and are logged by their names', async () => {
  const make_id = await create('make', { name: 'Sony' })
  const colour_id = await create('colour', { name: 'Red' })
  const category_id = await create('category', { name: 'Tablet' })
  const input = { make_id, category_id, model: 'Z1' }
  for (const field of ['make_id', 'category_id', 'colour_id']) {
    const refused = await staff.post('/api/product/create', { ...input, [field]: 999_999 })
    expect([refused.status, refused.body.data.errors]).toEqual([
      422,
      { [field]: 'This record does not exist. Choose another.' },
    ])
  }
  const id = await create('product', { ...input, colour_id })
  await staff.post(`/api/product/${id}/edit`, { colour_id: '', active: '0' })
  const product = await load(id)
  expect(product).toMatchObject({
    make: { id: make_id, name: 'Sony' },
    category: { id: category_id, name: 'Tablet' },
    colour: null,
    active: false,
    display_name: 'Sony Z1',
  })
  expect(product.logs.map((entry: { content: { data: object[] } }) => entry.content.data)).toEqual([
    [
      { attributeName: 'colour', from: 'Red', to: null },
      { attributeName: 'active', from: true, to: false },
    ],
    [
      { attributeName: 'make', from: null, to: 'Sony' },
      { attributeName: 'category', from: null, to: 'Tablet' },
      { attributeName: 'colour', from: null, to: 'Red' },
      { attributeName: 'model', from: null, to: 'Z1' },
      { attributeName: 'active', from: null, to: true },
    ],
  ])
  expect((await staff.get('/api/product/find?search=sony')).body.data[0]).not.toHaveProperty('logs')
})
