import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
})
afterAll(() => t.close())

const item = async (columns: Parameters<typeof stockItems>[3]) => (await stockItems(t.db, shop, 1, columns))[0]!
const ask = async (lines: string[] | { lines: string[] }) => {
  const { status, body } = await staff.post('/api/stock/quick-order-find', lines)
  expect(status).toBe(200)
  const data = body.data as { id: number; line: string; sellable: boolean; reason: string | null }[]
  return { ids: data.map((row) => row.id), data, not_found: body.not_found, duplicates: body.duplicates }
}

test('an IMEI is found in its 14-, 15- and 16-digit forms, whichever is stored and however it is typed', async () => {
  for (const stored of [14, 15, 16]) {
    const first = newImei().slice(0, 14)
    const forms = { 14: first, 15: first + luhnCheckDigit(first), 16: `${first}07` }
    const id = await item({ imei: forms[stored as 14 | 15 | 16] })
    for (const form of Object.values(forms))
      for (const line of [form, ` ${form} `, form.replace(/^(..)(.{6})/, '$1-$2 ')])
        expect((await ask([line])).ids, `${line} for a stored ${stored}`).toEqual([id])
  }
})

test('answers come in the order of the lines, with misses, duplicates and blank lines told apart', async () => {
  const imei = newImei()
  const a = await item({ imei, serial_number: 'Serial-1' })
  const b = await item({ imei: null, serial_number: 'XB12' })
  const c = await item({ imei: newImei(), backstock_id: 'BS-0003' })
  const answer = await ask({
    lines: ['bs-0003', '', 'nothing', 'x-b 12', '  ', imei, imei.slice(0, 14), 'SERIAL-1', 'xb12'],
  })
  expect(answer.ids).toEqual([c, b, a])
  expect(answer.data.map((row) => row.line)).toEqual(['bs-0003', 'x-b 12', imei])
  expect(answer.not_found).toEqual(['nothing'])
  expect(answer.duplicates).toEqual([imei.slice(0, 14), 'SERIAL-1', 'xb12'])
  expect((await ask([])).ids).toEqual([])
})

test('the number on a label is found as its item, and nothing else is', async () => {
  const [imei, other] = [newImei(), newImei()]
  const [a, b] = [await item({ imei }), await item({ imei: other })]
  const answer = await ask([`#${b}`, ` # ${a} `, imei, `#${b}`, '#999999999', '#0', '#9999999999', String(a)])
  expect(answer.ids).toEqual([b, a])
  expect(answer.data.map((row) => row.line)).toEqual([`#${b}`, `# ${a}`])
  expect([answer.duplicates, answer.not_found]).toEqual([
    [imei, `#${b}`],
    ['#999999999', '#0', '#9999999999', String(a)],
  ])
  // A Backstock ID may look like an item's number. Then both items are listed, the one in stock first.
  const named = await item({ imei: newImei(), backstock_id: `#${a}` })
  expect((await ask([`#${a}`])).ids).toEqual([named, a])
})

test('a line that is not found comes once; each further time it is a duplicate', async () => {
  const imei = newImei()
  await item({ imei })
  const answer = await ask(['nope-1', imei, 'NOPE 1', 'nope-1', 'other'])
  expect([answer.not_found, answer.duplicates]).toEqual([
    ['nope-1', 'other'],
    ['NOPE 1', 'nope-1'],
  ])
})

test('a mistyped IMEI means no other phone, and may still be a serial number', async () => {
  const imei = newImei()
  const id = await item({ imei })
  const mistyped = imei.slice(0, 14) + ((Number(imei[14]) + 1) % 10)
  for (const line of [mistyped, `IMEI: ${mistyped}`, mistyped.replace(/^(..)(.{6})/, '$1-$2 ')]) {
    const { ids, not_found } = await ask([line])
    expect([ids, not_found]).toEqual([[], [line]])
  }
  const returned = (await staff.post('/api/return/look-up', { lines: [mistyped] })).body
  expect(returned).toMatchObject({ data: [], not_found: [mistyped] })
  const tablet = await item({ imei: null, serial_number: mistyped })
  expect((await ask([mistyped, imei])).ids).toEqual([tablet, id])
})

test('a line that means two items returns both', async () => {
  const imei = newImei()
  const [phone, tablet] = [await item({ imei }), await item({ imei: null, serial_number: imei })]
  expect((await ask([imei])).ids).toEqual([phone, tablet])
})

test('if a line means several items, those with a better kind of identifier come first', async () => {
  const [meid, eid] = ['A10000FEDCBA98', '89049032'.padEnd(32, '7')]
  const made = async (...kinds: Parameters<typeof item>[0][]) => {
    const ids: number[] = []
    for (const kind of kinds) ids.push(await item({ imei: newImei(), ...kind }))
    return ids
  }
  const ofMeid = await made({ serial_number: meid }, { backstock_id: meid }, { meid })
  const ofEid = await made({ serial_number: eid }, { backstock_id: eid }, { eid })
  expect((await ask([meid.toLowerCase(), eid])).ids).toEqual([...ofMeid, ...ofEid])
})

test('an item that came back is shown with what left under its IMEI, Deleted ones if nothing else matches', async () => {
  const imei = newImei()
  const gone = { in_hand: false, imei }
  const deleted = await item({ ...gone, status: 'Deleted' })
  expect((await ask([imei])).ids).toEqual([deleted])
  const returned = await item({ ...gone, status: 'Returned to Supplier' })
  const answer = await ask([imei])
  expect([answer.ids, answer.data[0]!.sellable, answer.data[0]!.reason]).toEqual([[returned], false, NOT_SELLABLE])
  const bought = await item({ imei })
  const both = (await ask([imei])).data
  expect(both.map((row) => [row.id, row.sellable])).toEqual([
    [bought, true],
    [returned, false],
  ])
})

test('an item that many lines mean, far from each other, comes once, with the first of them', async () => {
  const imei = newImei()
  const a = await item({ imei, serial_number: 'FAR-1' })
  const b = await item({ imei: newImei(), serial_number: 'FAR-2' })
  const misses = Array.from({ length: 300 }, (_, n) => `MISS-${n}`)
  const answer = await ask([imei, ...misses, 'far-2', 'FAR-1'])
  expect(answer.data.map(({ id, line }) => ({ id, line }))).toEqual([
    { id: a, line: imei },
    { id: b, line: 'far-2' },
  ])
  expect(answer.duplicates).toEqual(['FAR-1'])
  expect(answer.not_found).toEqual(misses)
})

test('a line that is too long for an identifier finds nothing, and the others are found', async () => {
  const imei = newImei()
  const id = await item({ imei })
  const prose = 'please send these '.repeat(30).trim()
  const long = 'please send these '.repeat(100)
  const answer = await ask([prose, long, imei])
  const told = `${'please send these '.repeat(4).slice(0, 60)}… More than 1,000 characters: paste one identifier on each line.`
  expect([answer.ids, answer.not_found]).toEqual([[id], [prose, told]])
  const returned = (await staff.post('/api/return/look-up', { lines: [long] })).body
  expect(returned.not_found).toEqual([told])
})

test('five thousand lines are taken, empty ones beside them, and one more is refused', async () => {
  const lines = Array.from({ length: 5001 }, (_, n) => `L${n}`)
  expect((await ask([...lines.slice(1), '', ' - '])).not_found).toHaveLength(5000)
  expect((await staff.post('/api/stock/quick-order-find', lines)).status).toBe(422)
})
