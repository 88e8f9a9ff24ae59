import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv, uploadCsv } from '../../testing/csv-upload.ts'
import { previewed } from '../../testing/preview-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { workbookParts, zipOf } from '../../testing/xlsx.ts'
import { applyNextPart, nothingApplied } from './write/apply-part.ts'

// Tests that a row changes exactly the phone that it names, or fails.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const item = async (id: number) => (await t.db.pool.query('select * from stock where id = $1', [id])).rows[0]
const everything = async () => (await t.db.pool.query('select * from stock order by id')).rows
const make = async (columns: Parameters<typeof stockItems>[3] = {}) => (await stockItems(t.db, shop, 1, columns))[0]!
const update = async (...lines: string[]) =>
  (await importCsv(t, user, { csv: lines.join('\n'), update_existing: '1' })).content.data
/** The errors of a row, after a check that it has failed and changed nothing. */
const failure = async (...lines: string[]) => {
  const before = await everything()
  const { details, failed_rows } = await update(...lines)
  expect([failed_rows, await everything()]).toEqual([1, before])
  return details[0].message
}
/** The lines of an export about these items, after its header. */
async function exported(...ids: number[]): Promise<string[]> {
  const text = (await user.get('/api/stock/export/csv')).raw.toString().replace(/^\uFEFF/, '')
  const own = text.split('\n').filter((line) => ids.includes(Number(line.split(',')[0])))
  expect(own).toHaveLength(ids.length)
  return [text.split('\n')[0]!, ...own]
}

async function sellAndDispatch(id: number): Promise<void> {
  const sale = await user.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: [{ id, sales_price: 30_000 }],
    create_invoice: false,
    send_email: false,
  })
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    expect((await user.post(`/api/sale/${sale.body.data.id}/edit`, { status })).status).toBe(200)
}

/** Makes two items with one IMEI: a phone that was sold and dispatched, and the same phone, bought again. */
async function boughtBack(backstockId: string) {
  const imei = newImei()
  const sold = await make({ imei, backstock_id: backstockId })
  await sellAndDispatch(sold)
  const { details } = await update(
    'imei,make,model,capacity,capacity_unit,purchase_price,status',
    `${imei},Apple,iPhone 13,128,GB,99,In Stock`,
  )
  expect(details[0].type).toBe('created')
  return { imei, sold, back: details[0].id as number }
}

test('a sold row is not about the phone that was bought back: without the item it fails and names both', async () => {
  const { imei, sold, back } = await boughtBack('S-1')
  const head = 'backstock_id,imei,status,purchase_price'
  const both = { imei: `This IMEI belongs to item #${back}, but the Backstock ID to item #${sold}.` }
  expect(await failure(head, `S-1,${imei},Sold,200.00`)).toEqual(both)
  expect(await failure(head, `S-1,${imei},,55.00`)).toEqual(both)
  const { details } = await update(`backstock_item,${head}`, `${sold},S-1,${imei},Sold,200.00`, `${back},,${imei},,98`)
  expect(details.map(({ id, type }: { id: number; type: string }) => [id, type])).toEqual([
    [sold, 'unchanged'],
    [back, 'updated'],
  ])
  expect(await item(back)).toMatchObject({ backstock_id: null, purchase_price: 9800 })
  expect(await failure(`backstock_item,${head}`, `${back},S-1,${imei},,1`)).toEqual({
    backstock_id: `This Backstock ID belongs to item #${sold}, but the row names item #${back}.`,
  })
  expect(await failure(`backstock_item,${head}`, `${sold},S-1,${imei},Sold,1`)).toEqual({
    purchase_price: `Cannot be changed: item #${sold} is Sold.`,
  })
})

test('an export of what was bought back comes back unchanged, also with other forms of its numbers', async () => {
  const { imei, sold, back } = await boughtBack('S-2')
  const gone = await make({ imei, status: 'Deleted', in_hand: false, serial_number: 'old' })
  const csv = await exported(sold, back, gone)
  const before = await everything()
  for (const file of [
    csv,
    [csv[0]!, ...csv.slice(1).reverse()],
    csv.map((line) => line.replaceAll(imei, `'${imei}`)),
  ]) {
    const { failed_rows, details } = await update(...file)
    expect([failed_rows, details.map(({ type }: { type: string }) => type)]).toEqual([0, Array(3).fill('unchanged')])
  }
  const shorter = await update(...csv.map((line) => line.replaceAll(imei, imei.slice(0, 14)).replace('old', 'OLD')))
  expect(shorter.details.map(({ type }: { type: string }) => type).sort()).toEqual([
    'unchanged',
    'unchanged',
    'updated',
  ])
  await t.db.pool.query(`update stock set serial_number = 'old' where id = $1`, [gone])
  expect((await everything()).map(({ updated_at: _, ...row }) => row)).toEqual(
    before.map(({ updated_at: _, ...row }) => row),
  )
})

test('an export without item numbers does not delete phones that were bought back: items in hand come first', async () => {
  const pairOf = async (...columns: Parameters<typeof stockItems>[3][]) => {
    const imei = newImei()
    const made: number[] = []
    for (const own of columns) made.push(await make({ imei, ...own }))
    return made
  }
  const gone = { status: 'Deleted', in_hand: false } as const
  // PostgreSQL may read the table in either order, so both are tried.
  const ids = [...(await pairOf(gone, {})), ...(await pairOf({}, gone))]
  const before = await everything()
  const withoutNumbers = (await exported(...ids)).map((line) => line.slice(line.indexOf(',') + 1))
  const { details } = await update(...withoutNumbers)
  expect(await everything()).toEqual(before)
  expect(details.map(({ row, type }: { row: number; type: string }) => [row, type])).toEqual([
    [4, 'failed'],
    [5, 'failed'],
    [2, 'unchanged'],
    [3, 'unchanged'],
  ])
})

test('the item that a row names must have one of its identifiers: the file may be another shop’s', async () => {
  const [a, b] = [await make({ serial_number: 'NAMED-A' }), await make()]
  const head = 'backstock_item,imei,serial_number,sales_price'
  const another = "the file may be another shop's."
  expect(await failure(head, `${a},${newImei()},ELSE,1`)).toEqual({
    backstock_item: `Item #${a} has none of this row's identifiers: ${another}`,
  })
  expect(await failure(head, `${a},,,1`)).toHaveProperty('backstock_item')
  expect(await failure(head, `2000000000,,NAMED-A,1`)).toEqual({
    backstock_item: `There is no item #2000000000: ${another}`,
  })
  expect(await failure(head, `first,,NAMED-A,1`)).toEqual({ backstock_item: "'first' is not the number of an item." })
  expect(await failure(head, `${a},${(await item(b)).imei},NAMED-A,1`)).toEqual({
    imei: `This IMEI belongs to item #${b}, but the row names item #${a}.`,
  })
  const { details } = await update(head, `#${a},,named-a,1`, `,${(await item(b)).imei},,2`)
  expect(details.map(({ id, type }: { id: number; type: string }) => [id, type])).toEqual([
    [a, 'updated'],
    [b, 'updated'],
  ])
  const twice = await update(head, `${a},,named-a,3`, `${a},,named-a,4`)
  expect(twice.details[0]).toMatchObject({
    row: 3,
    message: { backstock_item: `Item #${a} is already in this file, row 2.` },
  })
})

test('without update_existing the item is not read', async () => {
  const a = await make()
  const csv = `backstock_item,imei,make,model,capacity,capacity_unit,purchase_price\n${a},${newImei()},Apple,iPhone 13,128,GB,1\nx,${newImei()},Apple,iPhone 13,128,GB,1`
  const { details } = (await importCsv(t, user, { csv })).content.data
  expect(details.map(({ type }: { type: string }) => type)).toEqual(['created', 'created'])
})

test('a placeholder is no identifier: a placeholder replaces no phone', async () => {
  const id = await make({ serial_number: 'N/A' })
  const head = 'imei,serial_number,backstock_id,make,model,capacity,capacity_unit,purchase_price'
  const others = [
    'N/A',
    'n.a.',
    'TBC',
    'Fehler',
    '-',
    '--',
    '0',
    'none',
    'NULL',
    'unknown',
    'x',
    "'-",
    '="0"',
    '\u200b',
  ]
  const before = await item(id)
  const { details } = await update(
    head,
    ...others.map(
      (nothing) =>
        `${newImei()},${nothing.replaceAll('"', '""').replace(/.*"".*/, '"$&"')},${nothing === '="0"' ? '' : nothing},Apple,iPhone 13,128,GB,1`,
    ),
    'N/A,-,x,Apple,iPhone 13,128,GB,1',
  )
  expect(details.map(({ type }: { type: string }) => type)).toEqual(['failed', ...others.map(() => 'created')])
  expect(details[0].message).toEqual({ imei: 'An IMEI or a serial number is needed.' })
  expect(await item(id)).toEqual(before)
  const made = await t.db.pool.query('select serial_number, backstock_id from stock where id > $1', [id])
  expect(new Set(made.rows.map((row) => JSON.stringify(row)))).toEqual(
    new Set([JSON.stringify({ serial_number: null, backstock_id: null })]),
  )
  // The item was made when such words were still accepted. The import of its own export changes nothing.
  expect((await update(...(await exported(id)))).details[0]).toMatchObject({ type: 'unchanged', id })
})

test('one serial number and two IMEIs are two phones, in hand or gone', async () => {
  for (const gone of [{}, { status: 'Deleted' as const, in_hand: false }]) {
    const id = await make({ serial_number: `SN-${Object.keys(gone).length}`, backstock_id: null, ...gone })
    const { serial_number, imei } = await item(id)
    const other = newImei()
    const message = { serial_number: `Item #${id} has this serial number, but its IMEI is ${imei} and not ${other}.` }
    const rest = 'Apple,iPhone 13,128,GB,1,In Stock'
    const head = 'imei,serial_number,make,model,capacity,capacity_unit,purchase_price,status'
    expect(await failure(head, `${other},${serial_number},${rest}`)).toEqual(message)
    expect(await failure(`backstock_item,${head}`, `${id},${other},${serial_number},${rest}`)).toEqual(message)
  }
})

test('a row means the phone that left last, of several that have left, and brings that one back', async () => {
  const imei = newImei()
  const gone = { imei, status: 'Deleted', in_hand: false } as const
  const [first, last] = [
    await make({ ...gone, serial_number: 'LEFT-1' }),
    await make({ ...gone, backstock_id: 'LEFT-2' }),
  ]
  expect((await update('imei,status', `${imei},In Stock`)).details).toMatchObject([{ type: 'updated', id: last }])
  expect(await item(last)).toMatchObject({ status: 'In Stock', in_hand: true })
  expect(await item(first)).toMatchObject({ status: 'Deleted', in_hand: false })
})

test('an update takes no digit off an IMEI', async () => {
  const whole = newImei()
  const [short, long] = [whole.slice(0, 14), `${whole.slice(0, 14)}77`]
  const id = await make({ imei: whole })
  for (const [given, type] of [
    [short, 'unchanged'],
    [long, 'unchanged'],
    [whole, 'unchanged'],
  ]) {
    expect((await update('imei', given!)).details[0]).toMatchObject({ id, type })
    expect(await item(id)).toMatchObject({ imei: whole })
  }
  for (const now of [short, long]) {
    await t.db.pool.query('update stock set imei = $2 where id = $1', [id, now])
    expect((await update('imei', whole)).details[0]).toMatchObject({ id, type: 'updated' })
    expect(await item(id)).toMatchObject({ imei: whole })
  }
})

test('identifiers are cleaned of what spreadsheets put around them', async () => {
  const id = await make({ serial_number: '12345678', backstock_id: 'BS-CLEAN' })
  const { imei } = await item(id)
  const wrapped = (text: string) => [
    `'${text}`,
    `="${text}"`,
    `"=""${text}"""`,
    `\u00a0${text}\u200b`,
    `"'="" ${text}"""`,
    ...(/^\d+$/.test(text) ? [`${text}.0`] : []),
  ]
  for (const [column, text] of [
    ['imei', imei],
    ['serial_number', '12345678'],
    ['backstock_id', 'BS-CLEAN'],
  ])
    for (const cell of wrapped(text))
      expect((await update(column!, cell)).details[0]).toMatchObject({ id, type: 'unchanged' })
})

test('a shortened number is refused in every identifier, with the value that was read', async () => {
  const cells = ['3.56E+14', '1.23457E+11', '"1,2E+5"']
  expect(await failure('imei,serial_number,backstock_id,make', `${cells},Apple`)).toMatchObject({
    imei: 'A spreadsheet has shortened this IMEI to 3.56E+14: format the column as text and export it again.',
    serial_number: expect.stringContaining('has shortened this serial number to 1.23457E+11:'),
    backstock_id: expect.stringContaining('has shortened this Backstock ID to 1,2E+5:'),
  })
})

test('an item that comes back by its number does not take the identifiers of the one in hand', async () => {
  const { imei, sold, back } = await boughtBack('S-3')
  const gone = await make({ imei, status: 'Deleted', in_hand: false })
  expect(await failure('backstock_item,imei,status', `${gone},${imei},In Stock`)).toEqual({
    imei: `Item #${back} already has this IMEI.`,
  })
  expect([sold, back, gone].length).toBe(3)
})

test('an identifier that one row takes off an item goes to no other in the same file, wherever that stands', async () => {
  const head = 'backstock_id,imei,make,model,capacity,capacity_unit,purchase_price'
  const rest = 'Apple,iPhone 13,128,GB,1'
  const many = Array.from({ length: 1000 }, () => `,${newImei()},${rest}`)
  for (const [n, between] of [[], many].entries()) {
    const id = await make({ backstock_id: `MOVES-${n}` })
    const { imei } = await item(id)
    const { details, failed_rows } = await update(head, `MOVES-${n},${newImei()},,,,,`, ...between, `,${imei},${rest}`)
    expect([failed_rows, details[0].message]).toEqual([1, { imei: 'This IMEI is already in this file, row 2.' }])
  }
})

test('nor does it lead to an item that has left, and what rows hold is known to whoever goes on with the file', async () => {
  const head = 'backstock_id,imei,make,model,capacity,capacity_unit,purchase_price,vat,engineer_notes'
  const rest = 'Apple,iPhone 13,128,GB,1'
  const many = Array.from({ length: 1000 }, () => `,${newImei()},${rest},,`)
  for (const isOneJob of [true, false]) {
    const moves = await item(await make({ backstock_id: `LEADS-${isOneJob}` }))
    const free = await item(await make({ backstock_id: `FREES-${isOneJob}` }))
    const gone = await item(await make({ imei: moves.imei, status: 'Deleted', in_hand: false }))
    const held = await item(await make())
    const csv = [
      head,
      `LEADS-${isOneJob},${newImei()},,,,,,,`,
      `FREES-${isOneJob},${newImei()},,,,,,,`,
      `,${held.imei},,,,,,None,`,
      ...many,
      `,${moves.imei},,,,,,,note`,
      `,${free.imei},${rest},,`,
      `,${held.imei},,,,,,,note`,
    ].join('\n')
    const { import_id } = (await uploadCsv(user, { csv, update_existing: '1' })).body.data
    let applied = nothingApplied()
    while (await applyNextPart(t.db, import_id, applied, t.app.log)) if (!isOneJob) applied = nothingApplied()
    const { failed_rows, details } = (await user.get(`/api/stock/import/history?id=${import_id}`)).body.data[0].content
      .data
    expect([failed_rows, ...details.slice(1, 4).map(({ message }: { message: object }) => message)]).toEqual([
      4,
      { imei: 'This IMEI is already in this file, row 2.' },
      { imei: 'This IMEI is already in this file, row 3.' },
      { imei: 'This IMEI is already in this file, row 4.' },
    ])
    expect([await item(gone.id), await item(held.id)]).toEqual([gone, held])
  }
})

test('an export that was edited by hand loses no row, whatever its notes hold', async () => {
  const plain = [await make(), await make(), await make(), await make()]
  const [head, ...rows] = await exported(...plain)
  const notes = `see\n${rows[0]}\n${rows[0]}\nok, "x"`
  const noted = await make({ engineer_notes: notes })
  const before = await everything()
  const { failed_rows, details } = await update((await user.get('/api/stock/export/csv')).raw.toString())
  expect([failed_rows, details.some(({ type }: { type: string }) => type !== 'unchanged')]).toEqual([0, false])
  expect(await everything()).toEqual(before)
  expect((await item(noted)).engineer_notes).toBe(notes)

  const at = head!.split(',').indexOf('engineer_notes')
  const withNote = (row: string, note: string) => row.split(',').with(at, note).join(',')
  const csv = [head, rows[0], withNote(rows[1]!, '"as new'), rows[2], withNote(rows[3]!, '6.1"')].join('\n')
  const { status, body } = await uploadCsv(user, { csv, update_existing: '1' })
  expect([status, body.message]).toEqual([422, expect.stringMatching(/^In row 3 a quotation mark is opened/)])
})

test('a further column of older times that is called like ours comes back, text that is cut too', async () => {
  const id = await make({
    engineer_notes: 'x;=1+1\t@2|-3\n=4, "; =5',
    attributes: JSON.stringify({ 'Purchase Price': 'a lot', 'x;=1': ';+1' }),
  })
  await t.db.pool.query(
    `insert into attribute_name values ('attribute', 'Purchase Price'), ('attribute', 'x;=1') on conflict do nothing`,
  )
  const { raw } = await user.get('/api/stock/export/csv')
  const cells = (parse(raw, { bom: true }) as string[][]).flat()
  const cut = cells.flatMap((cell) => cell.split(/[,;|\t\r\n]/))
  expect(cut.filter((cell) => /^[ "]*[=+@-]/.test(cell))).toEqual([])
  const before = await item(id)
  const { failed_rows } = await update(raw.toString())
  expect([failed_rows, await item(id)]).toEqual([0, before])
})

test('a row with one IMEI in both columns leaves the other one that its item has', async () => {
  const [A, B] = [newImei(), newImei()]
  const id = await make({ imei: A, imei2: B })
  for (const imei of [A, B, B.slice(0, 14)])
    expect((await update('imei,imei2,sales_price', `${imei},${imei},${newImei().slice(-3)}`)).failed_rows).toBe(0)
  expect(await item(id)).toMatchObject({ imei: A, imei2: B })
  const single = await make({ imei: newImei() })
  const { imei } = await item(single)
  expect((await update('imei,imei2', `${imei},${imei}`)).failed_rows).toBe(0)
  expect(await item(single)).toMatchObject({ imei, imei2: imei })
})

test("a second IMEI that stands first in a file is no other phone's, though the serial number is there too", async () => {
  const [A, Z] = [newImei(), newImei()]
  const id = await make({ imei: A, serial_number: 'TWO-SLOTS' })
  expect((await update('serial_number,imei,imei2', `TWO-SLOTS,${Z},${A}`)).details).toMatchObject([
    { type: 'updated', id },
  ])
  expect(await item(id)).toMatchObject({ imei: A, imei2: Z })
  expect(await failure('serial_number,imei,imei2', `TWO-SLOTS,${newImei()},${newImei()}`)).toMatchObject({
    serial_number: expect.stringContaining('has this serial number'),
  })
})

test('words that fill a cell are no identity: no row updates another phone by them', async () => {
  const head = 'imei,serial_number,make,model,capacity,capacity_unit,purchase_price'
  const phone = 'Apple,iPhone 13,128,GB,1'
  for (const filler of ['TBC', 'ERROR', '#VALUE!', '3', 'unbekannt', '2026-11-18', '990.00']) {
    const stored = await make({ serial_number: filler, backstock_id: null })
    const before = await item(stored)
    const alone = await update('serial_number,sales_price', `${filler},1`)
    expect(alone, filler).toMatchObject({ failed_rows: 1, successed_rows: 0 })
    const [, other] = (await update(head, `${newImei()},${filler},${phone}`, `${newImei()},SN-${filler},${phone}`))
      .details
    expect(other, filler).toMatchObject({ type: 'created' })
    expect(await item(stored), filler).toEqual(before)
    // An item may still have this text as its serial number. If it is exported and imported, it stays unchanged.
    expect((await update(...(await exported(stored)))).details[0], filler).toMatchObject({
      type: 'unchanged',
      id: stored,
    })
    await t.db.pool.query("update stock set status = 'Deleted', in_hand = false where id = $1", [stored])
  }
})

test('rows that add up others are no phones, and say so', async () => {
  const head = 'make,model,capacity,colour,serial_number,imei,purchase_price,category'
  const lines = [
    'Samsung Total,,,,6,,990.00,',
    'Gesamt,,,,12,,,',
    ',,,,,,1990.00,Razem',
    'Totaal: 6,X,,,F17AAA0002,,1,Phones',
  ]
  const { details } = await update(head, ...lines)
  expect(details.map(({ message }: { message: { csv: string } }) => message.csv)).toEqual(
    ['Samsung Total', 'Gesamt', 'Razem', 'Totaal: 6'].map(
      (cell) => `This row says '${cell}': it adds up other rows and is not an item.`,
    ),
  )
  const withImei = `Apple,iPhone 13,,Total Black,,${newImei()},1,Phones`
  expect(await update(head, withImei)).toMatchObject({ successed_rows: 1 })
  // Sentences may begin or end with such a word, but not have it alone.
  const noted = `${head},engineer_notes,location,grading_screen`
  const withSerial = (serial: string, ...words: string[]) => `Apple,iPhone 13,,,${serial},,1,Phones,${words}`
  const { details: said } = await update(
    noted,
    withSerial('F17BBB0001', 'total loss of the display', 'Shelf total', 'a total'),
    withSerial('F17BBB0002', 'fine', 'Subtotal: 3', ''),
  )
  expect(said.map(({ row, message }: { row: number; message: unknown }) => [row, message])).toEqual([
    [3, { csv: "This row says 'Subtotal: 3': it adds up other rows and is not an item." }],
    [2, 'Created.'],
  ])
})

test('an error of a spreadsheet is no value', async () => {
  const id = await make({ engineer_notes: 'kept' })
  const { imei, actual_product_id } = await item(id)
  const update1 = await update('imei,colour,engineer_notes,Box', `${imei},#N/A,#BEZUG!,#NV`)
  expect(update1).toMatchObject({ failed_rows: 0 })
  expect(await item(id)).toMatchObject({ engineer_notes: 'kept', actual_product_id, attributes: {} })
  const message = (error: string) =>
    `${error} is an error that a spreadsheet shows in place of a value: correct the formula and export it again.`
  expect(await failure('imei,serial_number', `${imei},#DIV/0!`)).toEqual({ serial_number: message('#DIV/0!') })
  const identifiers = 'serial_number,imei,imei2,meid,eid,backstock_id,backstock_item'
  expect(await failure(identifiers, 'F17CCC0001,#N/A,#REF!,#NUM!,#NULL!,#CALC!,#NV')).toMatchObject({
    ...{ imei: message('#N/A'), imei2: message('#REF!'), meid: message('#NUM!'), eid: message('#NULL!') },
    ...{ backstock_id: message('#CALC!'), backstock_item: message('#NV') },
  })
  expect(await failure('imei,make,model,purchase_price', `${newImei()},#NAAM?,#¿NOMBRE?,#ADR!`)).toMatchObject({
    make: message('#NAAM?'),
    model: message('#¿NOMBRE?'),
    purchase_price: message('#ADR!'),
  })
})

test('an IMEI that has lost its zero in front is that phone', async () => {
  const imei = '013880001234566'
  const id = await make({ imei })
  const head = 'imei,make,model,capacity,capacity_unit,purchase_price,sales_price'
  expect((await update(head, '13880001234566,,,,,,7')).details[0]).toMatchObject({ type: 'updated', id })
  const { details } = await importCsv(t, user, {
    csv: `${head}\n13880001234566,Apple,iPhone 13,128,GB,1,2`,
  }).then(({ content }) => content.data)
  expect(details[0].message).toEqual({ imei: `Item #${id} already has this IMEI.` })
  expect(await item(id)).toMatchObject({ imei, sales_price: 700 })
  const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`
  const sheet = `<row>${['IMEI', 'Sales price'].map(text).join('')}</row><row><c><v>13880001234566</v></c><c><v>8</v></c></row>`
  const preview = await previewed(t, user, {
    ...{ csv: zipOf(workbookParts(sheet)), name: 'stock.xlsx', update_existing: 'true' },
  })
  const rows = await user.get(`/api/stock/import/preview/${preview.import_id}/rows`)
  expect(rows.body.data).toMatchObject([{ kind: 'updated', id }])
  const found = await user.post('/api/stock/quick-order-find', ['13880001234566'])
  expect(found.body.data).toMatchObject([{ id }])
  const scanned = await user.post('/api/stock/scan-find', { codes: ['13880001234566'] })
  expect(scanned.body.data).toMatchObject([{ item: { id } }])
})

test('an IMEI in the column of serial numbers is that phone, and the other way round', async () => {
  const imei = newImei()
  const id = await make({ imei, serial_number: null })
  const head = 'serial_number,make,model,capacity,capacity_unit,purchase_price'
  expect((await update('serial_number,sales_price', `${imei},7`)).details[0]).toMatchObject({ type: 'updated', id })
  expect(await item(id)).toMatchObject({ imei, serial_number: null, sales_price: 700 })
  const fresh = newImei()
  const { details } = (
    await importCsv(t, user, { csv: `${head}\n${imei},Apple,iPhone 13,128,GB,1\n${fresh},Apple,iPhone 13,128,GB,1` })
  ).content.data
  expect(details[0]).toMatchObject({ type: 'failed', message: { imei: `Item #${id} already has this IMEI.` } })
  expect(await item(details[1].id)).toMatchObject({ imei: fresh, serial_number: null })

  const old = await make({ imei: null, serial_number: newImei(), backstock_id: null })
  const { serial_number } = await item(old)
  expect((await update(...(await exported(old)))).details[0]).toMatchObject({ type: 'unchanged', id: old })
  expect(await failure('imei,make,model,purchase_price,status', `${serial_number},Apple,X,1,Nowhere`)).toHaveProperty(
    'status',
  )
  expect((await update('imei,sales_price', `${serial_number},8`)).details[0]).toMatchObject({
    type: 'updated',
    id: old,
  })
  // If another phone has the number as its IMEI, that one is meant.
  const number = newImei()
  const bought = await make({ imei: null, serial_number: number, backstock_id: null, sales_price: 800 })
  const bearer = await make({ imei: number })
  expect((await update('imei,sales_price', `${number},9`)).details[0]).toMatchObject({ type: 'updated', id: bearer })
  expect(await item(bought)).toMatchObject({ imei: null, sales_price: 800 })
})

test.each([
  ...(["'#", '#.0', '"#"', '="#"', 'IMEI:#', 'IMEI 1: #', 'imei #'] as const).map((line) => ({
    line,
    isColumns: false,
  })),
  ...['#\tOne\t249.90', 'One;#', '#,One,249.90', '# One 249.90', '1. #'].map((line) => ({ line, isColumns: true })),
])(
  'the line $line is read as an import reads a cell wherever it is typed, pasted or scanned',
  async ({ line, isColumns }) => {
    const imei = newImei()
    const supplier = await user.post('/api/supplier/create', { company_name: `Of ${imei}` })
    const id = await make({ imei, status: 'Inbound', supplier_id: supplier.body.data.id })
    const given = line.replace('#', imei)
    expect((await user.post('/api/stock/quick-order-find', [given])).body.data).toMatchObject([{ id }])
    expect((await user.post('/api/return/look-up', { lines: [given] })).body.data).toMatchObject([{ id }])
    expect((await user.post('/api/stock/scan-find', { codes: [given] })).body.data).toMatchObject([{ item: { id } }])
    const check = await user.post('/api/stock/check', { filter: { supplier_id: supplier.body.data.id } })
    const scanned = await user.post(`/api/stock/check/${check.body.data.id}/scan`, { codes: [given] })
    expect(scanned.body.data.lines).toMatchObject([{ result: 'matched', item: { id } }])
    const second = await user.post('/api/stock/create', {
      ...{ actual_product_id: shop.product, imei: given, purchase_price: 1, status: 'Inbound' },
    })
    expect(second).toMatchObject({
      status: 422,
      body: { data: { errors: { imei: `Item #${id} already has this IMEI.` } } },
    })
    if (isColumns) return
    expect((await user.get(`/api/stock/find?search=${encodeURIComponent(given)}`)).body.data).toMatchObject([{ id }])
    const pasted = { sales_price: { pasted: [`${given}\tOne\t249.90`] } }
    const { body } = await user.post('/api/stock/bulk/preview', { items: [id], changes: pasted })
    expect(body.data).toMatchObject({ will_change: 1, pasted: { right: 1, wrong: 0 } })
  },
)

test('neither of two IMEIs in a line is guessed, and a serial number is taken from its label and its quotes', async () => {
  const [a, b] = [newImei(), newImei()]
  await make({ imei: a })
  await make({ imei: b })
  const both = await user.post('/api/stock/quick-order-find', [`${a}/${b}`])
  expect(both.body).toMatchObject({ data: [], not_found: [`${a}/${b}`] })
  const made = await user.post('/api/stock/create', {
    ...{ actual_product_id: shop.product, serial_number: "'F17QUOTED01", purchase_price: 1, status: 'Inbound' },
  })
  expect(made.body.data.serial_number).toBe('F17QUOTED01')
  for (const search of ['S/N: F17QUOTED01', 'serial no. F17QUOTED01'.replace('. ', ': ')])
    expect((await user.get(`/api/stock/find?search=${encodeURIComponent(search)}`)).body.data).toHaveLength(1)
})

test('an MEID in its decimal form, or with its check digit, is the MEID that a phone has', async () => {
  const head = 'meid,serial_number,make,model,capacity,capacity_unit,purchase_price'
  const phone = 'Apple,iPhone 13,128,GB,1'
  const { details } = (
    await importCsv(t, user, { csv: `${head}\n293608736500703710,MEID-A,${phone}\nAF0123450ABCDEC,MEID-B,${phone}` })
  ).content.data
  // The details begin with the failed rows.
  const [failed, made] = details
  expect([made, failed]).toMatchObject([{ type: 'created' }, { type: 'failed', message: { meid: expect.any(String) } }])
  expect(await item(made.id)).toMatchObject({ meid: 'AF0123450ABCDE' })
  const other = await make()
  for (const meid of ['293608736500703710', 'AF0123450ABCDEC', 'af0123450abcde'])
    expect((await user.patch(`/api/stock/${other}/edit`, { meid })).body.data.errors.meid).toContain(
      'already has this MEID',
    )
  for (const code of ['293608736500703710', 'AF0123450ABCDEC']) {
    const found = await user.post('/api/stock/quick-order-find', [code])
    expect(found.body.data, code).toMatchObject([{ id: made.id }])
  }
})
