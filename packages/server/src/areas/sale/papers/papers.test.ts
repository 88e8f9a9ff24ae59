import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { textOf } from '../../../testing/printed-invoice.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { deliveryNoteOf } from './delivery-note.ts'
import { pickListOfDraft, pickListOfSale } from './pick-list.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
})
afterAll(() => t.close())

async function sell(items: number[], fields: object = {}): Promise<number> {
  const { body } = await staff.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: items.map((id) => ({ id, sales_price: 33_377 })),
    create_invoice: false,
    send_email: false,
    reference_number: 'PO-881',
    ...fields,
  })
  expect(body.message).toContain('created')
  return body.data.id
}
const pdf = async (path: string, who = staff) => {
  const { status, headers, raw } = await who.get(path)
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(headers['content-disposition']).toMatch(/^inline; filename="[a-z0-9-]+\.pdf"$/)
  return (await textOf(raw)).join(' ')
}
const at = (location: string | null, n = 1) => stockItems(t.db, shop, n, { location })
const imeiOf = async (id: number) => (await t.db.pool.query('select imei from stock where id = $1', [id])).rows[0].imei

test('the pick list goes from shelf to shelf, numbers in their order, and what has no place comes last', async () => {
  const items = (await Promise.all([at('B-10'), at(null), at('B-2'), at('a-1')])).flat()
  const text = await pdf(`/api/sale/${await sell(items)}/pick-list`)
  const places = await Promise.all([items[3]!, items[2]!, items[0]!, items[1]!].map(imeiOf))
  expect(places.map((imei) => text.indexOf(imei)).toSorted((a, b) => a - b)).toEqual(
    places.map((imei) => text.indexOf(imei)),
  )
  for (const part of ['Pick list', 'a-1', 'B-10', 'Zażółć', `#${items[0]}`, 'Devices 4']) expect(text).toContain(part)
  expect(text).not.toContain('333.77')
})

test('items that were taken off a sale are not fetched, and a list without items says so', async () => {
  const [kept, gone] = await at('C-1', 2)
  const buyer = { first_name: 'Ole', last_name: 'Lund', email: 'ole@example.test', company_name: 'Lund & Søn' }
  const customer = (await staff.post('/api/customer/create', buyer)).body.data
  const sale = await sell([kept!, gone!], { customer_id: customer.id })
  await t.db.pool.query(`update sale_item set released = 'lost' where stock_id = $1`, [gone])
  const text = await pdf(`/api/sale/${sale}/pick-list`)
  expect(text).toContain('Lund & Søn')
  expect(text).toContain(await imeiOf(kept!))
  expect(text).not.toContain(await imeiOf(gone!))
  const voided = await sell(await at('C-2'))
  const { updated_at } = (await staff.get(`/api/sale/find?id=${voided}`)).body.data[0]
  await staff.post(`/api/sale/${voided}/edit`, { status: 'Voided', updated_at })
  expect((await staff.get(`/api/sale/${voided}/pick-list`)).body.message).toBe('There is nothing to pick.')
  expect((await staff.get(`/api/sale/${voided}/delivery-note`)).status).toBe(409)
  expect((await staff.get('/api/sale/999999/pick-list')).status).toBe(404)
})

test('a basket is picked by whose it is', async () => {
  const items = await at('D-4', 2)
  await staff.put(`/api/user/${staff.id}/basket`, { items })
  const text = await pdf(`/api/user/${staff.id}/basket/pick-list`)
  for (const id of items) expect(text).toContain(await imeiOf(id))
  const other = await t.user()
  expect((await other.get(`/api/user/${staff.id}/basket/pick-list`)).status).toBe(403)
  expect((await other.get(`/api/user/${other.id}/basket/pick-list`)).status).toBe(409)
})

test('a sale that is not made yet is picked too, from shelf to shelf, and nothing of it is kept', async () => {
  const [far, near] = [...(await at('F-12')), ...(await at('F-3'))]
  const { status, headers, raw } = await staff.post('/api/stock/pick-list', { items: [far, near] })
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  const text = (await textOf(raw)).join(' ')
  const places = await Promise.all([near!, far!].map(imeiOf))
  expect(text.indexOf(places[0]!)).toBeGreaterThan(0)
  expect(text.indexOf(places[1]!)).toBeGreaterThan(text.indexOf(places[0]!))
  expect((await staff.get(`/api/stock/find?ids=${far},${near}&status=In Stock`)).body.total).toBe(2)
  expect((await staff.post('/api/stock/pick-list', { items: [] })).status).toBe(409)
  expect((await staff.post('/api/stock/pick-list', {})).body.data.errors).toHaveProperty('items')
})

test('the delivery note has parties and devices in the customer’s language, and no price', async () => {
  const items = await at('E-1', 12)
  const sale = await sell(items)
  const english = await pdf(`/api/sale/${sale}/delivery-note`)
  for (const part of [
    'Delivery note',
    `Order number ${sale}`,
    'PO-881',
    'Deliver to',
    'Phones Ltd',
    'ul. Długa 1',
    'Poland',
  ])
    expect(english).toContain(part)
  for (const id of items) expect(english).toContain(await imeiOf(id))
  expect(english).toContain('Summary by model')
  expect(english).not.toMatch(/333[.,]77|EUR|VAT \d/)
  await t.db.pool.query(`update customer set lang = 'de' where id = $1`, [shop.customer])
  const german = await pdf(`/api/sale/${sale}/delivery-note`)
  for (const part of ['Lieferschein', 'Lieferanschrift', 'Polen', 'Seite 1 von 1']) expect(german).toContain(part)
  expect(await pdf(`/api/sale/${sale}/delivery-note?lang=it`)).toContain('Nota di consegna')
  expect((await staff.get(`/api/sale/${sale}/delivery-note?lang=xx`)).status).toBe(400)
})

test('the delivery note has what was delivered, on the day of the dispatch, also after a part has come back', async () => {
  const items = await at('E-2', 2)
  const sale = await sell(items)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await staff.post(`/api/sale/${sale}/edit`, { status })
  await t.db.pool.query(`update sale set dispatched_on = '2020-02-29' where id = $1`, [sale])
  expect((await staff.post(`/api/sale/${sale}/return-item/${items[0]}`)).status).toBe(200)
  const text = await pdf(`/api/sale/${sale}/delivery-note?lang=en`)
  for (const part of [...(await Promise.all(items.map(imeiOf))), '29 February 2020']) expect(text).toContain(part)
})

test('a pick list tells phones on one shelf apart: by product, grade and number, each with its identifiers', async () => {
  const { rows: products } = await t.db.pool.query(
    `insert into product (make_id, category_id, model, display_name)
     select make_id, category_id, name, name from product, unnest(array['Phone 10', 'Phone 9']) name where id = $1
     returning id`,
    [shop.product],
  )
  const { rows: grades } = await t.db.pool.query(`select id from grade where name in ('A', 'B') order by name`)
  const [ten, nine, a, b] = [...products, ...grades].map(({ id }) => id as number)
  const one = async (columns: object) => (await stockItems(t.db, shop, 1, { location: 'G-1', ...columns }))[0]!
  const worse = await one({ actual_product_id: ten, grade_id: b })
  const better = await one({ actual_product_id: ten, grade_id: a, serial_number: 'SN-9', backstock_id: 'BS-9' })
  const ungraded = await one({ actual_product_id: ten })
  const alike = await one({ actual_product_id: ten })
  const older = await one({ actual_product_id: nine })
  const order = [older, ungraded, alike, better, worse]
  const draft = await pickListOfDraft(t.db.read, [worse, better, alike, ungraded, older])
  expect([draft.title, draft.note, draft.lines.map(({ id }) => id)]).toEqual(['New sale', null, order])
  const { title, note, lines } = await pickListOfSale(t.db.read, await sell(order))
  expect([title, note]).toEqual([expect.stringMatching(/^Sale #\d+$/), 'Zażółć Παπαδόπουλος'])
  expect(lines[3]).toEqual({
    ...{ id: better, location: 'G-1', product: 'Phone 10', grade: 'A', imei: await imeiOf(better) },
    ...{ serial_number: 'SN-9', backstock_id: 'BS-9' },
  })
})

test('a delivery note has both addresses, the courier with its number, and each device', async () => {
  const address = { address_1: 'Kade 1', city: 'Delft', postal_code: '2611', country_code: 'NL' }
  const buyer = {
    ...{ first_name: 'Bea', last_name: 'Berg', email: 'bea@example.test', company_name: 'Berg BV', lang: 'nl' },
    ...{ billing_address: address, delivery_address: { ...address, address_1: 'Dok 2', country_code: 'BE' } },
  }
  const customer_id = (await staff.post('/api/customer/create', buyer)).body.data.id
  const { rows } = await t.db.pool.query(`select id from grade where name = 'A'`)
  const [second, first] = await stockItems(t.db, shop, 2, { grade_id: rows[0].id })
  const [odd] = await stockItems(t.db, shop, 1, { imei: null, serial_number: 'SN-10' })
  const id = await sell([first!, odd!, second!], { customer_id })
  await staff.post(`/api/sale/${id}/edit`, { courier: 'PostNL', outbound_tracking_number: '3S-7' })
  const phone = { product: 'Apple iPhone 13 128 GB', grade: 'A', serial_number: null }
  const { sender, date, ...note } = await deliveryNoteOf(t.db.read, id)
  expect([sender.name, date]).toEqual(['Phones Ltd', (await staff.get('/api/dashboard')).body.data.today])
  expect(note).toEqual({
    ...{ kind: 'delivery note', lang: 'nl', sale_id: id, reference_number: 'PO-881' },
    ...{ courier: 'PostNL', tracking_number: '3S-7', buyer: { name: 'Bea Berg', company_name: 'Berg BV' } },
    billing_address: expect.objectContaining({ lines: ['Kade 1', '2611 Delft'], country: 'Netherlands' }),
    delivery_address: expect.objectContaining({ lines: ['Dok 2', '2611 Delft'], country: 'Belgium' }),
    lines: [
      { ...phone, imei: await imeiOf(first!) },
      { ...phone, grade: null, imei: null, serial_number: 'SN-10' },
      { ...phone, imei: await imeiOf(second!) },
    ],
  })
})
