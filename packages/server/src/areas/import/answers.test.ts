import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { applyImport, applyUndo, type ImportForm, uploadCsv } from '../../testing/csv-upload.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { makePartner } from '../../testing/partner.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { BROKEN_OFF, endImport, endUndo, importGiveUps } from './broken-off.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let other: Client
let shop: Shop
const BASE = '/api/stock/import'

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  other = await tape.person('Colleague')
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
const imeiOf = async (id: number): Promise<string> =>
  (await query('select imei from stock where id = $1', [id]))[0].imei
const items = (n: number, columns: object = {}) =>
  stockItems(tape.t.db, shop, n, columns) as Promise<[number, number, number, number]>
const fileOf = (header: string, rows: string[]) => [header, ...rows].join('\n')

async function upload(form: ImportForm, who = user): Promise<number> {
  return (await uploadCsv(who, form)).body.data?.import_id
}
async function run(form: ImportForm): Promise<number> {
  const id = await upload(form)
  await tape.act(`import #${id} runs`, () => applyImport(tape.t, id))
  return id
}
async function undo(id: number): Promise<void> {
  await user.post(`${BASE}/history/${id}/undo`)
  await tape.act(`the undo of import #${id} runs`, () => applyUndo(tape.t, id))
}

testInTurn('imports of the template and their undo: the answers and the rows that they leave', async () => {
  await query(
    `insert into supplier (company_name, default_purchase_treatment) values ('Foxway', 'margin'), ('Twin', 'unknown'), ('Twin', 'unknown')`,
  )
  await tape.forgetChanges()

  tape.title('The template; no import yet')
  await user.get(`${BASE}/csv_template`)
  await user.get(`${BASE}/csv/status`)
  await user.get(`${BASE}/history`)
  await user.get(`${BASE}/history/1/details`)
  await user.get(`${BASE}/history/1/csv`)
  await user.get(`${BASE}/history/1/undo`)

  tape.title('Files that are refused')
  const HEADER = 'imei,make,model,category,purchase_price'
  for (const form of [
    {},
    { csv: 'x', name: 'a.pdf', type: 'application/pdf' },
    { csv: '' },
    { csv: HEADER },
    { csv: 'PK\u0003\u0004' },
    { csv: '%PDF-1' },
    { csv: 'a,b\n1,2' },
    { csv: 'imei;make\n1;2', delimeter: ',' },
    { csv: 'imei,make\n1,2', delimeter: 'x' },
    { csv: 'imei,make\n1,2', update_existing: 'perhaps' },
    { csv: 'imei,make,IMEI\n1,2,3' },
    { csv: 'imei,make\n1,"2\n3,4' },
    { csv: 'imei,make\n1,"2"3\n3,4' },
    { csv: `imei,${'x'.repeat(256)}\n1,2` },
  ])
    await upload(form)

  tape.title('New items: each column, and the names that come with them')
  const [a, b, c, d] = Array.from({ length: 4 }, newImei) as [string, string, string, string]
  const whole = [
    'backstock_id;imei;serial_number;status;make;model;capacity;capacity_unit;colour;category;supplier;purchase_price',
    ';purchase_currency;purchase_fx_rate;purchase_date;purchase_vat;sales_price;sales_currency;vat;network_locked',
    ';engineer_notes;batch;grade;functional;battery_health;imei2;meid;eid;location;grading_screen;Box',
  ].join('')
  const first = await run({
    name: 'all columns.csv',
    delimeter: ';',
    csv: fileOf(whole, [
      `B-1;${a};SN1;In Stock;Zeta;Z1;64;GB;Green;Watch;foxway;123,45;USD;1,25;03/02/2001;standard;200,50;EUR;Standard;yes;'=1+1;My batch;a;working;91%;${d};A0000012345678;${'8'.repeat(32)};Shelf 1;B;with`,
      `;${b};;;APPLE;iphone 13;128;gb;;;Foxway;0;;;2001-02-04;;;;Zero (0%);no;;;;;;;;;;;`,
      `;${c};;Inbound;zeta;z1;64;GB;GREEN;phone;;1;;;;;;;;;;;;;;;;;;;`,
      '',
      `;123;;Sold;;;1;;;;Nobody;a lot;XXX;0;31/02/2001;none;x;USD;None;maybe;;;Z;perhaps;101;1;1;1;${'x'.repeat(256)};;`,
      ';;;;;;;;;;;;;;;;;;;;;;;;;;;;;;',
      `;${newImei()};;;Zeta;New;;;;;Twin;1;;;;;;;;;;;;;;;;;;;`,
      ';;N/A;;Apple;iPhone 13;128;GB;;;;1;;;;;;;;;;;;;;;;;;;',
      `;${b};;;Apple;iPhone 13;128;GB;;;;1;;;;;;;;;;;;;;;;;;;`,
      ';Total;;;;;;;;;;123;;;;;;;;;;;;;;;;;;;',
      `;${newImei()};;;Apple;iPhone 13;128;GB;;;;1;;;;;;;;;;;;;;;;;;;;;`,
    ]),
  })
  await user.get(`${BASE}/csv/status`)
  await other.get(`${BASE}/csv/status`)
  await user.get(`${BASE}/history?id=${first}`)
  await user.get(`${BASE}/history/${first}/details?per_page=3&page=3`)
  await user.get(`${BASE}/history/${first}/details?order=id_desc`)
  await user.get(`${BASE}/history/${first}/csv`)
  await user.get(`${BASE}/history/${first}/csv?only=failed`)
  await user.get(`${BASE}/history/${first}/csv?only=bad`)
  const { body: failed } = await user.get(`${BASE}/history/${first}/csv?only=failed`)

  tape.title('The failed rows are corrected, and imported as they are')
  await run({ csv: `${String(failed).split('\r')[0]}\r\n12,failed,,,,${newImei()}\r\n` })
  const mended = await run({
    csv: fileOf('row,result,id,message,imei,make,model,category,purchase_price', [
      `5,failed,,x,${newImei()},Apple,iPhone 13,Phone,1`,
      `6,failed,,x,${newImei()},Apple,iPhone 13,Phone,`,
    ]),
  })
  await user.get(`${BASE}/history/${mended}/csv`)

  tape.title('Without the permission, an item in stock is not changed')
  await run({ csv: fileOf(HEADER, [`${a},Apple,iPhone 13,Phone,1`, `${d},Apple,iPhone 13,Phone,1`]) })

  tape.title('Items are changed: found by each identifier, moved between statuses, freed of nothing')
  const [one, two, three, four] = await items(4)
  const batch = await batchOf(tape.t.db, shop, user.id, 2)
  const locked = await batchOf(tape.t.db, shop, user.id, 1, true)
  const [gone] = await items(1, { status: 'Deleted', in_hand: false })
  const [shopped, wanted] = await items(2)
  await tape.forgetChanges()
  await user.post('/api/sale/create', { customer_id: shop.customer, stock_items: [{ id: shopped }, { id: wanted }] })
  await query(
    `update stock set serial_number = 'ser-2', backstock_id = 'bs-3', grading_data = '{"screen": "A"}' where id = any($1)`,
    [[two]],
  )
  await query(`update stock set backstock_id = 'bs-33', attributes = '{"Box": 1}' where id = $1`, [three])
  await tape.forgetChanges()
  const change = await run({
    update_existing: '1',
    csv: fileOf(
      'backstock_item,imei,serial_number,backstock_id,status,sales_price,location,make,colour,purchase_price,grading_screen,Box',
      [
        `,${await imeiOf(one)},,,,310,Shelf 2,,Black,,,`,
        `,,SER-2,,Deleted,,,,,,A,`,
        `${three},,,BS-33,,300,,,,,,1`,
        `${four},${await imeiOf(one)},,,,1,,,,,,`,
        `${four},,x,,,1,,,,,,`,
        `999,${await imeiOf(four)},,,,1,,,,,,`,
        `,${await imeiOf(four)},SER-2,,,1,,,,,,`,
        `,${await imeiOf(batch.items[0]!)},,,Deleted,,,,,,,`,
        `,${await imeiOf(batch.items[1]!)},,,Inbound,,,,,,,`,
        `,${await imeiOf(locked.items[0]!)},,,Deleted,,,,,,,`,
        `,${await imeiOf(gone)},,,In Stock,,,,,,,`,
        `,${await imeiOf(shopped)},,,Deleted,,,,,,,`,
        `,${await imeiOf(wanted)},,,,500,,Zeta,,7,,`,
        `,${await imeiOf(four)},,,,-1,,,,,,`,
        `,${await imeiOf(four)},,,,2,,,,,,`,
      ],
    ),
  })
  await user.get(`${BASE}/history?id=${change}`)
  await user.get(`${BASE}/history?type=csv_import&per_page=2&page=2`)
  await user.get(`${BASE}/history?type=other`)
  await user.get(`/api/log/find?loggable_type=Stock&loggable_id=${one}`)
  await user.get('/api/log/find?loggable_type=Sale&loggable_id=1')
  await user.get(`/api/stock/find?import=${change}&quick=1`)

  tape.title('Undo: the forecast, and items that stay')
  const [u1, u2, u3, u4] = await items(4)
  const kept = Array.from({ length: 6 }, newImei)
  await tape.forgetChanges()
  const last = await run({
    update_existing: 'true',
    csv: fileOf(`${HEADER},colour,location,Tag,status`, [
      ...kept.map((imei, n) => `${imei},Undone,U${n},Undoables,10,Ultra,,yes,In Stock`),
      `${await imeiOf(u1)},,,,,,Left,,`,
      `${await imeiOf(u2)},,,,,,,,Deleted`,
      `${await imeiOf(u3)},,,,11,,,no,`,
      `${await imeiOf(u4)},,,,12,,,,`,
    ]),
  })
  await user.get(`${BASE}/history/${last}/undo`)
  const made = (await query('select id from stock where imei = any($1) order by id', [kept])).map(({ id }) => id)
  await other.post(`/api/stock/${made[0]}/edit`, { location: 'Moved' })
  await query('insert into basket (user_id, items) values ($1, $2)', [other.id, [made[1]]])
  await user.post('/api/sale/create', { customer_id: shop.customer, stock_items: [{ id: made[2], sales_price: 1 }] })
  await query(`update stock set imei = $2 where id = $1`, [u4, newImei()])
  await query(`update product set active = false where model = 'U3'`)
  await tape.forgetChanges()
  await user.get(`${BASE}/history/${last}/undo?per_page=2`)
  await user.get(`${BASE}/history/${last}/undo?per_page=2&page=2`)
  await user.get(`${BASE}/history/${last}/undo?judged=1&per_page=1`)
  await user.post(`${BASE}/history/999/undo`)
  await user.post(`${BASE}/history/${last}/undo`)
  await user.get(`${BASE}/history/${last}/undo`)
  await user.get(`${BASE}/csv/status`)
  await user.post(`${BASE}/history/${last}/undo`)
  await tape.act('the undo breaks off', () => tape.t.db.write((tx) => endUndo(tx, last, BROKEN_OFF.undo)))
  await user.get(`${BASE}/history/${last}/undo`)
  await user.get(`${BASE}/history?id=${last}`)
  await undo(last)
  await user.get(`${BASE}/history/${last}/undo`)
  await user.post(`${BASE}/history/${last}/undo`)
  await user.get(`${BASE}/history/${last}/details`)
  await user.get(`${BASE}/history/${last}/csv`)
  await user.get(`/api/log/find?loggable_type=Stock&loggable_id=${u1}`)
  await user.get(`/api/log/find?loggable_type=User&loggable_id=${user.id}`)

  tape.title('Undo: identifiers that others took, batches that are locked, records that are gone')
  const [v1, v3, w] = await items(3)
  const [v2] = await items(1, { grade_id: 1 })
  const open = await batchOf(tape.t.db, shop, user.id, 1)
  const [lost] = await items(1, { status: 'Deleted', in_hand: false })
  const freed = await imeiOf(v1)
  await tape.forgetChanges()
  const second = await run({
    update_existing: '1',
    csv: fileOf('backstock_item,imei,serial_number,grade,status,location', [
      `${v1},${freed},,,Deleted,`,
      `${v2},${await imeiOf(v2!)},,A,,`,
      `${v3},${await imeiOf(v3)},,,,Here`,
      `,${await imeiOf(w)},NEW-SN,,,`,
      `,${await imeiOf(open.items[0]!)},,,Deleted,`,
      `,${await imeiOf(lost)},,,In Stock,`,
    ]),
  })
  await items(1, { imei: freed })
  await query('update batch set is_locked = true where id = $1', [open.id])
  await query('update stock set grade_id = null where grade_id = 1')
  await query('delete from grade where id = 1')
  await tape.forgetChanges()
  await user.get(`${BASE}/history/${second}/undo`)
  await undo(second)

  tape.title('Undo: refused')
  const nothing = await run({ csv: fileOf(HEADER, ['1,x,x,x,x']) })
  await user.post(`${BASE}/history/${nothing}/undo`)
  await query(`update import set ended_at = now() - interval '31 days' where id = $1`, [first])
  await query('update import_part set versions = null where import_id = $1', [mended])
  await tape.forgetChanges()
  await user.post(`${BASE}/history/${first}/undo`)
  await user.get(`${BASE}/history/${first}/undo`)
  await user.post(`${BASE}/history/${mended}/undo`)

  tape.title('An import that waits, breaks off, or stops the server')
  const row = () => fileOf(HEADER, [`${newImei()},Apple,iPhone 13,Phone,1`])
  const waiting = await upload({ csv: row() })
  await user.get(`${BASE}/csv/status`)
  await user.get(`${BASE}/history/${waiting}/csv`)
  await tape.act('it breaks off', () => tape.t.db.write((tx) => endImport(tx, waiting, BROKEN_OFF.import)))
  await user.get(`${BASE}/csv/status`)
  await user.get(`${BASE}/history/${waiting}/csv`)
  await user.get(`${BASE}/history?id=${waiting}`)
  await tape.act('it breaks off again', () => tape.t.db.write((tx) => endImport(tx, waiting, 'Another reason.')))
  const giveUp = (id: number) => tape.t.db.write((tx) => importGiveUps.import_apply(tx, { import_id: id }))
  const stuck = await upload({ csv: row() })
  await tape.act('an import of a file is given up', () => giveUp(stuck))
  const admin = await tape.t.user('ROLE_ADMIN')
  const partner = await makePartner(tape.t.app, admin, shop.customer)
  await tape.forgetChanges()
  const pushed = (await partner.post('/stock', { items: [{ imei: newImei() }] })).body.data.import_id
  await tape.act('an import of a partner is given up', () => giveUp(pushed))
  await tape.act('no import is given up', () => giveUp(999))
  const ordered = await run({ csv: row() })
  const meanwhile = await run({ csv: row() })
  for (const id of [ordered, meanwhile]) await user.post(`${BASE}/history/${id}/undo`)
  await tape.act('an undo is given up', () =>
    tape.t.db.write((tx) => importGiveUps.import_undo(tx, { import_id: ordered })),
  )
  await user.get(`${BASE}/history/${ordered}/undo`)
  await user.get(`${BASE}/history?type=api_import`)
  for (const seconds of [30, 61]) {
    await query(`update import set ended_at = now() - make_interval(secs => $2) where user_id = $1`, [user.id, seconds])
    await tape.forgetChanges()
    await user.get(`${BASE}/csv/status`)
  }

  tape.title('Imports and undos take turns')
  await user.post(`${BASE}/history/${ordered}/undo`)
  const after = await upload({ csv: row() })
  const mine = await upload({ csv: row() })
  await tape.act('an import waits for the undo that was asked for before', () => applyImport(tape.t, after))
  await tape.act('the undo runs', () => applyUndo(tape.t, ordered))
  await tape.act('an import waits for an earlier one of the same person', () => applyImport(tape.t, mine))
  await tape.act('the earlier one runs', () => applyImport(tape.t, after))
  await tape.act('the later one runs', () => applyImport(tape.t, mine))
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
