import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { listIds } from '../../testing/list-ids.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

// Batches and baskets, compared with `answers.txt`. `npm run words` stores it anew.

let tape: Tape
let user: Client
let other: Client
let quiet: Client
let shop: Shop
let list: (url: string) => Promise<void>

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  other = await tape.person('Other')
  quiet = await tape.t.user('ROLE_ADMIN')
  list = listIds(tape, quiet)
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const STALE = '2020-01-01T00:00:00.000Z'
const stock = async (n: number, columns: Parameters<typeof stockItems>[3] = {}) => {
  const ids = await stockItems(tape.t.db, shop, n, columns)
  await tape.forgetChanges()
  return ids
}

test('batches: the answers and the rows that they leave', async () => {
  tape.title('Batches are made: empty, with items, with the items of another batch')
  await stock(1, { purchase_price: 15_050, sales_price: null })
  await stock(3)
  await quiet.put(`/api/user/${quiet.id}/basket`, { items: [2, 1] })
  await user.put(`/api/user/${user.id}/basket`, { items: [3, 1, 4] })
  await user.post('/api/batch/create', { name: 'Pallet 10' })
  await user.post('/api/batch/create', { name: 'Pallet 9', priority: '5', is_locked: '1', items: [1, 2, 1] })
  await user.post('/api/batch/create', { name: 'Box', priority: '', is_locked: false, items: '3,4', id: '' })
  await other.post('/api/batch/create', { name: 'Taken from the box', priority: -3, items: [3], id: 3 })

  tape.title('Batches that are refused')
  await user.post('/api/batch/create', {})
  await user.post('/api/batch/create', { name: '', priority: 'x', is_locked: 'x', items: 'x', id: 'x' })
  await user.post('/api/batch/create', { name: 'Far', priority: 1_000_001, items: {} })
  await user.post('/api/batch/create', { name: 'Near', priority: -1_000_001 })
  await user.post('/api/batch/create', { name: 'Unknown', items: [3, 98, 99] })
  await user.post('/api/batch/create', { name: 'Others', items: [1, 3] })
  await user.post('/api/batch/create', { name: 'Others', items: [3, 4], id: 4 })
  await user.post('/api/batch/create', { name: 'From nowhere', items: [3], id: 99 })
  await user.post('/api/batch/create', { name: 'From a locked one', items: [1], id: 2 })

  tape.title('Items are added, moved and removed')
  const [inbound] = await stock(1, { status: 'Inbound' })
  const [fresh, second] = await stock(2)
  const [deleted] = await stock(1, { status: 'Deleted', in_hand: false })
  await user.post('/api/batch/add-items', { batch_id: 3, items: [fresh, second, fresh] })
  await user.post('/api/batch/add-items', { batch_id: '1', id: 3, items: `${fresh},4` })
  for (const body of [
    {},
    { batch_id: 'x', id: -1, items: ['x'] },
    { batch_id: 1, items: [] },
    { batch_id: 1, id: 1, items: [4] },
    { batch_id: 1, items: [99] },
    { batch_id: 1, items: [inbound, deleted, second] },
    { batch_id: 1, items: [inbound] },
    { batch_id: 1, id: 3, items: [second, 3, inbound] },
    { batch_id: 2, items: [second] },
    { batch_id: 1, id: 2, items: [1] },
    { batch_id: 1, id: 99, items: [1] },
    { batch_id: 99, items: [second] },
  ])
    await user.post('/api/batch/add-items', body)
  await user.post('/api/batch/1/remove-item/4')
  await user.post('/api/batch/1/remove-item/4')
  await user.post('/api/batch/2/remove-item/1')
  await user.post('/api/batch/99/remove-item/1')
  await user.post('/api/batch/1/remove-item/99')
  await user.post('/api/batch/1/remove-item/x')

  tape.title('Batches are edited')
  await user.post('/api/batch/1/edit', { name: 'Pallet 11', priority: 2, is_locked: 1 })
  const { updated_at } = (await quiet.get('/api/batch/find?id=1')).body.data[0]
  await other.patch('/api/batch/1/edit', { is_locked: '0', updated_at })
  await other.post('/api/batch/1/edit', { name: 'Pallet 11', priority: '2' })
  await user.post('/api/batch/1/edit', { name: 'Pallet 12', updated_at: STALE })
  await user.post('/api/batch/1/edit', { name: null, priority: 1.5, is_locked: 2 })
  await user.post('/api/batch/99/edit', { name: 'None' })

  tape.title('A list of batches, with sums of items that are sold, deleted or without a price')
  await tape.t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = 2`)
  const sold = await stock(1, { status: 'In Batch', batch_id: 3, sales_price: 33_300 })
  await quiet.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: [{ id: sold[0], sales_price: 1000 }],
  })
  await tape.forgetChanges()
  await user.get('/api/batch/find')
  await user.get('/api/batch/find?quick=1&search=pallet')
  await user.get('/api/batch/find?id=2')
  await user.get('/api/batch/find?id=99')
  await user.get('/api/batch/find?user_id=me&per_page=1&page=2')
  for (const order of ['id', 'priority', 'name'])
    for (const way of ['asc', 'desc']) await list(`/api/batch/find?order=${order}_${way}`)
  for (const query of [
    ...['search=box', 'search=%232', 'search=batch+1', 'search=pallet+9', 'user_id=1', 'user_id=2', 'user_id=2,1'],
    ...['user_id=me', 'user_id=x', 'is_locked=1', 'is_locked=0', 'is_locked=x', 'ids=4,2', 'ajax_id=3&per_page=2'],
    ...['order=name_asc&per_page=3&page=2', 'search=pallet&select=1&is_locked=0', 'user_id=', 'quick=1&order=name_asc'],
  ])
    await list(`/api/batch/find?${query}`)

  tape.title('Batches are deleted, and their items stay')
  await user.delete('/api/batch/2/delete')
  await user.delete('/api/batch/3/delete')
  await user.delete('/api/batch/3/delete')
  await user.delete('/api/batch/1/delete')
  await user.get('/api/batch/find?id=1')

  await baskets()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function baskets() {
  tape.title('Baskets')
  const url = `/api/user/${user.id}/basket`
  const items = await stock(2)
  const [one, two] = items as [number, number]
  await user.get(url)
  await other.get(`/api/user/${other.id}/basket`)
  await user.put(url, { items: [two, one, two] })
  await user.put(url, { items: `${one}` }, { 'if-match': '"1"' })
  await user.put(url, { items: [one] }, { 'if-match': '"1", "3"' })
  await user.put(url, { items: [two] }, { 'if-match': '*' })
  await user.put(url, { items: [] }, { 'if-match': 'W/x' })
  await other.put(`/api/user/${other.id}/basket`, { items: [one] }, { 'if-match': '"4"' })
  await other.put(`/api/user/${other.id}/basket`, { items: [one] }, { 'if-match': '"0"' })
  await user.put(url, { items: [one, 98, 99] })
  await user.put(url, { items: ['x'] })
  await user.put(url, {})
  await other.get(url)
  await other.put(url, { items: [one] })
  await user.get('/api/user/x/basket')
  await user.get(url)

  tape.title('What happens to items in baskets when they are sold, deleted or put into a batch')
  await user.put(url, { items: [two, one] })
  await user.post('/api/batch/create', { name: 'From my basket', items: [one] })
  await user.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: [{ id: two, sales_price: 1000 }],
    create_invoice: false,
  })
  await user.put(url, { items: [] })
  await user.get(url)
}
