import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let shop: Shop

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
})
afterAll(() => tape.close())

test('sales: the answers and the rows that they leave', async () => {
  tape.title('A sale of two items, with an invoice')
  const items = await stockItems(tape.t.db, shop, 2, { vat_id: shop.vat.standard })
  await tape.forgetChanges()
  const sale = { customer_id: shop.customer, stock_items: items.map((id) => ({ id, sales_price: 25_000 + id })) }
  const { body } = await user.post('/api/sale/create', { ...sale, create_invoice: true })
  await user.get(`/api/sale/find?id=${body.data.id}`)
  await user.post('/api/sale/create', sale)
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
