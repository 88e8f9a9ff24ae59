import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import { type Client, logIn, PASSWORD } from '../../testing/app.ts'
import { applyImport, sendForm, uploadCsv } from '../../testing/csv-upload.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let admin: Client
let shop: Shop
const LONG_AGO = '2001-01-01T00:00:00.000Z'

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  shop = await openShop(tape.t.db)
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  user = await tape.person('Person')
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
/** How many people are logged in, by user. */
const sessions = async (title: string) =>
  tape.note(title, await query('select user_id as id, count(*)::int as sessions from session group by 1 order by 1'))

testInTurn('staff, login, log and notifications: the answers and the rows that they leave', async () => {
  tape.title('Without a session')
  const visitor = tape.caller('Visitor')
  await visitor.get('/api/auth')
  await visitor.get('/api/user/find')
  await visitor.post('/api/logout')
  await visitor.post('/api/login', {})
  await visitor.post('/api/login', { username: user.email, password: PASSWORD })

  tape.title('Staff: made, edited, found')
  const create = (fields: object, who = admin) => who.post('/api/user/create', fields)
  const ann = { name: 'Ann 10', email: 'ann@backstock.test', role: 'ROLE_USER', password: 'correct horse' }
  await create(ann, user)
  await create({})
  await create({ name: ' ', email: 'x', role: 'x', password: 'short' })
  await create({ ...ann, password: '', email: `${'x'.repeat(190)}@a.test` })
  await create({ ...ann, password: 'x'.repeat(33) })
  const id = (await create(ann)).body.data.id
  await create({ ...ann, email: 'ANN@backstock.test' })
  const bob = (await create({ ...ann, name: 'ann 9', email: 'Bob@backstock.test', role: 'ROLE_ADMIN' })).body.data.id
  const edit = (who: Client, of: number, fields: object) => who.post(`/api/user/${of}/edit`, fields)
  await edit(user, id, { name: 'x' })
  await edit(admin, id, { name: 'Anna 10', email: 'anna@backstock.test' })
  await edit(admin, id, { name: 'Anna 10', password: '' })
  await edit(admin, id, { name: 'x', updated_at: LONG_AGO })
  await edit(admin, id, { email: 'BOB@backstock.test' })
  await edit(admin, id, { name: '', email: null, role: null, password: 'x' })
  await edit(admin, 999, { name: 'x' })
  await edit(admin, id, { role: 'ROLE_ADMIN' })
  await edit(admin, id, { role: 'ROLE_USER' })
  await edit(admin, admin.id, { role: 'ROLE_USER' })
  await edit(user, user.id, { role: 'ROLE_ADMIN' })
  await edit(user, user.id, { name: 'Person Two' })
  for (const find of [
    'order_by=name_asc',
    'order_by=email_desc&per_page=2',
    'order_by=email_asc&page=2&per_page=2',
    'search=ann',
    'search=staff 2',
    'search=bob&quick=1',
    `ids=${id},${user.id}`,
    'order_by=role_asc',
  ])
    await user.get(`/api/user/find?${find}`)
  await user.get(`/api/user/find?id=${id}`)
  await user.get('/api/user/find?id=999')

  tape.title('Sessions end with a password, but for the one that sets it')
  const again = await logIn(tape.t.app, user.id, user.email, PASSWORD)
  const hers = await logIn(tape.t.app, id, 'ANNA@backstock.test', PASSWORD)
  await sessions('three people are logged in, one of them twice')
  await edit(user, user.id, { password: 'another horse' })
  await sessions('after a new password of the person')
  await tape.note('the other session', (await again.get('/api/auth')).status)
  await edit(admin, id, { password: 'another horse', name: 'Ann' })
  await sessions('after a new password that an administrator has set')
  await tape.note('the session of that person', (await hers.get('/api/auth')).body)

  tape.title('Login')
  await visitor.get('/api/auth')
  const attempt = async (body: object) => {
    const token = await tape.t.app.inject({ method: 'GET', url: '/api/auth' })
    const cookies = Object.fromEntries(token.cookies.map(({ name, value }) => [name, value]))
    const headers = { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' }
    return tape.t.app.inject({ method: 'POST', url: '/api/login', payload: body, cookies, headers })
  }
  const login = async (title: string, body: object) => {
    const answer = await attempt(body)
    await tape.note(title, { status: answer.statusCode, ...(answer.json() as object) })
    await tape.note(
      'its cookies',
      answer.cookies.map(({ value: _, expires: __, ...cookie }) => cookie),
    )
  }
  await login('with a wrong password', { username: 'anna@backstock.test', password: PASSWORD })
  await login('of nobody', { username: 'nobody@backstock.test', password: PASSWORD })
  await login('without a name', { username: ' ', password: '' })
  await login('with too long a password', { username: 'x', password: 'x'.repeat(33) })
  await login('in another case', { username: 'ANNA@Backstock.test', password: 'another horse' })
  const wrong = { username: 'Nobody@backstock.test', password: 'x' }
  for (let n = 0; n < 9; n++) await attempt(wrong)
  await login('too often', { username: 'nobody@backstock.test', password: 'x' })
  await user.get('/api/auth')

  tape.title('Notifications: the newest entries of a person, without imports, many items and the texts of mails')
  const items = (n: number, columns: object = {}) =>
    stockItems(tape.t.db, shop, n, columns) as Promise<[number, number]>
  const [one, two] = await items(2)
  await tape.forgetChanges()
  await user.post(`/api/stock/${one}/edit`, { location: 'Shelf 1' })
  await user.post(`/api/supplier/create`, { company_name: 'Gone' })
  await user.delete('/api/supplier/1/delete')
  const sale = (
    await user.post('/api/sale/create', { customer_id: shop.customer, stock_items: [{ id: one }, { id: two }] })
  ).body.data.id
  const file = await uploadCsv(user, {
    csv: `imei,make,model,category,purchase_price\n${newImei()},Apple,iPhone 13,Phone,1`,
  })
  await tape.act('the import runs', () => applyImport(tape.t, file.body.data.import_id))
  await query(
    `insert into log (user_id, loggable_type, loggable_id, is_hidden, content) values
      ($1, 'Sale', $2, false, '{"type": "email_sent", "data": {"message": "Sent.", "email_body": "Dear"}}'),
      ($1, 'Sale', $2, true, '{"type": "message", "data": {"message": "Hidden."}}'),
      ($1, 'Stock', 999, false, '{"type": "item_sold", "data": {"sale_id": 999}}'),
      (null, 'Sale', $2, false, '{"type": "message", "data": {"message": "By nobody."}}')`,
    [user.id, sale],
  )
  for (const [n, type] of [
    'Batch',
    'Customer',
    'User',
    'Product',
    'Supplier claim',
    'Return',
    'Bulk edit',
    'Delivery check',
  ].entries())
    await query(`insert into log (user_id, loggable_type, loggable_id, content) values ($1, $2, $3, $4)`, [
      ...[user.id, type, 1 + (n % 2) * 998],
      JSON.stringify({ type: 'message', data: { message: `${type}.` } }),
    ])
  await query('insert into basket (user_id, items) values ($1, $2)', [user.id, [two]])
  await tape.forgetChanges()
  await user.get('/api/auth')
  await user.get(`/api/user/find?id=${user.id}`)
  await admin.get(`/api/user/find?id=${user.id}`)

  tape.title('The log of a record, page by page')
  for (const find of [
    `loggable_type=Sale&loggable_id=${sale}`,
    `loggable_type=Stock&loggable_id=${one},${two},999&order=id_asc&per_page=3`,
    `loggable_type=Stock&loggable_id=${one},${two},999&order=id_asc&per_page=3&page=2`,
    'loggable_type=Supplier,Return',
    'loggable_type=Stuff',
    'id=3',
    'id=999',
    'ids=3,1',
    'per_page=0&order=at_asc',
  ])
    await user.get(`/api/log/find?${find}`)

  tape.title('Pictures of people')
  await user.get(`/api/user/${user.id}/avatar`)
  await user.get('/api/user/999/avatar')
  const picture = (who: Client, of: number, content: string | Buffer | undefined, name = 'a.png', type = 'image/png') =>
    sendForm(who, `/api/user/${of}/avatar`, { content, name, type }, {}, { part: 'avatar' })
  await picture(user, admin.id, 'x')
  await picture(user, user.id, undefined)
  await picture(user, user.id, 'x')
  await picture(user, user.id, 'x', 'a.txt', 'text/plain')

  tape.title('Saved views, the quick search, and what requires attention')
  await query(
    `insert into list_view (user_id, created_by, area, name, address, position) values ($1, $1, 'stock', 'Mine', '', 0),
      ($1, $1, 'stock', 'Mine too', '', 1), (null, $2, 'sale', 'All', '', 0), ($2, $2, 'batch', 'Others', '', 0)`,
    [user.id, admin.id],
  )
  await query(`update sale set status = 'Requires Attention' where id = $1`, [sale])
  await tape.forgetChanges()
  await user.get('/api/auth')
  for (const area of ['stock', 'sale', 'customer', 'batch', 'product', 'supplier', 'user'])
    await user.get(
      `/api/${area}/find?quick=1&per_page=3&search=${area === 'customer' ? 'zazolc' : area === 'user' ? 'ann' : '1'}`,
    )

  tape.title('Staff: deleted')
  await user.delete(`/api/user/${id}/delete`)
  await admin.delete(`/api/user/${admin.id}/delete`)
  await query(
    `insert into import_remembered (user_id, kind, field_of, seen, name, said_by) values ($1, 'column', '', 'x', 'x', $1)`,
    [id],
  )
  await query('insert into basket (user_id, items) values ($1, $2)', [id, [two]])
  await tape.forgetChanges()
  await admin.delete(`/api/user/${id}/delete`)
  await admin.delete(`/api/user/${id}/delete`)
  await sessions('after the deletion')
  await admin.get(`/api/log/find?loggable_type=User&loggable_id=${id}`)
  await create({ ...ann, email: 'anna@backstock.test' })
  await admin.delete(`/api/user/${bob}/delete`)
  await user.delete(`/api/user/${admin.id}/delete`)
  await user.post('/api/logout')
  await user.get('/api/auth')
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
