import { gzipSync } from 'node:zlib'
import { CSV_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { applyImport, type ImportForm, importCsv, uploadCsv } from '../../testing/csv-upload.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { previewed } from '../../testing/preview-upload.ts'
import { newImei } from '../../testing/shop.ts'
import { endImport } from './broken-off.ts'
import { importJobs } from './jobs.ts'
import { applyNextPart, lockImports, nothingApplied } from './write/apply-part.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  await t.db.pool.query(`insert into supplier (company_name) values ('Händler GmbH')`)
  await t.db.pool.query(`insert into vat (name, rate) values ('Standard', 2100), ('Zero', 0)`)
})
afterAll(() => t.close())

const upload = (
  form: ImportForm,
  { client = user, ...more }: { client?: Client; key?: string; fileFirst?: boolean } = {},
) => uploadCsv(client, form, more)
const run = (form: ImportForm) => importCsv(t, user, form)

const HEADER = 'imei,make,model,capacity,capacity_unit,colour,category,supplier,purchase_price,vat,status'
const line = (imei: string, rest = 'Apple,iPhone 13,128,GB,Black,Phones,Händler GmbH,249.90,Standard,In Stock') =>
  `${imei},${rest}`
const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')
const items = async (imeis: string[]) =>
  (await t.db.pool.query('select * from stock where imei = any($1) order by id', [imeis])).rows

test('a supplier’s file: semicolons, comma decimals, BOM, CRLF, 2,000 good rows and a bad one', async () => {
  const imeis = Array.from({ length: 2000 }, newImei)
  const rows = imeis.map((imei, n) => `${imei};Samsung;Galaxy S${n % 20};256;GB;;Phones;249,9${n % 10};21/11/2026;B`)
  rows.splice(1234, 0, '3,56E+14;Samsung;Galaxy S1;256;GB;;Phones;abc;31/02/2026;B')
  const file = `\uFEFFIMEI;Make;Model;Capacity;Capacity_Unit;Colour;Category;Purchase_Price;Purchase_Date;Grading_Screen\r\n${rows.join('\r\n')}\r\n`
  const entry = await run({ csv: file, delimeter: ';' })
  expect(entry.content.data).toMatchObject({
    processed_rows: 2001,
    successed_rows: 2000,
    failed_rows: 1,
    details_total: 2001,
  })
  expect(entry.content.data.details).toHaveLength(250)
  expect(entry.content.data.details[0]).toEqual({
    success: false,
    type: 'failed',
    row: 1236,
    of_row: null,
    id: null,
    backstock_id: null,
    message: {
      imei: expect.stringContaining('A spreadsheet has shortened this IMEI to 3,56E+14'),
      purchase_price: expect.stringContaining("'abc' is not a price"),
      purchase_date: 'Must be a real date as yyyy-mm-dd or dd/MM/yyyy.',
    },
  })
  expect(entry).toMatchObject({ type: 'csv_import', user_id: user.id, state: 'done', file_name: 'stock.csv' })

  const stock = await items(imeis)
  expect(stock.map((row) => row.imei)).toEqual(imeis)
  expect(stock[7]).toMatchObject({
    status: 'Inbound',
    purchase_price: 24_997,
    purchase_date: '2026-11-21',
    grading_data: { Screen: 'B' },
    in_hand: true,
  })
  const { rows: products } = await t.db.pool.query(`select display_name from product where model like 'Galaxy%'`)
  expect(products).toHaveLength(20)
  expect(products).toContainEqual({ display_name: 'Samsung Galaxy S3 256 GB' })
  const { rows: logs } = await t.db.pool.query(
    `select import_id, user_id, content from log where loggable_type = 'Stock' and loggable_id = any($1)`,
    [stock.map((row) => row.id)],
  )
  expect(logs).toHaveLength(2000)
  expect(logs[0]).toMatchObject({ import_id: entry.id, user_id: user.id })
  expect(logs[0].content.data).toContainEqual({ attributeName: 'imei', from: null, to: imeis[0] })

  const last = await user.get(`/api/stock/import/history/${entry.id}/details?per_page=250&page=9`)
  expect(last.body).toMatchObject({ total: 2001, last_page: 9, from: 2001, to: 2001 })
  expect(last.body.data[0]).toMatchObject({ success: true, type: 'created', row: 2002, id: stock[1999].id })
  const result = await user.get(`/api/stock/import/history/${entry.id}/csv`)
  const lines = String(result.body).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2002)
  expect(lines[1]).toBe(`2,created,${stock[0].id},,${imeis[0]},Samsung,Galaxy S0,256,GB,,Phones,"249,90",21/11/2026,B`)
  expect(lines[1235]).toMatch(/^1236,failed,,"?IMEI: A spreadsheet/)
})

test('Windows-1252, a sep= line, names in any case, and the apostrophe of an export', async () => {
  const imei = newImei()
  const text = `sep=;\r\nimei;make;model;category;supplier;purchase_price;engineer_notes;Käufer;Display\r\n${imei}; "APPLE" ;Café;Phones;HÄNDLER gmbh;10;'=1+1 costs 5 €;José;6.1" wide\r\n`
  const bytes = Buffer.from(text.replace('€', '\u0080'), 'latin1')
  const entry = await run({ csv: bytes, delimeter: ';' })
  expect(entry.content.data).toMatchObject({ successed_rows: 1, failed_rows: 0 })
  expect(entry.content.data.details[0].row).toBe(2)
  const [item] = await items([imei])
  expect(item).toMatchObject({
    engineer_notes: '=1+1 costs 5 €',
    attributes: { Käufer: 'José', Display: '6.1" wide' },
  })
  const { rows } = await t.db.pool.query(
    'select display_name, s.company_name from product p, supplier s where p.id = $1 and s.id = $2',
    [item.actual_product_id, item.supplier_id],
  )
  expect(rows[0]).toEqual({ display_name: 'APPLE Café', company_name: 'Händler GmbH' })
  // Each of these products is found again by its names in another case.
  const facts = ['', '128,GB,', ',,Grün', '128,GB,Grün', '128,TB,Grün', '256,GB,Grün', '128,GB,Rot']
  const productsOf = async (rows: string[]): Promise<number[]> => {
    const imeis = rows.map(() => newImei())
    const file = rows.map((row, n) => line(imeis[n]!, `${row},Phones,Händler GmbH,10,Zero,In Stock`))
    expect((await run({ csv: csv(...file) })).content.data).toMatchObject({ successed_rows: rows.length })
    return (await items(imeis)).map(({ actual_product_id }) => actual_product_id)
  }
  const whole = facts.map((fact) => `Apple,Émile,${fact || ',,'}`)
  const made = await productsOf(whole)
  expect(new Set(made).size).toBe(facts.length)
  expect(await productsOf(whole.map((row) => row.toUpperCase()))).toEqual(made)
  const lower = whole.map((row) => row.replace(/Apple|Émile|Grün|Rot/g, (word) => word.toLowerCase()))
  expect(await productsOf(lower)).toEqual(made)
  // One in a colour that the shop does not know yet is another product.
  expect(made).not.toContain((await productsOf(['Apple,Émile,,,Blau']))[0])
  expect((await run({ csv: csv(line(newImei())) })).content.data.successed_rows).toBe(1)
  // Here, only the last byte of the file tells the encoding.
  const last = newImei()
  const cut = Buffer.from(`imei,make,model,category,purchase_price,Buyer\n${last},Apple,Plain,Phones,10,José`, 'latin1')
  expect((await run({ csv: cut })).content.data.successed_rows).toBe(1)
  expect((await items([last]))[0]).toMatchObject({ attributes: { Buyer: 'José' } })
  const { rows: makes } = await t.db.pool.query(`select name from make where lower(name) = 'apple'`)
  expect(makes).toEqual([{ name: 'APPLE' }])
})

test.each<[string, ImportForm, number, RegExp]>([
  ['another file type', { csv: 'x', name: 'a.pdf', type: 'application/pdf' }, 415, /^Only CSV files are allowed$/],
  ['no file', {}, 422, /Choose/],
  ['an empty file', { csv: '' }, 422, /empty/],
  ['a header alone', { csv: `${HEADER}\n` }, 422, /no rows/],
  ['a workbook named .csv', { csv: Buffer.from('PK\x03\x04....') }, 422, /Excel workbook or a ZIP/],
  ['an old workbook named .csv', { csv: Buffer.from('d0cf11e0', 'hex') }, 422, /^This is an old Excel workbook and/],
  ['a compressed file named .csv', { csv: gzipSync('imei,make\n1,2\n') }, 422, /^This file is compressed\./],
  ['UTF-16', { csv: Buffer.from('\uFEFFimei,make\n1,2\n', 'utf16le') }, 422, /^This file is encoded as UTF-16/],
  [
    'UTF-16 with the other byte first',
    { csv: Buffer.from('\uFEFFimei,make\n1,2\n', 'utf16le').swap16() },
    422,
    /^This file is encoded as UTF-16/,
  ],
  ['UTF-16 without its mark', { csv: Buffer.from('imei,make\n1,2\n', 'utf16le') }, 422, /NUL characters/],
  ['NUL', { csv: 'imei,make\n\0,2\n' }, 422, /NUL characters/],
  ['no column that Backstock knows', { csv: 'a,b\n1,2\n' }, 422, /no column that Backstock knows/],
  ['the other delimiter', { csv: 'imei;make\n1;2\n', delimeter: ',' }, 422, /seems to use ';'/],
  ['the other delimiter, a bar', { csv: 'imei|make\n1|2\n', delimeter: ';' }, 422, /seems to use '\|' as/],
  ['the other delimiter, a tab', { csv: 'imei\tmake\n1\t2\n', delimeter: ',' }, 422, /seems to use a tab as/],
  ['the other delimiter in quotes', { csv: '"imei","make"\n1,2\n', delimeter: ';' }, 422, /seems to use ','/],
  ['the other delimiter in a sep line', { csv: 'sep=;\nimei;make\n1;2\n', delimeter: ',' }, 422, /seems to use ';'/],
  ['double headers', { csv: 'imei,make,IMEI\n1,2,3\n' }, 422, /The column IMEI is there twice/],
  ['double further columns', { csv: 'imei,grading_x,Box,Grading_x\n1,2,3,4\n' }, 422, /The column Grading_x is there/],
  [
    'an open quote',
    { csv: 'imei,make\n1,2\n3,"open\n4,5\n' },
    422,
    /In row 3 a quotation mark is opened and never closed/,
  ],
  [
    'an open quote far from the end',
    { csv: `imei,make\n1,"open\n${'2,3\n'.repeat(300_000)}` },
    422,
    /longer than 1,048,576/,
  ],
  ['a million columns', { csv: `imei${',a'.repeat(1_000_000)}\n1\n` }, 422, /Row 1 has more than 1,530 columns/],
  ['a file of commas', { csv: `imei\n${','.repeat(5_000_000)}\n` }, 422, /Row 2 has more than 1,530 columns/],
  ['a million cells', { csv: `imei\n${'1,'.repeat(1_000_000)}\n` }, 422, /Row 2 has more than 1,530 columns/],
])('refuses %s', async (_what, form, status, message) => {
  const { rows: before } = await t.db.pool.query('select count(*) from import')
  const answer = await upload(form)
  expect(answer.status).toBe(status)
  expect(answer.body.data.errors.csv).toMatch(message)
  const { rows: after } = await t.db.pool.query('select count(*) from import')
  expect(after).toEqual(before)
})

test('refuses an unknown delimeter, and more than 200 MB', async () => {
  expect((await upload({ csv: csv('x'), delimeter: '|' })).body.data.errors).toHaveProperty('delimeter')
  const big = Buffer.alloc(200 * 1024 * 1024 + 1, 'imei,make\n')
  expect((await upload({ csv: big })).status).toBe(413)
})

test('a file is CSV by its name or its type, and each word for yes lets it change items', async () => {
  const file = { csv: csv(line(newImei())) }
  const client = await t.user()
  const accepted = async (form: ImportForm) => (await upload({ ...file, ...form }, { client })).status
  const octets = 'application/octet-stream'
  expect(await accepted({ name: 'STOCK.CSV', type: octets })).toBe(202)
  for (const type of ['text/csv', 'text/x-csv; charset=utf-8', 'application/csv'])
    expect([type, await accepted({ name: 'stock', type })]).toEqual([type, 202])
  expect(await accepted({ name: 'stock.csv.txt', type: 'text/plain' })).toBe(415)
  const words = ['on', '1', 'true', 'off', '0', 'false', '']
  const ids: number[] = []
  for (const update_existing of words)
    ids.push((await upload({ ...file, update_existing, delimeter: '' }, { client })).body.data.import_id)
  const { rows } = await t.db.pool.query('select update_existing from import where id = any($1) order by id', [ids])
  expect(rows.map(({ update_existing }) => update_existing)).toEqual([true, true, true, false, false, false, false])
})

test('new products bear the names of the shop, and new names are written as the file has them first', async () => {
  const imeis = [newImei(), newImei(), newImei()]
  await run({ csv: csv(line(imeis[0]!, 'Omega,Old,,,Teal,Phones,Händler GmbH,1,Zero,In Stock')) })
  const { rows: known } = await t.db.pool.query(`select id from make where name = 'Omega'`)
  await run({
    csv: csv(
      line(imeis[1]!, 'OMEGA,One,64,gb,TEAL,phones,Händler GmbH,1,Zero,In Stock'),
      line(newImei(), 'sigma,One,,,pearl,Gadgets,Händler GmbH,1,Zero,In Stock'),
      line(newImei(), 'SIGMA,Two,,,PEARL,GADGETS,Händler GmbH,1,Zero,In Stock'),
    ),
  })
  const { rows } = await t.db.pool.query(
    `select p.display_name, m.id as make from product p join make m on m.id = p.make_id
     where lower(m.name) in ('omega', 'sigma') order by p.id`,
  )
  expect(rows.map(({ display_name }) => display_name)).toEqual([
    ...['Omega Old Teal', 'Omega One 64 GB Teal', 'sigma One pearl', 'sigma Two pearl'],
  ])
  expect(rows[1].make).toBe(known[0].id)
  const { rows: categories } = await t.db.pool.query(`select name from category where lower(name) = 'gadgets'`)
  expect(categories).toEqual([{ name: 'Gadgets' }])
})

test('one of several suppliers of a name is meant by its number, unless a supplier is called exactly so', async () => {
  const { rows: made } = await t.db.pool.query(
    `insert into supplier (company_name) values ('Twin'), ('twin'), (' Spaced ') returning id`,
  )
  const [first, second, spaced] = made.map(({ id }) => id)
  const supplierOf = async (name: string) => {
    const imei = newImei()
    const { content } = await run({ csv: csv(line(imei, `Apple,iPhone 13,128,GB,,Phones,${name},1,Zero,In Stock`)) })
    const [item] = await items([imei])
    return item?.supplier_id ?? content.data.details[0].message
  }
  expect(await supplierOf('TWIN')).toEqual({ supplier: 'More than one supplier is called TWIN.' })
  expect([await supplierOf(`Twin #${first}`), await supplierOf(`TWIN #${second}`)]).toEqual([first, second])
  expect(await supplierOf('spaced')).toBe(spaced)
  for (const other of [`Twin #${spaced}`, 'Twin #0', 'Twin #12345678901'])
    expect(await supplierOf(other)).toEqual({ supplier: `There is no supplier called ${other}.` })
  const { rows: named } = await t.db.pool.query('insert into supplier (company_name) values ($1) returning id', [
    `Twin #${first}`,
  ])
  expect(await supplierOf(`twin #${first}`)).toBe(named[0].id)
})

test('a field that is JSON, thousands of levels deep, is refused before it is parsed', async () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const payload = [
    '--b\r\nContent-Disposition: form-data; name="delimeter"\r\n',
    `Content-Type: application/json\r\n\r\n${deep}\r\n`,
    `--b\r\nContent-Disposition: form-data; name="csv"; filename="a.csv"\r\n\r\n${csv('x')}\r\n--b--\r\n`,
  ].join('')
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const answer = await user.send({ method: 'POST', url: '/api/stock/import/csv', payload, headers })
  expect([answer.status, answer.body.message]).toEqual([415, 'Send delimeter as text.'])
})

test('the form’s parts come in any order; one key is one import; another body under it is refused', async () => {
  const [imeis, client] = [Array.from({ length: 500 }, newImei), await t.user()]
  const file = csv(...imeis.map((imei) => line(imei))).replaceAll(',', ';')
  const twins = await Promise.all(
    [1, 2, 3].map(() => upload({ csv: file, delimeter: ';' }, { client, key: 'same', fileFirst: false })),
  )
  expect(twins.map((answer) => answer.status)).toEqual([202, 202, 202])
  expect(new Set(twins.map((answer) => answer.body.data.import_id)).size).toBe(1)
  expect((await upload({ csv: `${file}\n`, delimeter: ';' }, { client, key: 'same' })).status).toBe(422)
  const updating = { csv: file, delimeter: ';', update_existing: '1' }
  expect((await upload(updating, { client, key: 'same' })).status).toBe(422)
  const other = await upload({ csv: file, delimeter: ';' }, { key: 'same', client: await t.user() })
  expect(other.body.data.import_id).not.toBe(twins[0]!.body.data.import_id)
  // The order of imports is that of their acceptance, so the time is that of the end of the transaction.
  const times = await t.db.pool.query(
    `select i.created_at > k.created_at as is_later from import i join idempotency k on k.owner = 'user:' || i.user_id
     where i.id = any($1)`,
    [[twins[0], other].map((answer) => answer!.body.data.import_id)],
  )
  expect(times.rows).toEqual([{ is_later: true }, { is_later: true }])
})

test('imports of one person are applied as they were accepted, whichever is tried first, and hold up nobody', async () => {
  const [ann, ben, imei] = [await t.user(), await t.user(), newImei()]
  await t.db.pool.query('delete from graphile_worker._private_jobs')
  const sent = async (client: Client, ...rows: string[]): Promise<number> =>
    (await upload({ csv: csv(...rows), update_existing: '1' }, { client })).body.data.import_id
  const priced = (price: string) => line(imei).replace('249.90', price)
  const own = [await sent(ann, priced('10.00')), await sent(ann, priced('20.00'))]
  const other = await sent(ben, line(newImei()))
  const { rows: jobs } = await t.db.pool.query<{ name: string }>(
    'select queue_name as name from graphile_worker.jobs order by id',
  )
  expect(jobs.map(({ name }) => name === jobs[0]!.name)).toEqual([true, true, false])

  const states = async () =>
    (await t.db.pool.query('select state from import where id = any($1) order by id', [[...own, other]])).rows.map(
      ({ state }) => state,
    )
  for (const id of [own[1]!, other]) await applyImport(t, id)
  expect(await states()).toEqual(['waiting', 'waiting', 'done'])
  for (const id of own) await applyImport(t, id)
  expect(await states()).toEqual(['done', 'done', 'done'])
  expect(await items([imei])).toMatchObject([{ purchase_price: 2000 }])
})

test('an import that was planned is still one of its kind after it has waited for an earlier one', async () => {
  const person = await t.user()
  await upload({ csv: csv(line(newImei())) }, { client: person })
  const { import_id } = await previewed(t, person, { csv: csv(line(newImei())) })
  expect((await person.post(`/api/stock/import/preview/${import_id}/commit`)).status).toBe(202)
  await t.db.pool.query('delete from graphile_worker._private_jobs')
  const { import_apply_planned } = importJobs({ db: t.db, config: t.config, dataDir: '', log: t.app.log }, t.app.pace)
  await import_apply_planned({ import_id }, new AbortController().signal)
  const { rows } = await t.db.pool.query(
    'select task_identifier, run_at > created_at as is_later from graphile_worker.jobs',
  )
  expect(rows).toEqual([{ task_identifier: 'import_apply_planned', is_later: true }])
})

test('a date of purchase is in the future by the day of the company', async () => {
  const { rows: company } = await t.db.pool.query('select time_zone from company')
  const head = 'imei,make,model,category,purchase_price,purchase_date'
  for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
    await t.db.pool.query('update company set time_zone = $1', [zone])
    const { rows } = await t.db.pool.query(
      `select (today + 1)::text as tomorrow, (today + 2)::text as later
       from (select (now() at time zone $1)::date as today) t`,
      [zone],
    )
    const days = [rows[0].tomorrow, rows[0].later]
    const file = [head, ...days.map((day) => `${newImei()},Apple,iPhone 13,Phones,1,${day}`)].join('\n')
    const { details } = (await run({ csv: file })).content.data
    expect([zone, details]).toMatchObject([
      zone,
      [
        { row: 3, message: { purchase_date: 'Must not be in the future.' } },
        { row: 2, type: 'created' },
      ],
    ])
  }
  await t.db.pool.query('update company set time_zone = $1', [company[0].time_zone])
})

test('an import waits as long as another one writes', async () => {
  const imei = newImei()
  const { import_id } = (await upload({ csv: csv(line(imei)) })).body.data
  const waiting = async () =>
    (
      await t.db.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount
  const applying = await t.db.write(async (tx) => {
    await lockImports(tx)
    const started = applyImport(t, import_id)
    await expect.poll(waiting).toBe(1)
    expect(await items([imei])).toEqual([])
    return { started }
  })
  await applying.started
  expect(await items([imei])).toHaveLength(1)
})

test('the status: waiting, running, done, and gone a minute after the end', async () => {
  const person = await t.user()
  const status = async () => (await person.get('/api/stock/import/csv/status')).body.data
  expect(await status()).toEqual({
    progress: -1,
    import_id: null,
    file_name: null,
    state: null,
    undo: null,
    total_rows: 0,
    processed_rows: 0,
    successed_rows: 0,
    failed_rows: 0,
    errors: [],
  })
  const rows = Array.from({ length: 1500 }, () => line(newImei()))
  const { import_id } = (await upload({ csv: csv(...rows, line('123')) }, { client: person })).body.data
  expect(await status()).toMatchObject({ progress: 0, import_id, file_name: 'stock.csv' })
  const applied = nothingApplied()
  await applyNextPart(t.db, import_id, applied, t.app.log)
  expect(await status()).toMatchObject({ progress: 66, processed_rows: 1000, successed_rows: 1000, failed_rows: 0 })
  // The last part is written, but its job has not ended the import yet.
  await applyNextPart(t.db, import_id, applied, t.app.log)
  expect(await status()).toMatchObject({ progress: 99, state: 'running', processed_rows: 1501 })
  await applyImport(t, import_id)
  expect(await status()).toMatchObject({
    progress: 100,
    state: 'done',
    total_rows: 1501,
    processed_rows: 1501,
    failed_rows: 1,
    errors: ['Row 1502: IMEI: An IMEI has 14 to 16 digits; this one has 3.'],
  })
  const endedBefore = (seconds: number) =>
    t.db.pool.query(`update import set ended_at = now() - $2 * interval '1 second' where id = $1`, [import_id, seconds])
  await endedBefore(30)
  expect(await status()).toMatchObject({ progress: 100, import_id })
  await endedBefore(61)
  expect(await status()).toMatchObject({ progress: -1, import_id: null })
})

test('the history is everyone’s, filtered by type; the template has every column', async () => {
  expect((await user.get('/api/stock/import/history?type=api_import')).body).toMatchObject({ data: [], total: 0 })
  const all = (await (await t.user()).get('/api/stock/import/history?type=csv_import,api_import&per_page=2')).body
  expect(all.data).toHaveLength(2)
  expect(all.data[0].id).toBeGreaterThan(all.data[1].id)
  for (const entry of all.data) {
    const alone = (await user.get(`/api/stock/import/history?id=${entry.id}`)).body.data[0]
    expect(entry.content).toEqual(alone.content)
    expect(entry.content.data.details).toHaveLength(Math.min(250, entry.content.data.processed_rows))
    for (const [page, detail] of entry.content.data.details.slice(0, 3).entries()) {
      const one = await user.get(`/api/stock/import/history/${entry.id}/details?per_page=1&page=${page + 1}`)
      expect(one.body.data).toEqual([detail])
    }
  }
  expect((await user.get('/api/stock/import/history?type=nope')).status).toBe(400)
  expect((await user.get('/api/stock/import/history/999999/details')).status).toBe(404)
  const template = await user.get('/api/stock/import/csv_template')
  expect(String(template.body).trim().split(',')).toEqual([...CSV_COLUMNS])
  expect(template.headers['content-disposition']).toContain('attachment')
})

test('without update_existing, identifiers in hand and twice in the file fail; names the holder or the row', async () => {
  const [a, b] = [newImei(), newImei()]
  await run({ csv: csv(line(a)) })
  const [item] = await items([a])
  const other16 = `${a.slice(0, 14)}01`
  const entry = await run({
    csv: csv(
      line(other16),
      line(b),
      line(`${b.slice(0, 14)}`),
      line(newImei(), 'Apple,X,1,,,,,-3,Nope,Sold'),
      `${line(newImei())},surplus`,
    ),
  })
  const messages = entry.content.data.details.map((detail: { message: unknown }) => detail.message)
  expect(messages).toEqual([
    { imei: `Item #${item.id} already has this IMEI.` },
    { imei: 'This IMEI is already in this file, row 3.' },
    {
      capacity_unit: 'Enter both capacity and unit, or neither.',
      purchase_price: 'Must not be negative.',
      status: 'A new item is Inbound or In Stock.',
      vat: 'There is no VAT type called Nope.',
    },
    { csv: expect.stringContaining('more cells than the header') },
    'Created.',
  ])
})

test('twice in the file is found across parts too, also when updating', async () => {
  const imeis = Array.from({ length: 1001 }, newImei)
  const file = csv(...imeis.map((imei) => line(imei)), line(imeis[0]!))
  const twice = { message: { imei: 'This IMEI is already in this file, row 2.' }, row: 1003 }
  expect((await run({ csv: file })).content.data).toMatchObject({
    successed_rows: 1001,
    details: expect.arrayContaining([expect.objectContaining(twice)]),
  })
  const again = await run({ csv: file, update_existing: 'true' })
  expect(again.content.data).toMatchObject({ successed_rows: 1001, failed_rows: 1 })
  expect(again.content.data.details[0]).toMatchObject(twice)
  expect(again.content.data.details[1]).toMatchObject({ type: 'unchanged', message: 'Nothing to change.' })
})

test('a cell that a message quotes in part is not cut within a character', async () => {
  const good = newImei()
  const price = `${'x'.repeat(39)}😀 each`
  const entry = await run({ csv: csv(line(newImei(), `Apple,iPhone 13,128,GB,,,,${price},,`), line(good)) })
  expect(entry).toMatchObject({ state: 'done', content: { data: { successed_rows: 1, failed_rows: 1 } } })
  expect(entry.content.data.details[0].message).toMatchObject({
    purchase_price: `'${'x'.repeat(39)}😀' is not a price: write it like 249.90 or 249,90.`,
  })
})

testInTurn('rows of a megabyte go in, however many: parts are as small as they must be', async () => {
  const wide = Array.from({ length: 101 }, (_, n) => `wide ${n}`)
  const imeis = Array.from({ length: 20 }, newImei)
  const notes = wide.map(() => 'n'.repeat(10_000)).join(',')
  const file = [`${HEADER},${wide.join(',')}`, ...imeis.map((imei) => `${line(imei)},${notes}`)].join('\n')
  const entry = await run({ csv: file })
  expect(entry.content.data).toMatchObject({ successed_rows: 20, failed_rows: 0 })
  const { rows } = await t.db.pool.query(
    'select cardinality(lines) as rows from import_part where import_id = $1 order by part',
    [entry.id],
  )
  expect(rows.map(({ rows: many }) => many)).toEqual([3, 3, 3, 3, 3, 3, 2])
})

test('the result of an import can be corrected and imported as it is, and its result again', async () => {
  const [good, bad] = [newImei(), newImei()]
  const head = 'imei,make,model,category,purchase_price,engineer_notes,=box'
  const entry = await run({
    csv: `${head}\n${good},Apple,X,Phones,10,'=1,''=2\n${bad},Apple,X,Phones,a lot,'=1,=2\n`,
  })
  expect(entry.content.data).toMatchObject({ successed_rows: 1, failed_rows: 1 })
  const resultOf = async (id: number) => String((await user.get(`/api/stock/import/history/${id}/csv`)).body)
  const result = await resultOf(entry.id)
  const lines = result.split('\r\n')
  expect(lines[0]).toBe(`\uFEFFrow,result,id,message,${head.replace('=box', "'=box")}`)
  expect(lines[1]).toMatch(new RegExp(`^2,created,\\d+,,${good},Apple,X,Phones,10,'=1,''=2$`))
  expect(lines[2]).toMatch(new RegExp(`^3,failed,,.*,${bad},Apple,X,Phones,a lot,'=1,'=2$`))

  const again = await run({ csv: result.replace(',a lot,', ',20,'), update_existing: '1' })
  expect(again.content.data).toMatchObject({ successed_rows: 2, failed_rows: 0 })
  const made = { engineer_notes: '=1', attributes: { '=box': '=2' } }
  expect(await items([good, bad])).toMatchObject([{ ...made, attributes: { '=box': "'=2" } }, made])
  const names = await t.db.pool.query(
    `select name from attribute_name where name in ('row', 'result', 'id', 'message')`,
  )
  expect(names.rows).toEqual([])
  expect((await resultOf(again.id)).split('\r\n')[0]).toBe(lines[0])
})

test('the result of an import that broke off says which rows were not applied', async () => {
  const { import_id } = (await upload({ csv: csv(line(newImei())) })).body.data
  const result = async () =>
    String((await user.get(`/api/stock/import/history/${import_id}/csv`)).body).split('\r\n')[1]
  expect(await result()).toMatch(/^2,waiting,,,/)
  await t.db.pool.query(`update import set state = 'failed', error = 'x', ended_at = now() where id = $1`, [import_id])
  expect(await result()).toMatch(/^2,not applied,,,/)
})

test.each([
  ['csv_import', 'import the file again'],
  ['api_import', 'the partner can push its items again'],
] as const)('an import (%s) that broke off says whether rows were imported, and what to do', async (type, again) => {
  const broken = async (succeeded: number) => {
    const { rows } = await t.db.pool.query(
      `insert into import (type, user_id, state, succeeded, total) values ($1, $2, 'running', $3, 5) returning id`,
      [type, user.id, succeeded],
    )
    await t.db.write((tx) => endImport(tx, rows[0].id, 'It stopped.'))
    return (await t.db.pool.query('select error from import where id = $1', [rows[0].id])).rows[0].error
  }
  expect(await broken(0)).toMatch(new RegExp(`^It stopped\\. Nothing was imported\\. ${again}\\.$`, 'i'))
  expect(await broken(3)).toBe(`It stopped. The rows up to here have been imported. For the rest, ${again}.`)
})

test('the log of an imported item says of it what that of one added by hand does, and its raw data', async () => {
  const notes = `"quoted", a \\ and a 'tick'; Łódź\t\\t`
  const cell = `"${notes.replaceAll('"', '""')}"`
  const [imported, typed] = [newImei(), newImei()]
  await run({
    csv: `imei,serial_number,make,model,colour,category,supplier,purchase_price,purchase_date,sales_price,vat,status,network_locked,engineer_notes,grading_screen,Käufer
${imported},"S""1",Nokia,"8.1 ""x""",Blue,Phones,Händler GmbH,10,2026-11-21,20.5,Zero,In Stock,yes,${cell},A,${cell}`,
  })
  const [item] = await items([imported])
  const byHand = await user.post('/api/stock/create', {
    ...{ imei: typed, serial_number: 'S"2', status: 'In Stock', engineer_notes: notes, network_locked: true },
    ...{ actual_product_id: item.actual_product_id, supplier_id: item.supplier_id, vat_type_id: item.vat_id },
    ...{ purchase_price: 1000, purchase_date: '2026-11-21', sales_price: 2050 },
  })
  expect(byHand.status).toBe(201)
  const changesOf = async (id: number) => {
    const { rows } = await t.db.pool.query(
      `select content from log where loggable_type = 'Stock' and loggable_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    return rows[0].content.data as { attributeName: string }[]
  }
  const own = (change: { attributeName: string }) => /^(imei|serial_number)$/.test(change.attributeName)
  const others = (changes: { attributeName: string }[]) =>
    changes.filter((change) => !own(change)).sort((a, b) => a.attributeName.localeCompare(b.attributeName))
  const [fromFile, fromForm] = [await changesOf(item.id), await changesOf(byHand.body.data.id)]
  expect(others(fromFile.slice(0, -2))).toEqual(others(fromForm))
  expect(fromFile.filter(own)).toEqual([
    { attributeName: 'imei', from: null, to: imported },
    { attributeName: 'serial_number', from: null, to: 'S"1' },
  ])
  expect(fromFile.slice(-2)).toEqual([
    { attributeName: 'grading_data', from: null, to: '{"screen":"A"}' },
    { attributeName: 'attributes', from: null, to: JSON.stringify({ Käufer: notes }) },
  ])
})
