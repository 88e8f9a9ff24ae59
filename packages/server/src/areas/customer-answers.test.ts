import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../testing/answers.ts'
import type { Client } from '../testing/app.ts'
import { testInTurn } from '../testing/in-turn.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with a text. `npm run words` stores them anew.

let tape: Tape
let user: Client
let admin: Client
let silent: Client
let shop: Shop
let today: string
/** The answer that VIES gives next: its status and its body. */
let answer: { status: number; body: unknown }
const asked: string[] = []
const vies = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', () => {
    asked.push(`${request.method} ${request.url} ${body}`)
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status, { 'content-type': 'application/json', location: 'http://127.0.0.1/' }).end(text)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vies.listen(0, '127.0.0.1', resolve))
  const viesUrl = `http://127.0.0.1:${(vies.address() as AddressInfo).port}`
  tape = await openTape({ vies: true, viesUrl })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  silent = await tape.t.user('ROLE_ADMIN')
  today = (await query('select (now() at time zone time_zone)::date::text as day from company'))[0].day
  await tape.forgetChanges()
})
afterAll(async () => {
  vies.closeAllConnections()
  vies.close()
  await tape.close()
})

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
const OLD = '2001-01-01T00:00:00.000Z'

testInTurn('customers, VAT and the company: the answers and the rows that they leave', async () => {
  await customers()
  await debtorNumbers()
  await vatChecks()
  await vatTypes()
  await rules()
  await company()
  await expect(tape.text()).toMatchFileSnapshot('customer-answers.txt')
})

async function customers(): Promise<void> {
  const create = (body: object) => user.post('/api/customer/create', body)
  const edit = (id: number, body: object) => user.post(`/api/customer/${id}/edit`, body)
  const find = (text: string) => user.get(`/api/customer/find?${text}`)
  const billing_address = {
    address_1: 'B 1',
    address_2: 'B 2',
    city: 'Bonn',
    state: 'NRW',
    postal_code: '53111',
    country_code: 'DE',
  }
  const delivery_address = { address_1: 'D 1', city: 'Cork', postal_code: 'T12', country_code: 'IE' }
  const ann = { first_name: ' Ann ', last_name: 'Archer', email: 'ann@example.test' }
  tape.title('A new customer: refused, with few fields, with all, with numbers that cannot be right')
  await create({})
  await create({
    ...ann,
    email: 'x',
    lang: 'x',
    payment_days: 400,
    e_invoice_profile: 'x',
    electronic_address: 'x',
    billing_address: { city: 'x', country_code: 'XX' },
  })
  await create(ann)
  const all = {
    phone: '1',
    company_name: 'Zeta Ltd',
    vat_number: 'de 136695976',
    registration: 'HRB 1',
    lang: 'de',
    payment_days: '30',
    e_invoice_profile: 'xrechnung',
  }
  const { body } = await create({
    ...ann,
    first_name: 'Bob',
    last_name: 'Baker',
    email: 'bob@example.test',
    ...all,
    buyer_reference: '04011000-1234512345-06',
    electronic_address: '0088:5000000000012',
    billing_address,
    delivery_address,
  })
  const { id } = body.data
  await create({
    ...ann,
    last_name: 'Cook',
    vat_number: 'FR1',
    buyer_reference: '04011000-1234512345-07',
    e_invoice_profile: '',
    delivery_address: { ...delivery_address, country_code: 'FR' },
  })
  await user.put('/api/customer/create', { ...ann, debtor_number: 10_000 })
  tape.title(
    'Edited: the same, one field, an address replaced and removed, everything cleared, stale, no such customer',
  )
  await edit(id, { first_name: 'Bob', phone: '1' })
  await edit(id, { phone: '2', billing_address: { ...delivery_address, city: 'Kerry' } })
  await edit(id, { delivery_address: null, updated_at: OLD })
  await edit(id, {
    delivery_address: null,
    billing_address: { address_1: '', city: '', postal_code: '', country_code: '' },
  })
  await edit(id, { delivery_address })
  await edit(id, {
    phone: '',
    company_name: null,
    vat_number: '',
    registration: '',
    lang: '',
    payment_days: '',
    e_invoice_profile: null,
    buyer_reference: '',
    electronic_address: '',
  })
  await edit(id, { vat_number: 'DE123' })
  await edit(id, { debtor_number: 10_000 })
  await edit(999, { phone: '1' })
  await user.patch(`/api/customer/${id}/edit`, { email: 'no', first_name: '' })
  tape.title('The list, with what they owe; orders, searches, the quick search, a select field')
  const [item, other, third] = await stockItems(tape.t.db, shop, 3)
  const sale = async (stock: number, more: object) =>
    (
      await silent.post('/api/sale/create', {
        stock_items: [{ id: stock }],
        customer_id: id,
        send_email: false,
        create_invoice: true,
        ...more,
      })
    ).body.data.id
  const paid = await sale(item!, {})
  const late = await sale(other!, { reference_number: 'LATE' })
  await sale(third!, { customer_id: shop.customer })
  await silent.post(`/api/sale/${paid}/pay`, { paid_on: '2001-01-01', amount: 30_050 })
  await query(`update sale set due_on = '2001-01-01' where id = $1`, [late])
  await find('')
  await find('order=last_name_desc&per_page=1&page=2')
  const ids = async (text: string) =>
    tape.line(
      `${text}: ${(await silent.get(`/api/customer/find?${text}`)).body.data.map(({ id }: { id: number }) => id)}`,
    )
  for (const order of [
    'id_asc',
    'first_name_desc',
    'last_name_asc',
    'full_name_asc',
    'email_asc',
    'company_name_asc',
    'company_name_desc',
  ])
    await ids(`order=${order}`)
  for (const search of [
    'search=baker',
    'search=cork',
    'search=bob@',
    'search=ann archer',
    'search=żółć',
    `search=${id}`,
    'search=2&select=1',
    'ids=3,1',
    'ids=3&ajax_id=1',
  ])
    await ids(search)
  await find('quick=1&search=bob')
  await find('quick=1&per_page=2&page=2')
  await find(`id=${id}`)
  await find('order=x&id=x&page=0')
  tape.title('Deleted: one with sales, one with addresses, no such customer')
  await user.delete(`/api/customer/${id}/delete`)
  await user.delete('/api/customer/4/delete')
  await user.delete('/api/customer/4/delete')
}

async function debtorNumbers(): Promise<void> {
  const settings = (body: object) => admin.post('/api/accounting/settings/edit', body)
  const ann = { first_name: 'Dora', last_name: 'Debtor', email: 'dora@example.test' }
  tape.title('Debtor numbers: given to all customers, the next one, a typed one, one that another has, one too long')
  await settings({ account_length: 4, debtor_first: 10_000, debtor_last: 10_005 })
  await user.post('/api/customer/create', ann)
  await admin.post('/api/customer/create', { ...ann, debtor_number: '10005' })
  await admin.post('/api/customer/create', { ...ann, debtor_number: 10_001 })
  await admin.post('/api/customer/create', { ...ann, debtor_number: 100_000 })
  await admin.post('/api/customer/create', { ...ann, debtor_number: 0 })
  await user.post('/api/customer/2/edit', { debtor_number: 10_001 })
  await admin.post('/api/customer/2/edit', { debtor_number: 10_004 })
  await admin.post('/api/customer/3/edit', { debtor_number: 10_004 })
  await admin.post('/api/customer/3/edit', { debtor_number: 123_456 })
  tape.title('The range is full up to its end: the lowest free number; then none')
  await user.post('/api/customer/create', ann)
  for (let n = 0; n < 2; n++) await silent.post('/api/customer/create', ann)
  await tape.forgetChanges()
  await user.post('/api/customer/create', ann)
  tape.line(`  ${JSON.stringify(await query('select id, debtor_number from customer order by id'))}`)
}

async function vatChecks(): Promise<void> {
  tape.title('An answer of VIES that a person types: refused, wrong, of another day, in the future, of another number')
  const check = (id: number, body: object) => user.post(`/api/customer/${id}/vat-check`, body)
  const ask = (id: number) => user.post(`/api/customer/${id}/vat-check/ask`)
  const german = (
    await silent.post('/api/customer/create', {
      first_name: 'Gerd',
      last_name: 'G',
      email: 'g@example.test',
      vat_number: 'DE136695976',
    })
  ).body.data.id
  const american = (
    await silent.post('/api/customer/create', {
      first_name: 'Al',
      last_name: 'A',
      email: 'a@example.test',
      vat_number: 'US12',
    })
  ).body.data.id
  await tape.forgetChanges()
  const vat_number = 'DE 136695976'
  await check(german, {})
  await check(german, { vat_number, checked_on: '9999-12-31', is_valid: true })
  await check(german, { vat_number: 'DE1', checked_on: today, is_valid: true })
  await check(american, { vat_number: 'US12', checked_on: today, is_valid: true })
  await check(shop.customer, { vat_number: 'DE1', checked_on: today, is_valid: true })
  await check(999, { vat_number: 'DE1', checked_on: today, is_valid: true })
  await check(german, { vat_number, checked_on: '2001-02-03', is_valid: 'true', reference: ' WAPI1 ' })
  await check(german, { vat_number, checked_on: today, is_valid: 0 })
  await check(german, { vat_number, checked_on: '2001-02-02', is_valid: true })
  await user.get(`/api/customer/${german}/vat-checks`)
  await user.get(`/api/customer/${shop.customer}/vat-checks`)
  await user.get('/api/customer/999/vat-checks')
  tape.title('VIES is asked: valid, not valid, with little, with errors, with nonsense')
  // The same day in each zone that the company may have here: it depends on the hour.
  const MIDDAY = '2001-03-04T11:30:00.000Z'
  const said = { countryCode: 'DE', vatNumber: '136695976', valid: true, requestDate: MIDDAY }
  const reply = async (body: unknown, status = 200) => {
    answer = { status, body }
    await ask(german)
  }
  await reply({ ...said, requestIdentifier: 'WAPI2', name: 'Käufer GmbH', address: 'Weg 1\n10115 Berlin' })
  await reply({ ...said, valid: false, requestIdentifier: '', name: '---', address: null, requestDate: '2001-03-04' })
  await reply({ ...said, requestDate: '9999-03-04T00:00:00Z', name: 'x'.repeat(300), address: 'y'.repeat(600) })
  await reply({ ...said, requestDate: '2001-13-41' })
  for (const code of [
    'INVALID_INPUT',
    'MS_UNAVAILABLE',
    'MS_MAX_CONCURRENT_REQ',
    'SERVICE_UNAVAILABLE',
    'TIMEOUT',
    'INVALID_REQUESTER_INFO',
    'VAT_BLOCKED',
    'IP_BLOCKED',
    'OTHER_CODE',
    'not a code',
  ])
    await reply({ errorWrappers: [{ error: code }] }, 400)
  await reply({ ...said, vatNumber: '999' })
  await reply({ ...said, countryCode: 'AT' })
  await reply('<html>')
  await reply(' '.repeat(70_000))
  await reply('', 302)
  await ask(american)
  await ask(999)
  tape.line(`  VIES was asked: ${asked[0]}`)
  await query('update company set vat_number = null')
  await reply(said)
  tape.line(`  VIES was asked: ${asked.at(-1)}`)
}

async function vatTypes(): Promise<void> {
  const create = (body: object) => admin.post('/api/vat/create', body)
  const edit = (id: number, body: object) => admin.post(`/api/vat/${id}/edit`, body)
  tape.title('VAT types: refused, with a rate, exempt, with codes that a rate drops, a name twice')
  await create({})
  await create({ name: 'x'.repeat(256), rate: 101, treatment: 'x', exemption_code: 'x' })
  await create({ name: 'Low', rate: 5.555 })
  await create({
    name: 'Low',
    rate: '5,5',
    treatment: 'exempt',
    exemption_text: 'Text',
    exemption_code: 'VATEX-EU-132',
  })
  const { body } = await create({
    name: 'Free',
    rate: 0,
    treatment: 'exempt',
    exemption_text: 'Article 132',
    exemption_code: ' vatex-eu-132 ',
  })
  const { id } = body.data
  await create({ name: 'low', rate: 1 })
  await create({ name: 'Bare', rate: 0, treatment: '', exemption_text: 'Text' })
  await user.post('/api/vat/create', { name: 'Mine', rate: 1 })
  tape.title('Edited: the same, to another treatment, to a rate, stale, no such type; the list; deleted')
  await edit(id, { name: 'Free' })
  await edit(id, { exemption_text: '', exemption_code: '' })
  await edit(id, { treatment: 'zero', exemption_text: 'x' })
  await edit(id, { rate: 7 })
  await edit(id, { rate: 0, treatment: null })
  await edit(id, { name: 'Other', updated_at: OLD })
  await edit(id, { name: 'Low' })
  await edit(999, { name: 'x' })
  await user.get('/api/vat/find?order=rate_desc&per_page=2')
  await user.get('/api/vat/find?order=name_asc&search=e&per_page=3')
  await user.get(`/api/vat/find?id=${id}`)
  await user.get('/api/vat/find?order=treatment_asc')
  await stockItems(tape.t.db, shop, 1, { vat_id: shop.vat.zero })
  await tape.forgetChanges()
  await admin.delete(`/api/vat/${shop.vat.zero}/delete`)
  await admin.delete(`/api/vat/${id}/delete`)
  await admin.delete(`/api/vat/${id}/delete`)
  await user.delete('/api/vat/1/delete')
}

async function rules(): Promise<void> {
  const create = (body: object) => admin.post('/api/reverse-charge-rule/create', body)
  const edit = (id: number, body: object) => admin.post(`/api/reverse-charge-rule/${id}/edit`, body)
  await query('delete from reverse_charge_rule')
  tape.title('Rules of reverse charge: refused, with few fields, with all, the same day twice')
  await create({})
  await create({
    country_code: 'XX',
    valid_from: 'x',
    valid_to: 'x',
    threshold: -1,
    threshold_currency: 'x',
    resellers_any: 'x',
    series: 'CN',
  })
  await create({ country_code: 'IE', valid_from: '2001-02-01', valid_to: '2001-01-31' })
  const few = (await create({ country_code: ' ie ', valid_from: '2001-02-01', valid_to: '2001-02-01' })).body.data.id
  const all = { threshold: 500_000, threshold_currency: 'czk', resellers_any: true, series: 'rc', note: ' Law 1 ' }
  const { id } = (await create({ country_code: 'CZ', valid_from: '2001-01-01', valid_to: '2001-12-31', ...all })).body
    .data
  await create({ country_code: 'IE', valid_from: '2001-02-01' })
  await user.post('/api/reverse-charge-rule/create', { country_code: 'IE', valid_from: '2001-03-01' })
  tape.title(
    'Edited: the same, the end before the beginning, everything cleared, stale, no such rule; the list; deleted',
  )
  await edit(id, { note: 'Law 1' })
  await edit(id, { valid_to: '2000-12-31' })
  await edit(id, { valid_to: '', threshold: '', resellers_any: false, series: '', note: '' })
  await edit(id, { country_code: 'IE', valid_from: '2001-02-01' })
  await edit(id, { note: 'x', updated_at: OLD })
  await edit(999, { note: 'x' })
  await create({ country_code: 'AT', valid_from: '2001-01-15', valid_to: '2002-01-01' })
  for (const order of ['id_desc', 'country_code_asc', 'valid_from_asc', 'valid_to_desc'])
    tape.line(
      `${order}: ${(await silent.get(`/api/reverse-charge-rule/find?order=${order}`)).body.data.map((row: { id: number }) => row.id)}`,
    )
  await user.get('/api/reverse-charge-rule/find?search=ie')
  await user.get(`/api/reverse-charge-rule/find?id=${id}`)
  await admin.delete(`/api/reverse-charge-rule/${few}/delete`)
  await admin.delete(`/api/reverse-charge-rule/${few}/delete`)
}

async function company(): Promise<void> {
  const edit = (body: object) => admin.post('/api/company/edit', body)
  tape.title('The company: read, refused, with all fields, the same, cleared, stale')
  await admin.get('/api/company')
  await user.get('/api/company')
  await user.post('/api/company/edit', { name: 'Mine' })
  await edit({
    name: '',
    country_code: 'XX',
    email: 'x',
    electronic_address: 'x',
    payment_days: -1,
    reminder_days: 'x',
    group_invoice_lines: 'x',
    supply_day: 'x',
    margin_rate: 0,
    margin_method: 'x',
    vat_check_days: 0,
    mail_from: 'x',
    time_zone: 'x',
  })
  const place = {
    address_1: '1 Quay',
    address_2: 'Floor 2',
    city: 'Galway',
    state: 'Connacht',
    postal_code: 'H91',
    country_code: 'IE',
  }
  const numbers = {
    vat_number: 'IE 6388047V',
    tax_number: 'T1',
    registration: 'R1',
    iban: 'IE29 AIBK 9311 5212 3456 78',
    bic: 'aibkie2d',
    bank_name: 'AIB',
  }
  const contact = {
    email: 'new@phones.test',
    phone: '+353',
    contact_name: 'Sales',
    electronic_address: '0088:5000000000012',
    mail_from: 'mail@phones.test',
  }
  const terms = {
    payment_terms: 'Soon',
    payment_days: '30',
    reminder_days: 7,
    group_invoice_lines: true,
    supply_day: 'dispatch',
    margin_rate: '23',
    margin_method: 'period',
    vat_check_days: 90,
  }
  const { body } = await edit({ name: 'Phones & Co', ...place, ...numbers, ...contact, ...terms })
  const { updated_at } = body.data
  await edit({ name: 'Phones & Co', margin_rate: 23, updated_at })
  await edit({ vat_number: 'IE1', iban: 'IE30AIBK93115212345678' })
  await edit({
    address_2: '',
    state: null,
    tax_number: '',
    registration: '',
    email: '',
    phone: '',
    contact_name: '',
    electronic_address: '',
    bank_name: '',
    iban: '',
    bic: '',
    payment_terms: '',
    mail_from: '',
    margin_rate: '',
  })
  await edit({ name: 'Late', updated_at: OLD })
  await edit({ with_usual_vat: true, with_usual_categories: true })
  tape.title('A new shop: the usual VAT types and categories of its country, and a margin rate')
  await query('update stock set vat_id = null; update sale_item set vat_id = null; delete from vat')
  await edit({ with_usual_vat: true, country_code: null })
  await edit({ with_usual_vat: 'true', country_code: 'NL' })
  await query(
    'delete from stock_move; update stock set batch_id = null; delete from vat; alter table product alter category_id drop not null; update product set category_id = null; delete from category',
  )
  await admin.patch('/api/company/edit', {
    with_usual_vat: true,
    with_usual_categories: '1',
    country_code: 'DE',
    margin_rate: 5,
  })
  tape.title('The logo: none, no picture, a picture, another one, removed')
  const logo = (content: Buffer | undefined) => {
    const head = '--x\r\nContent-Disposition: form-data; name="logo"; filename="logo.png"\r\n\r\n'
    const parts = content ? [Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')] : [Buffer.from('--x--\r\n')]
    return admin.send({
      method: 'POST',
      url: '/api/company/logo',
      payload: Buffer.concat(parts),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
  }
  const picture = (r: number) =>
    sharp({ create: { width: 2, height: 2, channels: 3, background: { r, g: 0, b: 0 } } })
      .png()
      .toBuffer()
  await logo(undefined)
  await logo(Buffer.from('text'))
  await logo(await picture(200))
  await logo(await picture(100))
  await admin.delete('/api/company/logo')
  await user.delete('/api/company/logo')
}
