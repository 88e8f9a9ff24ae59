import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { camt053, mt940, type WrittenEntry } from '../../testing/bank-file.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { zipOf } from '../../testing/xlsx.ts'
import { readBankFile } from './read/read-file.ts'
import { takeIn } from './take-in.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let admin: Client
let user: Client
let silent: Client
let shop: Shop
const DAY = '2001-02-03'

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  user = await tape.person('Person')
  silent = await tape.t.user('ROLE_ADMIN')
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
const send = (client: Client, content: string | Buffer, name = 'statement.xml') =>
  client.send({
    method: 'POST',
    url: '/api/bank-entry/file',
    payload: Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n--x--\r\n'),
    ]),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
async function customer(last_name: string, more: object = {}): Promise<number> {
  const billing_address = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code: 'IE' }
  const named = { first_name: 'Bea', last_name, email: 'bea@example.test', billing_address }
  return (await silent.post('/api/customer/create', { ...named, ...more })).body.data.id
}
/** Makes a sale with an invoice over this sum. Its number does not name the year of the run. */
async function invoice(
  sales_price: number,
  customer_id: number,
  more: object = {},
): Promise<{ id: number; number: string }> {
  const [id] = await stockItems(tape.t.db, shop, 1, { vat_id: shop.vat.zero })
  const { status, body } = await silent.post('/api/sale/create', {
    stock_items: [{ id, sales_price }],
    ...{ customer_id, create_invoice: true, send_email: false, ...more },
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  await tape.forgetChanges()
  return { id: body.data.id, number: body.data.invoice_number }
}
/** Takes the entries of a file in as the route does, without the process that reads files of strangers. */
async function takeInSilently(content: string): Promise<void> {
  const file = Buffer.from(content)
  const upload = { ...(await readBankFile(file)), name: 'statement.xml', sha256: hash('sha256', file, 'buffer') }
  await tape.t.db.write((tx) => takeIn(tx, upload, silent.id))
  await tape.forgetChanges()
}
const find = (text: string) => admin.get(`/api/bank-entry/find?${text}`)
const book = (body: object, headers?: Record<string, string>) => admin.post('/api/bank-entry/book', body, headers)
const entry = async (id: number) => (await silent.get(`/api/bank-entry/find?id=${id}`)).body.data[0]
const openOf = async (id: number) => (await silent.get(`/api/sale/find?id=${id}`)).body.data[0].open_amount
const paying = async (id: number, ...payments: [sale: number, amount: number][]) => ({
  ...{ id, updated_at: (await entry(id)).updated_at },
  payments: await Promise.all(
    payments.map(async ([sale_id, amount]) => ({ sale_id, amount, open_amount: await openOf(sale_id) })),
  ),
})

testInTurn('bank entries: the answers and the rows that they leave', async () => {
  await refusedFiles()
  await files()
  await proposals()
  await booking()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

const one = (more: Partial<WrittenEntry> = {}): WrittenEntry => ({ amount: 100, day: DAY, text: 'One', ...more })

async function refusedFiles(): Promise<void> {
  tape.title('Files that are refused')
  await user.get('/api/bank-entry/find')
  await send(user, camt053([one()]))
  await admin.send({
    method: 'POST',
    url: '/api/bank-entry/file',
    payload: Buffer.from('--x--\r\n'),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  const texts: Record<string, string | Buffer> = {
    'an empty file': '',
    'a text': 'Dear customer',
    'another XML': '<a/>',
    'an XML of the bank': '<Document><Other/></Document>',
    'an intraday report': '<Document><BkToCstmrAcctRpt/></Document>',
    'a notification': '<Document><BkToCstmrDbtCdtNtfctn/></Document>',
    'an order': '<Document><CstmrCdtTrfInitn/></Document>',
    'a document type': '<!DOCTYPE a><Document/>',
    'a cut file': camt053([one()]).slice(0, 400),
    'no entries': camt053([]),
    'only pending entries': camt053([one({ state: 'PDNG' }), one({ state: 'PDNG', amount: 2 })]),
    'another currency': camt053([one()], { currency: 'USD' }),
    'no currency': camt053([one()], { currency: '' }),
    'no date': camt053([one({ day: 'soon' })]),
    'no amount': camt053([one()]).replace(
      '>1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>\n',
      '>x</Amt><CdtDbtInd>CRDT</CdtDbtInd>\n',
    ),
    'no account': camt053([one()], { account: '' }),
    'an unknown encoding': '<?xml version="1.0" encoding="EBCDIC"?><Document/>',
    'a wrong encoding': Buffer.from('<?xml version="1.0" encoding="UTF-8"?><Document>\xe9</Document>', 'latin1'),
    'MT940 without a currency': mt940([one()]).replace(/:60F:.*\r\n/, ''),
    'MT940 with a wrong entry': mt940([one()]).replace(/:61:.*\r\n/, ':61:nonsense\r\n'),
    'MT940 with an amount without a comma': mt940([one()]).replace('1,00NTRF', '100NTRF'),
    'MT940 that is cut': mt940([one()]).replace(/:62F:.*\r\n/, ''),
    'a damaged ZIP': Buffer.from('PK\x03\x04damaged', 'latin1'),
    'a ZIP without statements': zipOf({ 'a.pdf': 'x' }),
    'a ZIP with a text': zipOf({ 'a.xml': camt053([one()]), 'b.txt': 'Dear customer' }),
  }
  for (const [name, content] of Object.entries(texts))
    tape.line(
      await readBankFile(Buffer.from(content)).then(
        (read) => `${name}: ${JSON.stringify(read)}`,
        (error: Error) => `${name}: ${error.message}`,
      ),
    )
  await send(admin, '')
}

const IBAN = 'DE89370400440532013000'

async function files(): Promise<void> {
  tape.title('CAMT.053: all fields, a reversal, money that went out, a pending entry; the same file again, and in part')
  const camt = [
    one({
      amount: 12_345,
      text: ' Some\n text ',
      name: 'Müller & Söhne',
      iban: IBAN,
      end_to_end: 'E2E',
      reference: 'REF1',
    }),
    one({
      amount: -5_000,
      text: 'Rent',
      name: 'Landlord',
      end_to_end: 'NOTPROVIDED',
      reference: 'REF2',
      day: '2001-02-01',
    }),
    one({ amount: -300, isReversal: true, reference: 'REF3', text: '' }),
    one({ state: 'PDNG' }),
  ]
  await send(admin, camt053(camt), 'My statement.xml')
  await send(admin, camt053(camt), 'again.xml')
  await send(
    admin,
    camt053([...camt.slice(0, 2), one({ reference: 'REF4', amount: 0 }), one({ reference: 'REF5', amount: 77 })], {
      version: '08',
    }),
  )
  await send(admin, camt053([camt[0]!], { version: '04' }))
  await send(admin, camt053(camt.slice(0, 3), { version: '04' }))
  tape.title('MT940 in three dialects, with entries that are equal; one of them in other words')
  const twin = one({ amount: 4_200, text: 'Invoice 7', name: 'Twin', iban: IBAN })
  await send(
    admin,
    mt940([twin, twin, one({ amount: -1, isReversal: true, end_to_end: 'EE', reference: 'BR' })]),
    'a.sta',
  )
  await send(
    admin,
    mt940(
      [twin, one({ amount: 6_500, text: 'x'.repeat(90), name: 'Dutch', iban: 'NL91ABNA0417164300', end_to_end: 'E1' })],
      { dialect: 'dutch' },
    ),
  )
  await send(
    admin,
    mt940([one({ amount: 8_800, text: 'Plain text', iban: IBAN, end_to_end: 'OWN', reference: 'BANK1' })], {
      dialect: 'plain',
    }),
  )
  tape.title('A ZIP of statements that have entries in common, and a split entry')
  const common = one({ amount: 999, reference: 'Z1' })
  const zip = zipOf({
    'a.xml': camt053([common, one({ amount: 998, reference: 'Z2' })]),
    '__MACOSX/b.xml': 'x',
    'b.xml': camt053([common, one({ state: 'PDNG' })]),
  })
  await send(admin, zip, 'all.zip')
  const part = (sum: string, name: string) =>
    `<TxDtls><Refs><EndToEndId>${name}</EndToEndId></Refs><Amt Ccy="EUR">${sum}</Amt><RltdPties><UltmtDbtr><Nm>${name}</Nm></UltmtDbtr></RltdPties><AddtlTxInf>More ${name}</AddtlTxInf></TxDtls>`
  const split = camt053([one({ amount: 3_000, reference: 'SPLIT' })]).replace(
    /<TxDtls>[\s\S]*<\/TxDtls>/,
    part('10.00', 'A') + part('20.00', 'B'),
  )
  await send(admin, split)
  await send(admin, split.replace('>20.00<', '>21.00<').replace('SPLIT', 'WHOLE'))
  tape.title('The list: orders, filters, searches')
  await find('per_page=2&order=amount_desc')
  await find('order=x&state=x&file_id=x&from=x&to=x')
  await find('id=999')
  const ids = async (text: string) =>
    tape.line(
      `${text}: ${(await silent.get(`/api/bank-entry/find?${text}`)).body.data.map(({ id }: { id: number }) => id)}`,
    )
  for (const text of [
    'order=id_asc',
    'order=booked_on_asc',
    'order=amount_asc',
    'state=open',
    'file_id=1',
    'from=2001-02-02',
    'to=2001-02-02',
  ])
    await ids(`${text}&per_page=100`)
  for (const text of ['123.45', '123,45', 'müller', 'e2e', 'rent', 'ref2', IBAN, '1.234,56', '-50.00'])
    await ids(`search=${encodeURIComponent(text)}`)
  await query('delete from bank_entry')
}

async function proposals(): Promise<void> {
  tape.title('Proposals: by numbers, by their ends, by references, by the payer, by the account that is known')
  const [alpha, beta, gamma] = [
    await customer('Alpha', { company_name: 'Alpha Phones GmbH' }),
    await customer('Beta'),
    await customer('Gamma'),
  ]
  const sales = {
    a: await invoice(10_000, alpha),
    b: await invoice(20_000, alpha, { reference_number: 'PO-7788' }),
    c: await invoice(30_000, beta, { reference_number: 'ORDER' }),
    d: await invoice(40_000, beta),
    e: await invoice(40_000, gamma),
    f: await invoice(55_000, gamma, { create_invoice: false, reference_number: 'AB12345' }),
    paid: await invoice(60_000, gamma),
  }
  await silent.post(`/api/sale/${sales.paid.id}/pay`, { paid_on: DAY, amount: 60_500 })
  await tape.forgetChanges()
  const last = (number: string) => number.slice(-5)
  const short = (number: string) => String(Number(last(number)))
  const { a, b, c, d, paid } = sales
  const texts: WrittenEntry[] = [
    one({ amount: 10_000, text: `Invoice ${a.number}` }),
    one({ amount: 50_000, text: `${b.number} and ${c.number}` }),
    one({ amount: 5_000, text: `Part of ${d.number}` }),
    one({ amount: 45_000, text: `Too much for ${d.number.replace('-', ' ')}` }),
    one({ amount: 30_000, text: `No ${a.number} +${short(b.number)}` }),
    one({ amount: 40_000, text: `Nr ${short(d.number)}`, name: 'BETA, Bea' }),
    one({ amount: 20_000, text: `Nr ${short(b.number)}`, name: 'Somebody' }),
    one({ amount: 70_000, text: `${short(c.number)} ${short(d.number)}`, name: 'Bea Beta' }),
    one({ amount: 1_000, text: `Thanks for ${paid.number}` }),
    one({ amount: -500, text: `Back for ${paid.number}` }),
    one({ amount: -500, text: `Back for ${a.number}` }),
    one({ amount: 55_000, text: 'AB 123 45', name: 'Other' }),
    one({ amount: 20_000, text: 'po7788', name: 'ALPHA PHONES' }),
    one({ amount: 30_000, text: 'order', name: 'Nobody' }),
    one({ amount: 40_000, text: '', name: 'Bea Gamma' }),
    one({ amount: 40_000, text: '1999-12345', name: 'Bea' }),
    one({ amount: 777, text: 'Hello' }),
    one({ amount: 777, text: '2019-77777' }),
    one({ amount: -100, text: 'Reversal', isReversal: true }),
  ]
  for (const [n, text] of texts.entries()) {
    await takeInSilently(camt053([{ ...text, reference: `P${n}` }]))
    const [found] = (await silent.get('/api/bank-entry/find?per_page=1')).body.data
    const { payments, is_sure, why } = found.proposal
    const pays = payments.map(({ sale_id, amount, open_amount }: Record<string, number>) => [
      sale_id,
      amount,
      open_amount,
    ])
    const said = `${text.amount} ‘${text.text?.replace(/20\d\d(?=[- ]0)/g, 'YEAR')}’ ${text.name ?? ''}`
    tape.line(
      `${said}: ${JSON.stringify(pays)} ${is_sure ? 'sure' : 'not sure'}: ${why.replace(/20\d\d(?=-0)/g, 'YEAR')}`,
    )
    await query('delete from bank_entry')
  }
  await takeInSilently(
    camt053([
      one({ amount: 10_000, text: `${a.number}`, name: 'Payer', iban: IBAN, reference: 'K1' }),
      one({ amount: 10_000, text: `${a.number}`, reference: 'K2' }),
      one({ amount: 70, text: 'Nobody books this one', reference: 'K3' }),
    ]),
  )
  await tape.forgetChanges()
  await find('order=id_asc')
}

async function booking(): Promise<void> {
  const [{ id: first }, { id: second }] = await query('select id from bank_entry order by id')
  const [a, b, c] = (await query('select id from sale order by id')).map(({ id }: { id: number }) => id) as [
    number,
    number,
    number,
  ]
  tape.title('Booked: refusals')
  await book({ entries: [] })
  await book({ entries: [{ id: 'x', updated_at: 'x', payments: [] }] })
  await book({ entries: [await paying(first, [a, 10_000]), await paying(first, [b, 1])] })
  await book({ entries: [{ ...(await paying(first, [a, 10_000])), id: 999 }] })
  await book({ entries: [{ ...(await paying(first, [a, 10_000])), updated_at: '2001-01-01T00:00:00.000Z' }] })
  await book({ entries: [await paying(first, [a, 1], [a, 2])] })
  await book({ entries: [await paying(first, [a, -1])] })
  await book({ entries: [await paying(first, [a, 9_000], [b, 1_001])] })
  await book({ entries: [{ ...(await paying(first, [a, 1])), payments: [{ sale_id: a, amount: 1, open_amount: 5 }] }] })
  await book({
    entries: [{ ...(await paying(first, [a, 1])), payments: [{ sale_id: 999, amount: 1, open_amount: 5 }] }],
  })
  await query('update bank_entry set amount = -amount where id = $1', [second])
  await book({ entries: [await paying(second, [a, 1])] })
  await query('update bank_entry set amount = -amount where id = $1', [second])
  const [{ id: unnumbered }] = await query('select id from sale where invoice_number is null')
  await book({
    entries: [{ ...(await paying(first, [a, 1])), payments: [{ sale_id: unnumbered, amount: 1, open_amount: 5 }] }],
  })
  await query(`update bank_entry set booked_on = '9999-01-01' where id = $1`, [second])
  await book({ entries: [await paying(second, [a, 1])] })
  await query(`update bank_entry set booked_on = '2001-02-03' where id = $1`, [second])
  tape.title('Two entries at once, one of them in part and with more than is open; twice with one key')
  const both = { entries: [await paying(second, [a, 10_000]), await paying(first, [b, 4_000], [c, 5_000])] }
  await book(both, { 'idempotency-key': 'b' })
  await book(both, { 'idempotency-key': 'b' })
  await book({ entries: [await paying(second, [a, 1])] })
  await find(`id=${first}`)
  await admin.post(`/api/bank-entry/${first}/set-aside`, { is_aside: true })
  await book({ entries: [await paying(first, [a, 1_000])] })
  tape.title('An account that is known now: the whole sum that its customers owe, and another sum')
  const [{ owed }] = await query(
    'select sum(open_amount)::int as owed from sale where open_amount > 0 and customer_id in (select customer_id from sale where id = any($1))',
    [[a, b, c]],
  )
  await takeInSilently(
    camt053([
      one({ amount: owed, text: 'Hello', iban: IBAN, reference: 'K3' }),
      one({ amount: 321, text: '', iban: IBAN, reference: 'K4' }),
    ]),
  )
  await tape.forgetChanges()
  await find('state=open&order=id_asc')
  tape.title('Reversed: the entry is open again. Set aside and back; not while it is booked, stale, no such entry')
  const [{ id: payment }] = await query('select payment_id as id from bank_booking where entry_id = $1', [second])
  await admin.post(`/api/sale/${a}/payment/${payment}/undo`)
  await find(`id=${second}`)
  const aside = (id: number, body: object) => admin.post(`/api/bank-entry/${id}/set-aside`, body)
  await aside(first, { is_aside: true })
  await aside(second, { is_aside: true, updated_at: '2001-01-01T00:00:00.000Z' })
  await aside(second, { is_aside: 'x' })
  await aside(second, { is_aside: true })
  await aside(second, { is_aside: true })
  await book({ entries: [await paying(second, [b, 1])] })
  await aside(second, { is_aside: false })
  await aside(999, { is_aside: true })
  await user.post(`/api/bank-entry/${second}/set-aside`, { is_aside: true })
  const ids = async (text: string) =>
    tape.line(
      `${text}: ${(await silent.get(`/api/bank-entry/find?${text}`)).body.data.map(({ id }: { id: number }) => id)}`,
    )
  for (const text of ['state=booked', 'state=partly,open', 'state=aside']) await ids(text)
  await send(admin, camt053([one({ reference: 'P0' }), one({ state: 'PDNG' }), one({ state: 'PDNG', amount: 2 })]))
}
