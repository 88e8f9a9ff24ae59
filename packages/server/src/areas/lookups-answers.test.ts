import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../testing/answers.ts'
import type { Client } from '../testing/app.ts'
import { listIds } from '../testing/list-ids.ts'

// Makes, colours, categories, grades, products and saved views, compared with `lookups-answers.txt`. `npm run words`
// stores it anew.

let tape: Tape
let user: Client
let admin: Client
let quiet: Client
let list: (url: string) => Promise<void>

beforeAll(async () => {
  tape = await openTape()
  user = await tape.person('Person')
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  quiet = await tape.t.user('ROLE_ADMIN')
  list = listIds(tape, quiet)
  await tape.t.db.pool.query('truncate grade restart identity cascade')
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const STALE = '2020-01-01T00:00:00.000Z'
const versionOf = async (area: string, id: number) =>
  (await quiet.get(`/api/${area}/find?id=${id}`)).body.data[0].updated_at as string

async function names(area: 'make' | 'colour' | 'category' | 'grade', writer: Client, more: object, cleared: object) {
  tape.title(`${area}: made, found, changed`)
  await writer.post(`/api/${area}/create`, { name: 'Oak 10', ...more })
  await writer.send({ method: 'PUT', url: `/api/${area}/create`, payload: { name: '  Pine  3 ' } })
  await writer.post(`/api/${area}/create`, { name: 'Élm 2' })
  await writer.post(`/api/${area}/create`, { name: 'oak 9' })
  await writer.post(`/api/${area}/create`, { name: 'OAK 9' })
  await writer.post(`/api/${area}/create`, {})
  await writer.post(`/api/${area}/create`, { name: ' ', ...Object.fromEntries(Object.keys(more).map((k) => [k, {}])) })
  await user.get(`/api/${area}/find`)
  await user.get(`/api/${area}/find?id=2`)
  await user.get(`/api/${area}/find?id=99`)
  const orders = area === 'grade' ? ['id', 'name', 'position'] : ['id', 'name']
  for (const order of orders) for (const way of ['asc', 'desc']) await list(`/api/${area}/find?order=${order}_${way}`)
  for (const query of [
    'search=elm',
    'search=9',
    'search=%232',
    `search=${area}+3`,
    'search=nn',
    'ids=3,1',
    'ids=',
    'ajax_id=1',
  ])
    await list(`/api/${area}/find?${query}`)
  for (const query of [
    'per_page=2&order=name_asc',
    'per_page=2&page=2&order=name_asc',
    'per_page=2&page=3',
    'order=x_asc',
  ])
    await list(`/api/${area}/find?${query}`)
  await writer.post(`/api/${area}/1/edit`, { name: 'Oak 11' })
  await writer.patch(`/api/${area}/1/edit`, { ...cleared, updated_at: await versionOf(area, 1) })
  await writer.post(`/api/${area}/1/edit`, { name: 'Oak 11' })
  await writer.post(`/api/${area}/1/edit`, { name: 'Oak 12', updated_at: STALE })
  await writer.post(`/api/${area}/2/edit`, { name: 'Oak 12', updated_at: STALE })
  await writer.post(`/api/${area}/1/edit`, { name: 'oak 9' })
  await writer.post(`/api/${area}/1/edit`, { name: null })
  await writer.post(`/api/${area}/99/edit`, { name: 'Ash' })
  await writer.delete(`/api/${area}/3/delete`)
  await writer.delete(`/api/${area}/3/delete`)
}

test('lookups: the answers and the rows that they leave', async () => {
  await names('make', user, { logo_image: 'pine.png' }, { logo_image: '' })
  await names('colour', user, {}, {})
  await names('category', user, { is_reverse_charge_good: true }, { is_reverse_charge_good: '0' })
  await names('grade', admin, { position: 7, description: ' Like new ' }, { position: null, description: '' })
  await admin.post('/api/grade/create', { name: 'Last', position: 1000 })
  await admin.post('/api/grade/create', { name: 'After', position: '' })
  await admin.post('/api/grade/create', { name: 'x'.repeat(31), position: 1001, description: 5 })
  await admin.post('/api/grade/2/edit', { position: 0 })

  tape.title('Grades are written by administrators alone')
  await user.post('/api/grade/create', { name: 'Mine' })
  await user.post('/api/grade/1/edit', { name: 'Mine' })
  await user.delete('/api/grade/1/delete')

  tape.title('Products')
  await user.post('/api/product/create', {
    ...{ make_id: 1, category_id: 1, colour_id: 1, model: 'Cone 10', capacity: 128, capacity_unit: 'GB' },
    ...{ active: false, image_url: 'cone.png' },
  })
  await user.post('/api/product/create', {
    make_id: 2,
    category_id: 2,
    model: 'Acorn 9',
    capacity: '1',
    capacity_unit: 'TB',
  })
  await user.post('/api/product/create', { make_id: '1', category_id: 1, colour_id: 0, model: 'cone 9', image_url: '' })
  await user.post('/api/product/create', {
    make_id: 1,
    category_id: 2,
    model: 'CONE 9',
    capacity: '',
    capacity_unit: '',
  })
  await user.post('/api/product/create', {})
  await user.post('/api/product/create', {
    ...{ make_id: 'x', category_id: 0, colour_id: -1, model: '', capacity: 0, capacity_unit: 'KB', active: 'x' },
    image_url: 7,
  })
  await user.post('/api/product/create', { make_id: 99, category_id: 1, model: 'A', capacity: 5 })
  await user.post('/api/product/create', { make_id: 99, category_id: 1, model: 'A' })
  await user.post('/api/product/create', { make_id: 1, category_id: 99, model: 'A', colour_id: 99 })
  await user.post('/api/product/create', { make_id: 1, category_id: 1, model: 'A', colour_id: 99 })
  await user.post('/api/product/create', { make_id: 1, category_id: 1, model: 'A', capacity_unit: 'MB' })
  await user.get('/api/product/find')
  for (const order of ['id', 'model', 'display_name'])
    for (const way of ['asc', 'desc']) await list(`/api/product/find?order=${order}_${way}`)
  for (const query of [
    'search=cone',
    'search=128+pine',
    'search=%233',
    'search=product+2',
    'search=oak&select=1',
    'ids=3,1',
  ])
    await list(`/api/product/find?${query}`)
  await list('/api/product/find?per_page=1&page=2&ajax_id=2')
  await list('/api/product/find?search=co&select=1&order=model_desc')

  await user.post('/api/product/1/edit', { model: 'Cone 11', active: true, image_url: null })
  await user.patch('/api/product/1/edit', {
    make_id: 2,
    category_id: 2,
    colour_id: 2,
    updated_at: await versionOf('product', 1),
  })
  await user.post('/api/product/1/edit', { capacity: null, capacity_unit: null, colour_id: '' })
  await user.post('/api/product/1/edit', { model: 'Cone 11' })
  await user.post('/api/product/1/edit', { capacity: 5 })
  await user.post('/api/product/1/edit', { make_id: 99 })
  await user.post('/api/product/1/edit', { category_id: 99 })
  await user.post('/api/product/1/edit', { colour_id: 99 })
  await user.post('/api/product/1/edit', { model: 'Acorn 12', updated_at: STALE })
  await user.post('/api/product/1/edit', { make_id: 1, model: 'Cone 9' })
  await user.post('/api/product/2/edit', { capacity: null })
  await user.post('/api/product/99/edit', { model: 'Acorn' })
  await user.get('/api/product/find?id=1')

  tape.title('A new name of a make or a colour is in the names of its products')
  await user.post('/api/product/1/edit', { colour_id: 2, capacity: 64, capacity_unit: 'GB' })
  await user.post('/api/make/2/edit', { name: 'Yew' })
  await user.post('/api/make/2/edit', { logo_image: 'yew.png' })
  await user.post('/api/colour/2/edit', { name: 'Green' })
  await user.post('/api/category/2/edit', { name: 'Trees' })

  tape.title('Records in use stay; others go')
  await user.delete('/api/make/2/delete')
  await user.delete('/api/colour/2/delete')
  await user.delete('/api/category/1/delete')
  await tape.t.db.pool.query(`
    insert into stock (status, actual_product_id, expected_product_id, serial_number, purchase_price, grade_id)
    values ('In Stock', 2, 1, 'USED1', 100, 1), ('In Stock', 2, null, 'USED2', 100, 1)`)
  await tape.forgetChanges()
  await user.delete('/api/product/1/delete')
  await user.delete('/api/product/2/delete')
  await admin.delete('/api/grade/1/delete')
  await user.delete('/api/product/3/delete')
  await user.delete('/api/product/3/delete')
  await user.delete('/api/category/1/delete')
  await user.delete('/api/category/99/delete')

  await views()
  await expect(tape.text()).toMatchFileSnapshot('lookups-answers.txt')
})

async function views() {
  tape.title('Saved views')
  const other = await tape.person('Other')
  await user.post('/api/view/create', {
    area: 'stock',
    name: 'My phones',
    address: '/stock?page=3&status=In+Stock,Inbound',
  })
  await user.post('/api/view/create', { area: 'stock', name: 'A first', address: 'search=%20b%20', position: 0 })
  await other.post('/api/view/create', { area: 'stock', name: 'My phones', address: '' })
  await user.post('/api/view/create', { area: 'stock', name: 'Shared 10', address: 'order=id_asc', shared: true })
  await other.post('/api/view/create', {
    area: 'stock',
    name: 'Shared 9',
    address: 'order=id_desc',
    shared: '1',
    position: 0,
  })
  await user.post('/api/view/create', { area: 'batch', name: 'My phones', address: 'is_locked=1', position: 40 })
  await user.post('/api/view/create', { area: 'stock', name: 'MY PHONES', address: '' })
  await admin.post('/api/view/create', { area: 'stock', name: 'shared 9', address: '', shared: true })
  await user.post('/api/view/create', {})
  await user.post('/api/view/create', { area: 'moon', name: 'x'.repeat(61), address: '?A=1', shared: 2, position: 51 })
  await user.get('/api/view/find?area=stock')
  await other.get('/api/view/find?area=stock,batch&order=name_desc')
  for (const query of ['order=id_desc', 'order=name_asc', 'order=position_desc', 'search=phones'])
    await user.get(`/api/view/find?${query}`)
  await user.get('/api/view/find?id=3')
  await other.get('/api/view/find?id=3')
  await user.get('/api/view/find?area=moon')

  await user.post('/api/view/1/edit', { name: 'Phones', address: 'status=Sold' })
  await user.post('/api/view/1/edit', { name: 'Phones' })
  await user.post('/api/view/1/edit', { position: 0 })
  await user.post('/api/view/1/edit', { position: null })
  await user.post('/api/view/1/edit', { shared: true })
  await user.post('/api/view/1/edit', { shared: true, position: 1, updated_at: await versionOf('view', 1) })
  await other.post('/api/view/1/edit', { name: 'Theirs' })
  await other.post('/api/view/2/edit', { name: 'Theirs' })
  await admin.post('/api/view/1/edit', { name: 'Of all', shared: true, updated_at: STALE })
  await admin.post('/api/view/1/edit', { name: 'Of all' })
  await admin.post('/api/view/1/edit', { shared: false })
  await admin.post('/api/view/1/edit', { name: 'Shared 10' })
  await user.post('/api/view/1/edit', { shared: false, name: 'Mine again' })
  await user.post('/api/view/1/edit', { name: 'Older', updated_at: STALE })
  await user.post('/api/view/99/edit', { name: 'None' })
  await other.delete('/api/view/1/delete')
  await other.delete('/api/view/4/delete')
  await user.delete('/api/view/1/delete')
  await admin.delete('/api/view/5/delete')
  await user.delete('/api/view/1/delete')

  tape.title('A list has at most 50 views of a person')
  for (let n = 1; n <= 50; n++) await quiet.post('/api/view/create', { area: 'sale', name: `View ${n}`, address: '' })
  await quiet.post('/api/view/create', { area: 'sale', name: 'For all', address: '', shared: true })
  await tape.forgetChanges()
  const { status, body } = await quiet.post('/api/view/create', { area: 'sale', name: 'View 51', address: '' })
  tape.line(`${status} ${body.message}`)
}
