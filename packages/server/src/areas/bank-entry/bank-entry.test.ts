import { hash } from 'node:crypto'
import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { zip } from '@backstock/contract/lists.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { shownDay } from '@backstock/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Answer, type Client, testApp } from '../../testing/app.ts'
import { untilDecided } from '../../testing/ask-again.ts'
import { camt053, mt940, type WrittenEntry } from '../../testing/bank-file.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { withKilledReaders } from '../../testing/killed-readers.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { turns } from '../../testing/turns.ts'
import { zipOf } from '../../testing/xlsx.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let other: Client
let shop: Shop
const DAY = '2026-11-02'

beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  other = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const sendFile = (client: Client, content: string | Buffer, name = 'statement.xml'): Promise<Answer> =>
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
async function takeIn(content: string): Promise<number> {
  const { status, body } = await sendFile(admin, content)
  expect([status, body.message]).toEqual([200, expect.stringContaining('imported')])
  return body.data.id
}
const find = async (query: string): Promise<BankEntry[]> => (await admin.get(`/api/bank-entry/find?${query}`)).body.data
const ofFile = (file: number) => find(`file_id=${file}&per_page=250&order=id_asc`)
const entry = async (id: number) => (await find(`id=${id}`))[0]!
const sale = async (id: number): Promise<Sale> => (await admin.get(`/api/sale/find?id=${id}`)).body.data[0]

let references = 0
async function customer(company_name: string): Promise<number> {
  const { body } = await admin.post('/api/customer/create', {
    first_name: 'Bea',
    last_name: `Buyer${++references}`,
    email: 'bea@example.test',
    company_name,
    billing_address: { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code: 'IE' },
  })
  return body.data.id
}
/** Makes a sale with an invoice over this sum. */
async function invoice(sales_price: number, customer_id: number = shop.customer, more: object = {}): Promise<Sale> {
  const [id] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.zero })
  const { status, body } = await untilDecided(() =>
    admin.post('/api/sale/create', {
      stock_items: [{ id, sales_price }],
      ...{ customer_id, create_invoice: true, send_email: false, ...more },
    }),
  )
  expect([status, body.message]).toEqual([201, expect.any(String)])
  return body.data
}
const proposed = ({ proposal }: BankEntry) => ({
  sure: proposal!.is_sure,
  pays: proposal!.payments.map(({ sale_id, amount }) => [sale_id, amount]),
})
const asProposed = (entries: readonly BankEntry[]) => ({
  entries: entries.map(({ id, updated_at, proposal }) => ({
    id,
    updated_at,
    payments: proposal!.payments.map(({ sale_id, amount, open_amount }) => ({ sale_id, amount, open_amount })),
  })),
})
const book = (entries: readonly BankEntry[], client = admin, headers = {}) =>
  client.post('/api/bank-entry/book', asProposed(entries), headers)
/** The ways in which people and banks write an invoice number such as `2026-00012`. */
const ways = (number: string, n: number) => {
  const [year, digits] = number.split('-') as [string, string]
  return [
    number,
    `Rechnung ${number} vom 01.11.2026`,
    `RE ${year} ${digits}`,
    `inv${year}${digits}`,
    `invoice no. ${year}-${digits.slice(0, 2)} ${digits.slice(2)}`,
    `factuur ${year}/${Number(digits)}, danke`,
    `RG-${number}/KD 4711`,
  ][n % 7]!
}

/** The number of payments of a month that name their invoices. */
const MANY = turns(36, 196)

test('a month of 200 payments: the right ones are proposed, exact ones as sure, and nothing is booked', async () => {
  const invoices: Sale[] = []
  for (let n = 0; n < MANY + 4; n += 5)
    invoices.push(...(await Promise.all(Array.from({ length: 5 }, (_, m) => invoice(10_000 + (n + m) * 7)))))
  const [odd, over, ...usual] = invoices as [Sale, Sale, ...Sale[]]
  const payer = await customer('Übermann Handels GmbH')
  const unnamed = await invoice(777_70, payer)
  const written: WrittenEntry[] = usual.slice(0, MANY).map(({ invoice_number, open_amount }, n) => ({
    ...{ amount: open_amount, day: DAY, text: ways(invoice_number!, n), name: 'Somebody', reference: `S${n}` },
  }))
  const [first, second] = usual.slice(MANY) as [Sale, Sale]
  written.push(
    {
      amount: first.open_amount + second.open_amount,
      day: DAY,
      text: `${first.invoice_number}+${second.invoice_number}`,
    },
    { amount: odd.open_amount - 1000, day: DAY, end_to_end: odd.invoice_number! },
    { amount: over.open_amount + 500, day: DAY, text: over.invoice_number! },
    { amount: unnamed.open_amount, day: DAY, text: 'Invoice 2019-99999', name: 'UEBERMANN HANDELS GMB' },
    { amount: 4_321_00, day: DAY, text: 'Rent', name: 'Landlord' },
    { amount: -9_900, day: DAY, text: 'Fees', name: 'The bank' },
  )
  const file = await takeIn(camt053(written))
  const entries = await ofFile(file)
  expect(entries).toHaveLength(MANY + 6)
  expect(entries.slice(0, MANY).map(proposed)).toEqual(
    usual.slice(0, MANY).map(({ id, open_amount }) => ({ sure: true, pays: [[id, open_amount]] })),
  )
  const [two, part, more, byName, rent, fees] = entries.slice(MANY) as [
    ...[BankEntry, BankEntry, BankEntry, BankEntry, BankEntry, BankEntry],
  ]
  expect(proposed(two)).toEqual({
    sure: true,
    pays: [
      [first.id, first.open_amount],
      [second.id, second.open_amount],
    ],
  })
  expect(proposed(part)).toEqual({ sure: false, pays: [[odd.id, odd.open_amount - 1000]] })
  expect(part.proposal!.why).toContain('10.00 EUR less than is open: a part payment')
  expect(proposed(more)).toEqual({ sure: false, pays: [[over.id, over.open_amount + 500]] })
  expect(more.proposal!.why).toContain('5.00 EUR more than is open')
  expect(proposed(byName)).toEqual({ sure: false, pays: [[unnamed.id, unnamed.open_amount]] })
  expect(byName.proposal!.why).toBe('There is no invoice 2019-99999. The amount and the payer match.')
  for (const one of [rent, fees]) expect(proposed(one)).toEqual({ sure: false, pays: [] })
  expect((await sale(usual[0]!.id)).payments).toEqual([])

  // One request books all sure entries, with the days of the entries.
  const sure = entries.filter(({ proposal }) => proposal!.is_sure)
  const { status, body } = await book(sure)
  expect([status, body.message]).toEqual([200, `${MANY + 2} payments booked.`])
  const paid = await sale(first.id)
  expect(paid).toMatchObject({
    ...{ payment_state: 'Paid', status: 'Awaiting Dispatch', open_amount: 0 },
    payments: [{ paid_on: DAY, amount: first.open_amount, bank_entry_id: two.id }],
  })
  expect(JSON.stringify(paid.logs)).toContain(`on ${shownDay(DAY)}: Bank entry #${two.id}`)
  expect(await entry(two.id)).toMatchObject({
    ...{ state: 'booked', booked: two.amount, proposal: null },
    payments: [{ sale_id: first.id }, { sale_id: second.id }],
  })
  expect(await violationsIn(t.connection)).toEqual([])
})

test('a file that comes again, or brings entries of another, is told and books nothing twice', async () => {
  const entries = [1, 2, 3].map((n) => ({ amount: n * 100, day: DAY, text: `twice ${n}`, reference: `T${n}` }))
  const alike = { amount: 5000, day: DAY, text: 'alike' }
  const content = camt053([...entries, alike, alike])
  await takeIn(content)
  const again = await sendFile(admin, content, 'again.xml')
  expect([again.status, again.body.data.errors]).toEqual([
    422,
    { file: expect.stringMatching(/^This file was imported already, on \d\d\/\d\d\/\d{4} as 'statement.xml'\.$/) },
  ])
  const more = await sendFile(admin, camt053([...entries, { amount: 400, day: DAY, text: 'new', reference: 'T4' }]))
  expect(more.body).toMatchObject({ type: 'warning', message: '1 entry imported. 3 others were imported already.' })
  expect(more.body.data).toMatchObject({ taken: 1, repeated: 3, not_booked: 0 })
  const none = await sendFile(admin, camt053([...entries].reverse()))
  expect(none.body.data.errors).toEqual({ file: 'All 3 entries of this file have been imported already.' })
  const race = camt053([{ amount: 100, day: DAY, text: 'race' }])
  const answers = await Promise.all([admin, other].map((client) => untilDecided(() => sendFile(client, race))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

/** An MT940 file with the fields 61 and 86 of these entries. */
const statement = (account: string, ...entries: string[]) =>
  [':20:1', `:25:${account}`, ':60F:C261101EUR1,00', ...entries, ':62F:C261130EUR1,00', '-'].join('\r\n')
/** The message to a person who imports this file. */
const told = async (content: string | Buffer, name = 'statement.sta'): Promise<string> => {
  const { status, body } = await sendFile(admin, content, name)
  return status === 200 ? body.message : body.data.errors.file
}

const RABO = 'NL71RABO0123456789'
/** Entries as banks write them, and as version 1.0.0 has stored them: fingerprint and columns. */
const RABOBANK = [
  ':61:261102C000000000010,00N541EREF',
  'NL70ABNA0987654321',
  ':86:/EREF/R1/ORDP//NAME/J. Jansen/REMI/Invoice 7',
]
const ING = [
  ':61:2611021102C20,00NTRFEREF',
  '/TRCD/00100/',
  ':86:/CNTP/NL91ABNA0417164300/ABNANL2A/A. Bakker///REMI/USTD//Invoice 8/',
]
const WITH_BLANK = [':61:2611021102C30,00NOV NONREF//B17', ':86:Invoice 9']
const ALWAYS_READ_SO = [':61:2611021102C40,00NTRFE4//B18', ':86:Invoice 10']
const FREE_TEXT = [':61:2611021102C50,00NTRFE5', 'GUTSCHRIFT', ':86:Invoice 11']
/** The fingerprint of version 1.0.0 for these facts, in hex. */
const printOf = (facts: string) => hash('sha256', `1 ${facts}`)
const STORED = `
  ('19d3213873671860f49127e950b0b9dfa1d0e4a7c43f19756fac094979eeb602', 1000, 'J. Jansen', null, 'R1', 'NL70ABNA0987654321', 'Invoice 7'),
  ('e629717312c4ca80688971858b788557ea53057f83dc37aa912e702064f62c86', 2000, 'A. Bakker', 'NL91ABNA0417164300', 'EREF', '/TRCD/00100/', 'Invoice 8'),
  ('318eb67c2950e67deff242a26e59cd8e3c76facbbe3bbcbc285b21d22c594e79', 3000, null, null, 'NOV NONREF', 'B17', 'Invoice 9'),
  ('79c55b248bbe6bc2b9b5556ff0355234cd12e4dafc8336e585ff2ca0e0922e67', 4000, null, null, 'E4', 'B18', 'Invoice 10'),
  ('${printOf(`["${RABO}","2026-11-02",5000,"GUTSCHRIFT","E5"]`)}', 5000, null, null, 'E5', 'GUTSCHRIFT', 'Invoice 11')`

test('an entry that version 1.0.0 has stored is recognised, also if it is read otherwise today', async () => {
  await t.db.pool.query(`
    with file as (insert into bank_file (name, sha256) values ('old.sta', 'old') returning id)
    insert into bank_entry (file_id, fingerprint, account, booked_on, amount, name, iban, end_to_end, bank_reference, remittance)
    select file.id, decode(print, 'hex'), '${RABO}', '2026-11-02', amount, name, iban, end_to_end, reference, remittance
    from file, (values ${STORED}) entry (print, amount, name, iban, end_to_end, reference, remittance)`)
  const all = [...RABOBANK, ...ING, ...WITH_BLANK, ...ALWAYS_READ_SO, ...FREE_TEXT]
  expect(await told(statement(RABO, ...all))).toBe('All 5 entries of this file have been imported already.')
  // The same payer paid the same amount once more on that day.
  expect(await told(statement(RABO, ...all, ...RABOBANK))).toBe('1 entry imported. 5 others were imported already.')
  expect(await told(statement(RABO, ...RABOBANK, ...RABOBANK))).toBe(
    'All 2 entries of this file have been imported already.',
  )
  // The bank's code, day and amount are the same as of the entry that is stored, but somebody else has paid.
  const another = ING.join('\r\n').replace('A. Bakker', 'B. Visser')
  expect(await told(statement(RABO, another))).toBe('1 entry imported.')
  expect(await told(statement(RABO, another, ...ING))).toBe('All 2 entries of this file have been imported already.')
})

test('entries that version 1.0.0 has stored are recognised, however many they are', async () => {
  const account = 'DE89370400440532013006'
  await t.db.pool.query(
    `with file as (insert into bank_file (name, sha256) values ('many.sta', 'many') returning id)
     insert into bank_entry (file_id, fingerprint, account, booked_on, amount, bank_reference, remittance)
     select file.id, sha256(convert_to('many ' || n, 'utf8')), $1, '2026-11-02', n * 100, 'B' || n, 'Invoice ' || n
     from file, generate_series(1, 201) n`,
    [account],
  )
  const all = Array.from({ length: 201 }, (_, n) => [
    `:61:2611021102C${n + 1},00NTRFNONREF//B${n + 1}`,
    `:86:Invoice ${n + 1}`,
  ]).flat()
  expect(await told(statement(account, ...all))).toBe('All 201 entries of this file have been imported already.')
  expect(await told(statement('DE89370400440532013007', ...all))).toBe('201 entries imported.')
})

test('an entry is found by its amount as a paper has it, with or without signs for thousands', async () => {
  const file = await takeIn(camt053([{ amount: 7_654_321, day: DAY, text: 'amount' }]))
  const [one] = await ofFile(file)
  for (const text of ['76.543,21', '76,543.21', '76 543,21', '76543.21', "-76'543.21"])
    expect([text, ...(await find(`search=${encodeURIComponent(text)}`)).map(({ id }) => id)]).toEqual([text, one!.id])
})

test('a customer whose payment was undone does not count as the owner of the IBAN any more', async () => {
  const [right, wrong] = [await customer('Right'), await customer('Wrong')]
  const [paid, mistaken, open] = [
    await invoice(11_317, right),
    await invoice(11_319, wrong),
    await invoice(11_321, wrong),
  ]
  const iban = 'NL02ABNA0123456789'
  const text = `${paid.invoice_number} ${mistaken.invoice_number}`
  const [one] = await ofFile(await takeIn(camt053([{ amount: 22_636, day: DAY, text, iban }])))
  expect((await book([one!])).status).toBe(200)
  // It is the whole sum that this customer owes after the undo.
  const next = await takeIn(camt053([{ amount: 22_640, day: DAY, text: 'thanks', iban }]))
  const pays = async () => proposed((await ofFile(next))[0]!).pays
  expect(await pays()).toEqual([[open.id, 22_640]])
  const [payment] = (await sale(mistaken.id)).payments
  expect((await admin.post(`/api/sale/${mistaken.id}/payment/${payment!.id}/undo`)).status).toBe(200)
  expect(await pays()).toEqual([])
  // The entry has only the payment that still counts.
  expect(await entry(one!.id)).toMatchObject({ state: 'partly', booked: 11_317, payments: [{ sale_id: paid.id }] })
})

test('free text in the second line is no reference, even of an entry that is alone in its file', async () => {
  const from = (name: string) => [':61:2611031103C100,00NTRFNONREF', 'GUTSCHRIFT', `:86:/NAME/${name}/REMI/thanks`]
  const alone = (name: string) => told(statement('DE89370400440532013005', ...from(name)))
  expect(await alone('Ada')).toBe('1 entry imported.')
  expect(await alone('Bob')).toBe('1 entry imported.')
})

test.each([
  ['in the second line', 'NTRFNONREF\r\nGUTSCHRIFT', 'DE89370400440532013001'],
  ['behind //', 'NTRFNONREF//GUTSCHRIFT', 'DE89370400440532013002'],
])('a reference %s that each entry has does not hide another payer', async (_, end, account) => {
  const from = (name: string) => [`:61:2611031103C100,00${end}`, `:86:/NAME/${name}/REMI/thanks`]
  const [ada, bob, eve] = [from('Ada'), from('Bob'), from('Eve')]
  expect(await told(statement(account, ...ada))).toBe('1 entry imported.')
  // The next file begins with the newest entry.
  const tuesday = statement(account, ...bob, ...ada)
  expect(await told(tuesday)).toBe('1 entry imported. 1 other was imported already.')
  expect(await told(statement(account, ...ada, ...bob, ...eve))).toBe(
    '1 entry imported. 2 others were imported already.',
  )
  // A file with one entry does not tell that its reference is none.
  expect(await told(statement(account, ...bob))).toBe('The only entry of this file has been imported already.')
  // Ada paid the same amount once more.
  const twice = statement(account, ...ada, ...bob, ...ada)
  expect(await told(twice)).toBe('1 entry imported. 2 others were imported already.')
  expect(await told(statement(account, ...ada, ...ada))).toBe('All 2 entries of this file have been imported already.')
  const zip = zipOf({ 'a.sta': tuesday, 'b.sta': twice, 'c.sta': statement(account, ...eve, ...from('Fay')) })
  expect(await told(zip, 'all.zip')).toBe(
    '1 entry imported. 4 others were imported already. Several statements of the ZIP have 2 entries in common.',
  )
  const { rows } = await t.db.pool.query('select name from bank_entry where account = $1 order by id', [account])
  expect(rows.map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Eve', 'Ada', 'Fay'])
})

test.each([
  ['CAMT.053', camt053, 'DE89370400440532013003'],
  ['MT940', mt940, 'DE89370400440532013004'],
])('%s in a ZIP: an entry of a week and of its month is imported once', async (_, written, account) => {
  const alike = { amount: 7000, day: DAY, text: 'alike' }
  const week = [alike, alike, { amount: 7100, day: DAY, text: 'week', reference: 'W1' }]
  const month = [...week, { amount: 7200, day: '2026-11-30', text: 'month', reference: 'W2' }]
  const zip = zipOf({ 'week.txt': written(week, { account }), 'month.txt': written(month, { account }) })
  expect(await told(zip, 'both.zip')).toBe(
    '4 entries imported. Several statements of the ZIP have 3 entries in common.',
  )
  expect(await told(written(month, { account }))).toBe('All 4 entries of this file have been imported already.')
})

test('an MT940 file that is cut is refused, and the whole one is imported without its entry of 0,00', async () => {
  const whole = mt940([
    { amount: 471_100, day: DAY, text: 'whole', reference: 'Z1' },
    { amount: 0, day: DAY, text: 'Month closed' },
  ])
  const cut = await sendFile(admin, whole.slice(0, whole.indexOf(':62F:')), 'statement.sta')
  expect([cut.status, cut.body.data.errors]).toEqual([422, { file: expect.stringContaining('no closing balance') }])
  const { status, body } = await sendFile(admin, whole, 'statement.sta')
  expect([status, body.message, body.data.taken]).toEqual([200, '1 entry imported.', 1])
})

testInTurn('hostile files leave nothing behind', async () => {
  const count = async () => (await admin.get('/api/bank-entry/find')).body.total
  const before = await count()
  const dollars = camt053([
    { amount: 100, day: DAY, text: 'euros' },
    { amount: 100, day: DAY, text: 'dollars', currency: 'USD' },
  ])
  const good = camt053([{ amount: 100, day: DAY, text: '&' }])
  for (const [content, reason] of [
    [dollars, 'in USD; sales are in EUR'],
    [
      good.replace('<Document', '<!DOCTYPE D [<!ENTITY a SYSTEM "file:///etc/passwd">]><Document'),
      'entities of its own',
    ],
    [good.slice(0, -20), 'damaged'],
    [camt053([]), 'has no entries'],
    [camt053([{ amount: 1, day: DAY, state: 'PDNG' }]), 'no booked entries: 1 entry is still pending'],
    ['hello', 'not a bank statement'],
  ] as const) {
    const { status, body } = await sendFile(admin, content)
    expect([status, body.data.errors.file]).toEqual([422, expect.stringContaining(reason)])
  }
  const large = await sendFile(admin, Buffer.alloc(21 * 1024 * 1024, '<'))
  expect([large.status, large.body.message]).toEqual([413, 'A bank file may have at most 20 MB.'])
  expect((await admin.post('/api/bank-entry/file')).body.data.errors).toEqual({ file: 'Choose a bank file.' })
  expect(await count()).toBe(before)
})

test('a file that is too much for its reader is refused with a sentence, and the next one is read', async () => {
  const file = camt053([{ amount: 4_711, day: DAY, text: 'too much' }])
  const { status, body } = await withKilledReaders(() => sendFile(admin, file))
  const reason = 'This file is too large to open. Download a shorter period from your bank.'
  expect([status, body.data.errors]).toEqual([422, { file: reason }])
  await takeIn(file)
})

test('two who book an entry at once book it once, and a payment that is reversed frees it', async () => {
  const owed = await invoice(33_300)
  const file = await takeIn(mt940([{ amount: 33_300, day: DAY, text: owed.invoice_number! }]))
  const [one] = (await ofFile(file)) as [BankEntry]
  expect(proposed(one)).toEqual({ sure: true, pays: [[owed.id, 33_300]] })
  const answers = await Promise.all([admin, other, admin].map((client) => book([one], client)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const [payment] = (await sale(owed.id)).payments
  expect((await sale(owed.id)).payments).toHaveLength(1)
  expect(await find(`state=booked&file_id=${file}`)).toHaveLength(1)

  const undone = await admin.post(`/api/sale/${owed.id}/payment/${payment!.id}/undo`)
  expect(undone.status).toBe(200)
  const free = await entry(one.id)
  expect(free).toMatchObject({ state: 'open', booked: 0, payments: [] })
  expect(proposed(free)).toEqual({ sure: true, pays: [[owed.id, 33_300]] })
  expect((await book([one])).status).toBe(409)
  const key = { 'idempotency-key': 'once' }
  for (const _ of [1, 2]) expect((await book([free], admin, key)).status).toBe(200)
  expect((await sale(owed.id)).paid_total).toBe(33_300)
  // A constraint of the database refuses a payment sum above the entry's amount.
  await expect(t.db.pool.query('update bank_entry set booked = booked * 2 where id = $1', [one.id])).rejects.toThrow(
    'bank_entry_booked',
  )
  expect(await violationsIn(t.connection)).toEqual([])
})

test('all or nothing: a sale that was paid meanwhile, a payment too much, a wrong way, an unknown sale', async () => {
  const [a, b] = [await invoice(20_000), await invoice(20_100)]
  const file = await takeIn(
    camt053(
      [a, b].map(({ invoice_number, open_amount }) => ({ amount: open_amount, day: DAY, text: invoice_number! })),
    ),
  )
  const entries = await ofFile(file)
  await admin.post(`/api/sale/${b.id}/pay`, { paid_on: DAY, amount: 100 })
  const late = await book(entries)
  expect([late.status, late.body.message]).toEqual([
    409,
    `The open amount of ${b.invoice_number} has changed meanwhile. Check it again.`,
  ])
  expect((await sale(a.id)).payments).toEqual([])
  const [first] = asProposed(entries).entries
  const as = (payments: object[]) => admin.post('/api/bank-entry/book', { entries: [{ ...first, payments }] })
  const paying = { sale_id: a.id, open_amount: 20_000 }
  for (const [payments, status, reason] of [
    [[{ ...paying, amount: 20_001 }], 422, 'The payments come to 200.01 EUR; 200.00 EUR of the entry is left.'],
    [[{ ...paying, amount: -1 }], 422, 'This money came in'],
    [
      [
        { ...paying, amount: 1 },
        { ...paying, amount: 2 },
      ],
      422,
      'Choose each sale only once',
    ],
    [[{ ...paying, sale_id: 999_999, amount: 1 }], 404, 'Sale #999999 does not exist.'],
    [[], 422, 'Choose a sale.'],
  ] as const) {
    const { status: got, body } = await as([...payments])
    expect([got, body.message]).toEqual([status, expect.stringContaining(reason)])
  }
  // Only a part of the entry is booked; the rest stays open.
  expect((await as([{ ...paying, amount: 5000 }])).status).toBe(200)
  const rest = await entry(first!.id)
  expect(rest).toMatchObject({ state: 'partly', booked: 5000 })
  expect(proposed(rest)).toEqual({ sure: true, pays: [[a.id, 15_000]] })
  const { status, body } = await admin.post('/api/bank-entry/book', {
    entries: [
      { ...first, updated_at: rest.updated_at, payments: [{ sale_id: a.id, open_amount: 15_000, amount: 15_001 }] },
    ],
  })
  expect([status, body.message]).toEqual([422, 'The payments come to 150.01 EUR; 150.00 EUR of the entry is left.'])
})

test('entries that the bank dates in the future are named, and nothing is booked until they are left out', async () => {
  const [now, later] = [await invoice(30_100), await invoice(30_200)]
  const monday = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  const file = await takeIn(
    camt053([
      { amount: 30_100, day: DAY, text: now.invoice_number!, name: 'N'.repeat(255) },
      { amount: 30_200, day: monday, text: later.invoice_number!, name: 'Ada' },
    ]),
  )
  const entries = await ofFile(file)
  const { status, body } = await book(entries)
  expect([status, body.message]).toEqual([
    422,
    `These entries have a date in the future: 302.00 EUR (Ada) on ${shownDay(monday)}. Leave them out until then.`,
  ])
  expect((await sale(now.id)).payments).toEqual([])
  expect((await book(entries.filter(({ booked_on }) => booked_on === DAY))).status).toBe(200)
  // The note of a payment is as long as it may be.
  const [{ note }] = (await sale(now.id)).payments as [Sale['payments'][number]]
  expect(note).toBe(`Bank entry #${entries[0]!.id}, ${'N'.repeat(255)}`.slice(0, 255))
})

test('an entry is set aside and taken back, but not what is booked', async () => {
  const owed = await invoice(1234_56)
  const file = await takeIn(
    camt053([
      { amount: 1234_56, day: DAY, text: owed.invoice_number!, name: 'Aside & Co', iban: 'DE89370400440532013000' },
    ]),
  )
  const [one] = (await ofFile(file)) as [BankEntry]
  const set = (is_aside: boolean, updated_at = one.updated_at) =>
    admin.post(`/api/bank-entry/${one.id}/set-aside`, { is_aside, updated_at })
  const { body } = await set(true)
  expect(body).toMatchObject({ message: `Bank entry #${one.id} set aside.`, data: { state: 'aside', proposal: null } })
  expect((await set(false)).status).toBe(409)
  expect((await book([one])).status).toBe(409)
  const back = await set(false, body.data.updated_at)
  expect(back.body.data).toMatchObject({ state: 'open', proposal: { is_sure: true } })
  for (const search of ['aside', 'DE89 3704 0044', '1.234,56', '1234.56', owed.invoice_number!])
    expect((await find(`search=${encodeURIComponent(search)}&file_id=${file}`)).map(({ id }) => id)).toEqual([one.id])
  const days = async (query: string) => (await find(`${query}&file_id=${file}`)).map(({ id }) => id)
  expect(await days('from=2026-11-03')).toEqual([])
  expect(await days('to=2026-11-01')).toEqual([])
  expect(await days('from=2026-11-02&to=2026-11-02')).toEqual([one.id])
  expect(await days('state=open,partly')).toEqual([one.id])
  expect(await days('state=aside,booked')).toEqual([])
  expect((await book([back.body.data])).status).toBe(200)
  const booked = await entry(one.id)
  expect((await set(true, booked.updated_at)).body.message).toContain('First reverse its payments')

  // From now on the IBAN belongs to a known customer.
  const next = await invoice(55_500)
  const later = await takeIn(camt053([{ amount: 55_500, day: DAY, text: 'as agreed', iban: 'DE89370400440532013000' }]))
  const [known] = (await ofFile(later)) as [BankEntry]
  expect(proposed(known)).toEqual({ sure: false, pays: [[next.id, 55_500]] })
  const ofBoth = await find(`file_id=${file},${later}&order=id_asc`)
  expect(ofBoth.map(({ id }) => id)).toEqual([one.id, known.id])
})

test('payments that are more than was open are named one by one, each with its own sum', async () => {
  const sales = [
    await invoice(11_100),
    await invoice(22_200),
    await invoice(33_300, shop.customer, { create_invoice: false }),
  ]
  // Two payments for one sale are booked at once: only the second one is more than was open.
  const inTwo = await invoice(44_400)
  sales.push(inTwo, inTwo)
  const amounts = [11_200, 22_400, 33_600, 44_000, 1000]
  const file = await takeIn(
    camt053(amounts.map((amount, n) => ({ amount, day: DAY, text: 'more', reference: `MORE${n}` }))),
  )
  const entries = zip((await ofFile(file)) as BankEntry[], sales).map(([{ id, updated_at, amount }, sale]) => ({
    ...{ id, updated_at },
    payments: [{ sale_id: sale.id, amount, open_amount: sale.open_amount }],
  }))
  const { body } = await admin.post('/api/bank-entry/book', { entries })
  expect(body).toMatchObject({
    type: 'warning',
    message:
      `5 payments booked. ${sales[0]!.invoice_number}: More than was open: a refund of 1.00 EUR is due. ` +
      `${sales[1]!.invoice_number}: More than was open: a refund of 2.00 EUR is due. ` +
      `Sale #${sales[2]!.id}: More than was open: a refund of 3.00 EUR is due. ` +
      `${inTwo.invoice_number}: More than was open: a refund of 6.00 EUR is due.`,
  })
})

test('a refund is proposed to the sale that has money to give back, and a second payment is named as such', async () => {
  const owed = await invoice(44_400)
  const file = await takeIn(
    camt053([
      { amount: 44_400, day: DAY, text: owed.invoice_number!, reference: 'P1' },
      { amount: 44_400, day: DAY, text: owed.invoice_number!, reference: 'P2' },
      { amount: -44_400, day: DAY, text: `Refund ${owed.invoice_number}`, reference: 'P3' },
      { amount: -44_400, day: DAY, text: owed.invoice_number!, reference: 'P4', isReversal: true },
    ]),
  )
  const [one, twice] = (await ofFile(file)) as [BankEntry, BankEntry]
  expect([proposed(one).sure, proposed(twice).sure]).toEqual([true, false])
  expect(twice.proposal!.why).toBe(`Another entry here seems to be the payment for ${owed.invoice_number}.`)
  expect((await book([one])).status).toBe(200)
  const again = await book([await entry(twice.id)])
  expect(again.body).toMatchObject({
    type: 'warning',
    message: `1 payment booked. ${owed.invoice_number}: More than was open: a refund of 444.00 EUR is due.`,
  })
  const [, , refund, reversal] = (await ofFile(file)) as [BankEntry, BankEntry, BankEntry, BankEntry]
  expect(proposed(refund)).toEqual({ sure: true, pays: [[owed.id, -44_400]] })
  expect(reversal.proposal).toEqual({ payments: [], is_sure: false, why: 'The bank reversed an earlier entry.' })
  expect((await book([refund])).body.message).toBe('1 payment booked.')
  expect(await sale(owed.id)).toMatchObject({ open_amount: 0, paid_total: 44_400 })
  expect(await violationsIn(t.connection)).toEqual([])
})

test('a refund that names no number is proposed to the payer, by the amount or by the account', async () => {
  const iban = 'NL39RABO0300065264'
  const returning = await customer('Returning Phones')
  const [named, known] = [await invoice(45_100), await invoice(45_300, returning)]
  const paid = await takeIn(camt053([{ amount: 45_300, day: DAY, text: known.invoice_number!, iban }]))
  expect((await book(await ofFile(paid))).status).toBe(200)
  for (const [{ id }, amount] of [
    [named, 90_200],
    [known, 45_300],
  ] as const)
    expect((await admin.post(`/api/sale/${id}/pay`, { paid_on: DAY, amount })).status).toBe(200)
  const file = await takeIn(
    camt053([
      { amount: -45_100, day: DAY, text: 'back', name: 'Zażółć Παπαδόπουλος', reference: 'BACK1' },
      { amount: -45_000, day: DAY, text: 'back', iban, reference: 'BACK2' },
    ]),
  )
  const none = 'It names no invoice.'
  expect((await ofFile(file)).map((one) => [proposed(one).pays, one.proposal!.why])).toEqual([
    [[[named.id, -45_100]], `${none} The amount and the payer match.`],
    [[[known.id, -45_000]], `${none} The customer with this IBAN is owed 453.00 EUR.`],
  ])
})

test('numbers in other forms: a series of its own, numbers alone, a reference, and what is ambiguous', async () => {
  const [a, b] = [await invoice(61_000), await invoice(61_000)]
  const c = await invoice(62_000, shop.customer, { reference_number: 'PO-88231' })
  const short = ({ invoice_number }: Sale) => String(Number(invoice_number!.split('-')[1]))
  const file = await takeIn(
    camt053([
      { amount: 61_000, day: DAY, text: `invoice ${short(a)}`, reference: 'Q1' },
      { amount: 122_000, day: DAY, text: `${a.invoice_number}/${short(b)}`, reference: 'Q2' },
      { amount: 62_000, day: DAY, text: 'order po 88231', reference: 'Q3' },
      { amount: 61_000, day: DAY, text: 'phones', reference: 'Q4', name: 'Zażółć Παπαδόπουλος' },
    ]),
  )
  const [number, both, reference, name] = (await ofFile(file)) as [BankEntry, BankEntry, BankEntry, BankEntry]
  expect(proposed(both)).toEqual({
    sure: true,
    pays: [
      [a.id, 61_000],
      [b.id, 61_000],
    ],
  })
  expect(proposed(reference)).toEqual({ sure: true, pays: [[c.id, 62_000]] })
  expect([proposed(number).sure, proposed(name).sure]).toEqual([false, false])
  await admin.post(`/api/bank-entry/${both.id}/set-aside`, { is_aside: true })
  const [alone, , , either] = (await ofFile(file)) as [BankEntry, BankEntry, BankEntry, BankEntry]
  expect(proposed(alone)).toEqual({ sure: false, pays: [[a.id, 61_000]] })
  expect(proposed(either).pays).toEqual([[b.id, 61_000]])
})

test('staff without the rights of an administrator see no bank entries', async () => {
  const staff = await t.user('ROLE_USER')
  const answers = [
    await staff.get('/api/bank-entry/find'),
    await sendFile(staff, camt053([])),
    await staff.post('/api/bank-entry/book', { entries: [] }),
    await staff.post('/api/bank-entry/1/set-aside', { is_aside: true }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})
