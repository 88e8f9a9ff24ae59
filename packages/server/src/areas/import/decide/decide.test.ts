import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlannedRow } from '../../../db/preview-columns.ts'
import { full } from '../../../testing/turns.ts'
import { NEW_ITEM } from '../../stock/columns.ts'
import { IDENTIFIER_KINDS, IDENTIFIERS, identifierKey, identifiersOf } from '../../stock/identifier-kinds.ts'
import { productKey } from '../read/described-product.ts'
import { MAX_FURTHER_COLUMNS, type ParsedRow, parseRow, targetsOf } from '../read/parse-row.ts'
import { type CurrentItem, chooseItem, type FoundItem, meantRow, restOf } from './choose-item.ts'
import { decideRows, type Earlier, type Known, NOTHING_EARLIER, nothingSeen } from './decide-rows.ts'
import type { Decision, KnownProduct, KnownSupplier, NamedRecord } from './decision.ts'
import { furtherColumnErrors, hasFurtherColumns } from './further-columns.ts'
import { otherThanPlanned, plannedOf } from './planned-row.ts'

// Tests decisions about rows without a database: each test provides the items.

const imeiOf = (n: number) => {
  const first14 = `35000000000${String(n).padStart(3, '0')}`
  return first14 + luhnCheckDigit(first14)
}
const [A, B, C] = [imeiOf(1), imeiOf(2), imeiOf(3)]

const TODAY = '2026-11-28'

const isInHand = (status: StockStatus) => status === 'Inbound' || status === 'In Stock' || status === 'In Batch'

type Columns = Partial<CurrentItem['row']>
const IPHONE = { make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB', colour: null } as const
const PRODUCT = { ...IPHONE, category: 'Phones', display_name: 'Apple iPhone 13 128 GB' } as const

/** An item of a shop. It is In Stock unless `columns` has another status. */
function item(id: number, columns: Columns = {}, more: Partial<CurrentItem> = {}): CurrentItem {
  const status = columns.status ?? 'In Stock'
  const row: CurrentItem['row'] = {
    ...NEW_ITEM,
    ...{
      id,
      status,
      actual_product_id: 1,
      partner_id: null,
      supplier_return_id: null,
      supplier_credit: 0,
      sale_id: null,
      in_hand: isInHand(status),
      cost: 0,
    },
    ...{ purchase_currency: 'EUR', sales_currency: 'EUR', grading_data: {}, attributes: {} },
    ...{ created_at: '2026-11-01T00:00:00Z', updated_at: '2026-11-01T00:00:00Z' },
    ...columns,
  }
  return { row, product: PRODUCT, supplier: null, vat: null, grade: null, batchName: null, batch: undefined, ...more }
}

type Shop = {
  items?: CurrentItem[]
  update?: boolean
  partnerId?: number | null
  earlier?: Partial<Earlier>
  suppliers?: KnownSupplier[]
  vats?: NamedRecord[]
  grades?: NamedRecord[]
}

function parsed(text: string, namesItems = true): ParsedRow[] {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','))
  return rows.map((cells, n) => parseRow(targetsOf(header), { line: n + 2, cells }, namesItems))
}

/**
 * The items that the database would find: for each identifier the item in stock, and for updates the newest one that
 * has left.
 */
function found({ values }: ParsedRow, items: readonly CurrentItem[], update: boolean): FoundItem[] {
  return IDENTIFIER_KINDS.flatMap((kind): FoundItem[] => {
    const wanted = values[IDENTIFIERS[kind].column]
    const [first] = items
      .filter(({ row }) => row.in_hand || update)
      .filter(({ row }) => wanted !== undefined && identifiersOf(row).has(identifierKey(kind, wanted)))
      .sort((a, b) => Number(b.row.in_hand) - Number(a.row.in_hand) || b.row.id - a.row.id)
    return first ? [{ kind, stock_id: first.row.id, in_hand: first.row.in_hand }] : []
  })
}

async function decided(file: string | ParsedRow[], shop: Shop = {}): Promise<Decision[]> {
  const { items = [], update = true, partnerId = null, earlier, suppliers = [], vats = [], grades = [] } = shop
  const rows = typeof file === 'string' ? parsed(file, update && partnerId === null) : file
  const named =
    <Named extends NamedRecord>(records: Named[]) =>
    (name: string) =>
      records.filter((one) => one.name === name)
  const known: Known = {
    suppliers: named(suppliers),
    vats: named(vats),
    grades: named(grades),
    today: TODAY,
    products: new Map([[productKey({ ...IPHONE, category: null }), { id: 1, display_name: PRODUCT.display_name }]]),
  }
  return decideRows(meantRows(rows, items, update, partnerId), known, { ...NOTHING_EARLIER, ...earlier })
}

function meantRows(rows: ParsedRow[], items: readonly CurrentItem[], update: boolean, partnerId: number | null = null) {
  const current = new Map(items.map((one) => [one.row.id, one]))
  return rows.map((row) => {
    const matches = found(row, items, update)
    const meant = meantRow(row, matches, chooseItem(row.values, matches, update), current, partnerId)
    const rest = restOf(meant)
    return { ...meant, found: [...meant.found, ...found({ ...row, values: rest }, items, false)] }
  })
}

const errorsOf = (decision: Decision | undefined) => (decision?.kind === 'failed' ? decision.errors : decision?.kind)
/** The decision about the last row of a file, or about its only row. */
const last = async (file: string, shop?: Shop) => (await decided(file, shop)).at(-1)!
const outcome = async (file: string, shop?: Shop) => errorsOf(await last(file, shop))

const HEAD = 'imei,make,model,capacity,capacity_unit,purchase_price'
const PHONE = 'Apple,iPhone 13,128,GB,100'

test('a new item has what its row says, and for the rest what new items have', async () => {
  const [first, second] = await decided(
    `${HEAD},status,grading_Screen,Box\n${A},${PHONE},,,\n${B},${PHONE},In Stock,B,yes`,
  )
  expect(first).toMatchObject({
    kind: 'create',
    wanted: { ...NEW_ITEM, imei: A, actual_product_id: 1, purchase_price: 10_000, status: 'Inbound', in_hand: true },
    product: { id: 1 },
    newProduct: null,
  })
  expect(second).toMatchObject({
    wanted: {
      status: 'In Stock',
      batch_id: null,
      sale_id: null,
      grading_data: { Screen: 'B' },
      attributes: { Box: 'yes' },
    },
  })
})

test.each([
  [
    'imei\n1',
    {
      imei: 'An IMEI has 14 to 16 digits; this one has 1.',
      make: expect.any(String),
      model: expect.any(String),
      purchase_price: 'This field is required.',
    },
  ],
  [
    `make,model,purchase_price\nApple,iPhone 13,1`,
    { imei: 'An IMEI or a serial number is needed.', category: 'A new product needs a category.' },
  ],
  [`${HEAD}\n${A},Apple,iPhone 13,128,,1`, { capacity_unit: 'Enter both capacity and unit, or neither.' }],
  [`${HEAD}\n${A},Apple,iPhone 13,,GB,1`, { capacity: 'Enter both capacity and unit, or neither.' }],
  [`${HEAD},status\n${A},${PHONE},Sold`, { status: 'A new item is Inbound or In Stock.' }],
  [`${HEAD},status\n${A},${PHONE},Nowhere`, { status: 'A new item is Inbound or In Stock.' }],
  [`${HEAD}\n${A},Apple,iPhone 99,128,GB,1`, { category: 'A new product needs a category.' }],
])('%j makes no item', async (file, errors) => {
  expect(await outcome(file)).toEqual(errors)
})

test('a product that an earlier row describes is known to later ones, in any case of its name', async () => {
  const file = `${HEAD},category\n${A},Zeta,Near,64,GB,1,Phones\n${B},ZETA,near,64,GB,1,\n${C},Zeta,Far,64,GB,1,`
  const [first, second, third] = await decided(file)
  const near = { make: 'Zeta', model: 'Near', capacity: 64, capacity_unit: 'GB', colour: null, category: 'Phones' }
  expect(first).toMatchObject({ kind: 'create', newProduct: near, product: { id: 0 } })
  expect(second).toMatchObject({ kind: 'create', newProduct: near })
  expect(errorsOf(third)).toEqual({ category: 'A new product needs a category.' })
})

test('a day after tomorrow is no date of purchase, unless the item has it already', async () => {
  const file = (day: string) => `${HEAD},purchase_date\n${A},${PHONE},${day}`
  expect(await outcome(file('2026-11-29'))).toBe('create')
  const refused = { purchase_date: 'Must not be in the future.' }
  for (const day of ['2026-11-30', '30/11/2026', '2062-11-28']) expect(await outcome(file(day))).toEqual(refused)
  const shop = { items: [item(5, { imei: A, purchase_date: '2062-11-28' })] }
  expect(await outcome(`imei,purchase_date\n${A},2062-11-28`, shop)).toBe('update')
  expect(await outcome(`imei,purchase_date\n${A},2062-11-29`, shop)).toEqual(refused)
  // Every error of a row is told at once, also if the row means two items.
  const two = { items: [...shop.items, item(6, { imei: B })] }
  expect(await outcome(`imei,imei2,purchase_date\n${A},${B},2062-11-29`, two)).toMatchObject({
    ...refused,
    imei2: expect.any(String),
  })
})

test('a name means the one record that has it; of several only the one that the item has already', async () => {
  const vats = [1, 2].map((id) => ({ id, name: 'Standard' }))
  const suppliers = [
    { id: 7, name: 'Supply' },
    { id: 8, name: 'Twin' },
    { id: 9, name: 'Twin' },
  ].map((one) => ({ ...one, purchase: 'margin' as const }))
  const shop = {
    vats,
    suppliers,
    items: [item(5, { imei: A, vat_id: 2, supplier_id: 9 }, { vat: 'Other', supplier: 'Old' })],
  }
  expect(await last(`imei,vat,supplier\n${A},Standard,Twin`, shop)).toMatchObject({
    wanted: { vat_id: 2, supplier_id: 9 },
  })
  // A new item is bought as its supplier sells. An item that the shop has was bought in another way, and that stays.
  expect(await last(`${HEAD},supplier\n${B},${PHONE},Supply`, shop)).toMatchObject({
    wanted: { supplier_id: 7, purchase_treatment: 'margin' },
  })
  expect(await last(`imei,supplier\n${A},Supply`, shop)).toMatchObject({
    wanted: { supplier_id: 7, vat_id: 2, purchase_treatment: 'unknown' },
    supplier: 'Supply',
    vat: 'Other',
  })
  expect(await last(`imei\n${A}`, shop)).toMatchObject({ supplier: 'Old', vat: 'Other' })
  const errors = await outcome(`${HEAD},vat,supplier\n${B},${PHONE},Standard,Twin`, shop)
  expect(errors).toEqual({
    vat: 'More than one VAT type is called Standard.',
    supplier: 'More than one supplier is called Twin.',
  })
  expect(await outcome(`${HEAD},vat,supplier\n${B},${PHONE},None,Nobody`, shop)).toEqual({
    vat: 'There is no VAT type called None.',
    supplier: 'There is no supplier called Nobody.',
  })
})

test('without updates a row is new, and fails if its identifiers are in hand', async () => {
  const items = [item(5, { imei: A, serial_number: 'x1x1', backstock_id: 'B-1' }), item(6, { imei: B, status: 'Sold' })]
  const shop = { items, update: false }
  expect(await outcome(`${HEAD},serial_number,backstock_id\n${A},${PHONE},X1X1,b-1`, shop)).toEqual({
    imei: 'Item #5 already has this IMEI.',
    serial_number: 'Item #5 already has this serial number.',
    backstock_id: 'Item #5 already has this Backstock ID.',
  })
  expect(await outcome(`backstock_item,${HEAD}\n5,${B},${PHONE}`, shop)).toBe('create')
})

test('an identifier comes once in a file, in whichever form, and in its earlier parts', async () => {
  const twice = `${HEAD},serial_number\n${A},${PHONE},SN-1\n${A.slice(0, 14)},${PHONE},sn-1`
  expect(await outcome(twice)).toEqual({
    imei: 'This IMEI is already in this file, row 2.',
    serial_number: 'This serial number is already in this file, row 2.',
  })
  const made = { items: new Map([[5, 900]]) }
  expect(
    await outcome(`${HEAD}\n${A},${PHONE}`, { update: false, items: [item(5, { imei: A })], earlier: made }),
  ).toEqual({
    imei: 'This IMEI is already in this file, row 900.',
  })
  // A failed row takes no identifier from the next one.
  expect(await outcome(`${HEAD}\n${A},Apple,iPhone 13,128,GB,\n${A},${PHONE}`)).toBe('create')
})

test('an item is changed once in a file; a row that failed keeps it from later rows', async () => {
  const items = [item(5, { imei: A, serial_number: 'SN-5' })]
  expect(await outcome(`imei,serial_number,sales_price\n${A},,1\n,SN-5,2`, { items })).toEqual({
    serial_number: 'This serial number is already in this file, row 2.',
  })
  expect(await outcome(`backstock_item,imei,sales_price\n5,${A},1\n5,${A},2`, { items })).toEqual({
    backstock_item: 'Item #5 is already in this file, row 2.',
  })
  const [failed, second] = await decided(`imei,sales_price\n${A},x\n${A},2`, { items })
  expect(failed).toMatchObject({ kind: 'failed', blockedItem: 5 })
  expect(second).toEqual({
    kind: 'failed',
    blockedItem: null,
    errors: { imei: 'This IMEI is already in this file, row 2.' },
  })
  const earlier = { items: new Map([[5, 77]]) }
  expect(await last(`imei,sales_price\n${A},2`, { items, earlier })).toEqual({
    kind: 'failed',
    blockedItem: null,
    errors: { imei: 'This IMEI is already in this file, row 77.' },
  })
})

test('an identifier that a row takes off an item goes to no other, and leads to none that has left', async () => {
  const items = [
    item(5, { imei: A, serial_number: 'SN-5' }),
    item(6, { imei: B, serial_number: 'SN-6' }),
    item(4, { imei: C, status: 'Deleted' }),
  ]
  const [first, second] = await decided(`serial_number,imei\nSN-5,\nSN-6,`, { items })
  expect([first, second]).toMatchObject([
    { kind: 'update', freed: [] },
    { kind: 'update', freed: [] },
  ])
  expect(await last(`backstock_item,imei,serial_number\n5,${A},SN-7`, { items })).toMatchObject({ freed: ['sSN-5'] })
  const again = `backstock_item,imei,serial_number\n5,${A},SN-7\n,,SN-5`
  expect(await outcome(again, { items })).toEqual({
    serial_number: 'This serial number is already in this file, row 2.',
  })
  const freed = new Map([
    ['sSN-5', 9],
    [`i${C.slice(0, 14)}`, 8],
  ])
  const without5 = { items: items.slice(1), earlier: { freed } }
  expect(await outcome(`${HEAD},serial_number\n${A},${PHONE},sn-5`, without5)).toEqual({
    serial_number: 'This serial number is already in this file, row 9.',
  })
  expect(await outcome(`imei,sales_price\n${C},1`, without5)).toEqual({
    imei: 'This IMEI is already in this file, row 8.',
  })
  expect(await outcome(`backstock_item,imei,sales_price\n4,${C},1`, without5)).toBe('update')
  // A deleted item keeps its identifiers. But they may now lead to another item that has left.
  const [a, c] = [`i${A.slice(0, 14)}`, `i${C.slice(0, 14)}`]
  expect(await last(`imei,status\n${A},Deleted`, { items })).toMatchObject({ freed: [a, 'sSN-5'] })
  expect(await last(`imei,status\n${C},In Stock`, { items })).toMatchObject({ freed: [c] })
  expect(await last(`imei,serial_number\n${C},SN-8`, { items })).toMatchObject({ kind: 'update', freed: ['sSN-8'] })
})

test('an IMEI that a row replaces on a phone that comes back is of no account', async () => {
  // Item 4 and item 5 had the same IMEI. Row 2 deletes item 5; row 3 brings item 4 back with another IMEI.
  const items = [item(4, { imei: A, backstock_id: 'B-4', status: 'Deleted' }), item(5, { imei2: A })]
  const back = `imei,backstock_id,status\n${A},,Deleted\n${B},B-4,In Stock`
  const [, whole] = await decided(back, { items })
  expect(whole).toMatchObject({ kind: 'update', wanted: { imei: B, in_hand: true } })
  // The identifier that the item keeps must be free, too.
  expect(await outcome(`backstock_id,status\nB-4,In Stock`, { items })).toEqual({
    imei: 'Item #5 already has this IMEI.',
  })
})

test('an update says only what changes; another form of an IMEI keeps the check digit', async () => {
  const before = { imei: A, purchase_price: 500, engineer_notes: 'old', grading_data: { a: '1', n: 5, o: { x: 1 } } }
  const items = [item(5, before)]
  expect(await last(`imei,sales_price\n${A.slice(0, 14)},2`, { items })).toMatchObject({
    kind: 'update',
    wanted: { imei: A, sales_price: 200, purchase_price: 500, engineer_notes: 'old', actual_product_id: 1 },
    freed: [],
  })
  const same = await last(`imei,grading_a,grading_n,grading_o\n${A},1,5,{"x":1}`, { items })
  expect(same.kind === 'update' && same.wanted.grading_data).toBe(items[0]!.row.grading_data)
  expect(await last(`imei,grading_a,grading_n\n${A},2,5`, { items })).toMatchObject({
    wanted: { grading_data: { a: '2', n: 5, o: { x: 1 } } },
  })
  expect(
    await last(`backstock_item,serial_number,imei\n5,SN-1,${B}`, {
      items: [item(5, { imei: A, serial_number: 'SN-1' })],
    }),
  ).toMatchObject({
    errors: { serial_number: `Item #5 has this serial number, but its IMEI is ${A} and not ${B}.` },
  })
})

test.each([
  [{ status: 'In Stock' }, 'Deleted', { status: 'Deleted', in_hand: false, batch_id: null }],
  [{ status: 'In Batch', batch_id: 3 }, 'Deleted', { status: 'Deleted', in_hand: false, batch_id: null }],
  [{ status: 'Inbound' }, 'In Stock', { status: 'In Stock', in_hand: true }],
  [{ status: 'Deleted' }, 'In Stock', { status: 'In Stock', in_hand: true, sale_id: null }],
  [{ status: 'Deleted', batch_id: 3 }, 'In Stock', { status: 'In Batch', in_hand: true, batch_id: 3 }],
  [{ status: 'In Batch', batch_id: 3 }, 'In Batch', { status: 'In Batch', in_hand: true, batch_id: 3 }],
] as const)('an item that is %j may become %s', async (before, status, wanted) => {
  const items = [item(5, { imei: A, ...before }, { batch: { id: 3, is_locked: false } })]
  expect(await last(`imei,status\n${A},${status}`, { items })).toMatchObject({ kind: 'update', wanted })
})

test('an item that is deleted stays in a locked batch', async () => {
  const items = [item(5, { imei: A, status: 'In Batch', batch_id: 3 }, { batch: { id: 3, is_locked: true } })]
  expect(await last(`imei,status\n${A},Deleted`, { items })).toMatchObject({ wanted: { batch_id: 3, in_hand: false } })
})

test.each([
  ['In Stock', 'In Batch'],
  ['In Stock', 'Sold'],
  ['Sold', 'Deleted'],
  ['Deleted', 'Sold'],
] as const)('an item that is %s cannot become %s', async (before, status) => {
  const items = [item(5, { imei: A, status: before })]
  expect(await outcome(`imei,status\n${A},${status}`, { items })).toEqual({
    status: `An item that is ${before} cannot become ${status}.`,
  })
})

test.each(['Sold', 'Returned to Supplier'] as const)(
  'what an invoice rests on stays on an item that is %s',
  async (status) => {
    const columns = { imei: A, serial_number: 'SN-5', status, purchase_price: 100, vat_id: 1, backstock_id: null }
    const shop = {
      items: [item(5, columns)],
      vats: [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two' },
      ],
    }
    const message = `Cannot be changed: item #5 is ${status}.`
    const head =
      'backstock_item,imei,serial_number,purchase_price,vat,backstock_id,make,model,capacity,capacity_unit,category,engineer_notes'
    expect(await outcome(`${head}\n5,${A},SN-6,2,Two,B-1,Apple,iPhone 99,1,TB,Phones,x`, shop)).toEqual({
      model: `The product cannot be changed: item #5 is ${status}.`,
      vat: message,
      backstock_id: message,
      serial_number: message,
      purchase_price: message,
    })
    expect(await last(`${head}\n5,${A.slice(0, 14)},sn-5,1,One,,Apple,iPhone 13,128,GB,,x`, shop)).toMatchObject({
      kind: 'update',
      wanted: { imei: A, serial_number: 'SN-5', engineer_notes: 'x', actual_product_id: 1 },
    })
  },
)

test('a product is described by what the row says over what the item is', async () => {
  const items = [item(5, { imei: A })]
  const said = { ...IPHONE, colour: 'Red', category: 'Phones' }
  expect(await last(`imei,colour\n${A},Red`, { items })).toMatchObject({ newProduct: said, product: { id: 0 } })
  expect(await last(`imei,category\n${A},Tablets`, { items })).toMatchObject({
    newProduct: null,
    product: { id: 1, display_name: PRODUCT.display_name },
  })
  expect(await last(`imei,model\n${A},iPhone 13`, { items })).toMatchObject({
    newProduct: null,
    wanted: { actual_product_id: 1 },
  })
  const bare = [item(5, { imei: A }, { product: { ...PRODUCT, capacity: null, capacity_unit: null } })]
  const both = 'Enter both capacity and unit, or neither.'
  expect(await outcome(`imei,capacity\n${A},64`, { items: bare })).toEqual({ capacity_unit: both })
  expect(await outcome(`imei,capacity_unit\n${A},GB`, { items: bare })).toEqual({ capacity: both })
})

test('a cell that equals the item’s value counts as empty, even if it could not be read', async () => {
  const items = [item(5, { imei: A, serial_number: 'N/A', purchase_price: 24_990, engineer_notes: ' kept ' })]
  const head = 'backstock_item,imei,serial_number,purchase_price,engineer_notes,status,network_locked'
  const decision = await last(`${head}\n5,${A},N/A,249.90,kept,In Stock,false`, { items })
  expect(decision).toMatchObject({ kind: 'update', wanted: { serial_number: 'N/A', engineer_notes: ' kept ' } })
  const broken = [item(5, { imei: A, backstock_id: '1E+5' })]
  expect(await outcome(`backstock_item,imei,backstock_id\n5,${A},1E+5`, { items: broken })).toBe('update')
  expect(await outcome(`backstock_item,imei,backstock_id\n5,${A},1E+6`, { items: broken })).toHaveProperty(
    'backstock_id',
  )
})

test('a row with several identifiers means the item that all of them lead to', async () => {
  const items = [item(5, { imei: A, backstock_id: 'B-5' }), item(6, { imei: B, serial_number: 'SN-6' })]
  expect(await last(`backstock_id,imei,sales_price\nB-5,${A},1`, { items })).toMatchObject({ item: { row: { id: 5 } } })
  expect(await outcome(`backstock_id,imei,sales_price\nB-5,${B},1`, { items })).toEqual({
    imei: 'This IMEI belongs to item #6, but the Backstock ID to item #5.',
  })
  expect(await last(`backstock_id,imei\nB-5,${B}`, { items })).toMatchObject({ blockedItem: null })
  expect(await outcome(`serial_number,imei\nSN-6,${C}`, { items })).toEqual({
    serial_number: `Item #6 has this serial number, but its IMEI is ${B} and not ${C}.`,
  })
  expect(await outcome(`serial_number,imei,backstock_item\nSN-6,${C},6`, { items })).toHaveProperty('serial_number')
  const noImei = [item(6, { serial_number: 'SN-6' })]
  expect(await last(`serial_number,imei\nSN-6,${C}`, { items: noImei })).toMatchObject({
    kind: 'update',
    wanted: { imei: C },
  })
})

test.each([
  ['Sold', 'In Stock', 'create'],
  ['Sold', 'Inbound', 'create'],
  ['Sold', '', 'update'],
  ['Sold', 'Sold', 'update'],
  ['Returned to Supplier', 'In Stock', 'create'],
  ['Deleted', 'In Stock', 'update'],
  ['In Stock', 'In Stock', 'update'],
] as const)('of a phone that is %s, a row with status %j makes: %s', async (before, status, kind) => {
  const items = [item(5, { imei: A, status: before })]
  expect(await outcome(`${HEAD},status\n${A},Apple,iPhone 13,128,GB,0,${status}`, { items })).toBe(kind)
})

test('a row that names its item must have an identifier of it, and none that only another has', async () => {
  const items = [item(5, { imei: A, backstock_id: 'B-5' }), item(6, { imei: B }), item(4, { imei: A, status: 'Sold' })]
  const named = (cells: string) => outcome(`backstock_item,backstock_id,imei,sales_price\n${cells},1`, { items })
  expect(await named(`5,B-5,`)).toBe('update')
  expect(await named(`4,,${A}`)).toBe('update')
  const another = "the file may be another shop's."
  expect(await named(`9,B-5,`)).toEqual({ backstock_item: `There is no item #9: ${another}` })
  expect(await named(`5,B-6,`)).toEqual({ backstock_item: `Item #5 has none of this row's identifiers: ${another}` })
  expect(await named(`5,B-5,${B}`)).toEqual({ imei: 'This IMEI belongs to item #6, but the row names item #5.' })
  expect(await named(`6,B-5,${B}`)).toEqual({
    backstock_id: 'This Backstock ID belongs to item #5, but the row names item #6.',
  })
})

const OWN = { partner_id: 1 }
const THEIRS = { partner_id: 2 }
test.each([
  ['an own item in hand', { ...OWN }, 'sales_price', '1', 'update'],
  ['an own item that was taken out', { ...OWN, status: 'Deleted' }, 'status', 'In Stock', 'update'],
  ['an own item that was taken out, again', { ...OWN, status: 'Deleted' }, 'status', 'Deleted', 'update'],
  ['an own item that was sold', { ...OWN, status: 'Sold' }, 'sales_price', '1', 'update'],
  [
    'another’s item in hand',
    THEIRS,
    'sales_price',
    '1',
    { imei: 'An item with this IMEI is in stock, but it is not yours to change.' },
  ],
  [
    'nobody’s item in hand',
    {},
    'status',
    'Deleted',
    { imei: 'An item with this IMEI is in stock, but it is not yours to change.' },
  ],
] as const)('a partner may change only own items: %s', async (_, columns, column, cell, result) => {
  const items = [item(5, { imei: A, ...columns })]
  expect(await outcome(`imei,${column}\n${A},${cell}`, { items, partnerId: 1 })).toEqual(result)
})

test('a partner learns nothing of others’ items, and brings back own ones as new', async () => {
  const items = [item(5, { imei: A, ...OWN }), item(6, { imei: B, backstock_id: 'B-6', ...THEIRS })]
  const shop = { items, partnerId: 1 }
  expect(await outcome(`backstock_id,imei\nB-6,${A}`, shop)).toEqual({
    backstock_id: 'The identifiers of this row belong to different items.',
  })
  for (const status of ['', 'Inbound'])
    expect(
      await outcome(`${HEAD},status\n${A},${PHONE},${status}`, {
        ...shop,
        items: [item(5, { imei: A, status: 'Deleted', ...OWN })],
      }),
    ).toBe('create')
  expect(await outcome(`imei,status\n${C},Deleted`, shop)).toEqual({ imei: 'You have no such item.' })
  expect(await outcome(`serial_number,status\nSN-9,Deleted`, shop)).toEqual({ serial_number: 'You have no such item.' })
  expect(await outcome(`status\nDeleted`, shop)).toEqual({ imei: 'You have no such item.' })
  const gone = [
    item(5, { imei: A, status: 'Deleted', ...OWN }),
    item(6, { serial_number: 'SN-6', status: 'Sold', ...OWN }),
  ]
  expect(await outcome(`${HEAD},serial_number\n${A},${PHONE},SN-6`, { items: gone, partnerId: 1 })).toBe('create')
  const others = [item(5, { imei: A, status: 'Sold', ...THEIRS })]
  expect(await outcome(`${HEAD}\n${A},${PHONE}`, { items: others, partnerId: 1 })).toBe('create')
})

test('new further columns go in as long as the shop has room, and a partner its share', () => {
  const rows = parsed('imei,grading_a,b,c\n1,x,x,x\n1,,x,\n1,,,')
  expect(rows.map(hasFurtherColumns)).toEqual([true, true, false])
  const known = (n: number, partner_id: number | null = null) =>
    Array.from({ length: n }, (_, i) => ({ kind: 'attribute' as const, name: `old ${i}`, partner_id }))
  const refused = (columns: Parameters<typeof furtherColumnErrors>[1], partnerId: number | null = null) => {
    const errors = furtherColumnErrors(rows, columns, partnerId)
    return rows.map((row) => Object.keys(errors(row)))
  }
  expect(refused(known(MAX_FURTHER_COLUMNS - 3))).toEqual([[], [], []])
  expect(refused(known(MAX_FURTHER_COLUMNS - 2))).toEqual([['c'], [], []])
  expect(refused(known(MAX_FURTHER_COLUMNS + 5))).toEqual([['grading_a', 'b', 'c'], ['b'], []])
  expect(refused([...known(MAX_FURTHER_COLUMNS), { kind: 'grading', name: 'a', partner_id: null }])).toEqual([
    ['b', 'c'],
    ['b'],
    [],
  ])
  expect(refused(known(198, 1), 1)).toEqual([['c'], [], []])
  expect(refused(known(198, 2), 1)).toEqual([[], [], []])
  const message = (columns: ReturnType<typeof known>, partnerId: number | null) =>
    furtherColumnErrors(rows, columns, partnerId)(rows[0]!)['c']
  expect(message(known(1000), null)).toBe('There are 1,000 further columns already, and this would be one more.')
  expect(message(known(1000, 1), 1)).toBe('There are 1,000 further columns already, and this would be one more.')
  expect(message(known(200, 1), 1)).toBe('You have added 200 further columns already, and this would be one more.')
  const proto = parsed('imei,grading___proto__,__proto__\n1,x,x')
  expect(furtherColumnErrors(proto, [], null)(proto[0]!)).toEqual({ csv: "A column cannot be called '__proto__'." })
})

test('an identifier is refused for what it leads to alone, and one that is not there for nothing', async () => {
  expect(await outcome(`serial_number,make,model,capacity,capacity_unit,purchase_price\nSN-1,${PHONE}`)).toBe('create')
  const items = [item(5, { imei: A, serial_number: 'SN-5', backstock_id: 'B-5' })]
  // A row may correct the IMEI and the serial number together, if the Backstock ID shows which item is meant.
  expect(await last(`backstock_id,imei,serial_number\nB-5,${B},SN-6`, { items })).toMatchObject({
    kind: 'update',
    wanted: { imei: B, serial_number: 'SN-6' },
  })
  expect(await outcome(`${HEAD},serial_number\n${B},${PHONE},SN-5`, { items, update: false })).toEqual({
    serial_number: 'Item #5 already has this serial number.',
  })
  const gone = [item(5, { imei: A, serial_number: 'SN-5', status: 'Deleted' })]
  expect(await last(`imei,serial_number\n${A},SN-6`, { items: gone })).toMatchObject({ kind: 'update' })
})

test('which of a phone’s IMEIs stands first says nothing', async () => {
  const items = [item(5, { imei: A, imei2: B })]
  const row = (imei: string, imei2: string, more: Shop = {}) =>
    last(`imei,imei2,sales_price\n${imei},${imei2},7`, { items, ...more })
  for (const [imei, imei2] of [
    [A, B],
    [B, A],
    [B, ''],
    ['', A],
    [B.slice(0, 14), A],
  ] as const)
    expect(await row(imei, imei2)).toMatchObject({ kind: 'update', wanted: { imei: A, imei2: B }, freed: [] })
  expect(await row(C, A)).toMatchObject({
    kind: 'update',
    wanted: { imei: A, imei2: C },
    freed: [`i${B.slice(0, 14)}`],
  })
  const sold = [item(5, { imei: A, imei2: B, status: 'Sold' })]
  expect(await row(B, A, { items: sold })).toMatchObject({ kind: 'update', wanted: { imei: A, imei2: B } })
  const serial = [item(5, { imei: A, imei2: B, serial_number: 'SN-9' })]
  expect(await last(`imei,serial_number\n${B},SN-9`, { items: serial })).toMatchObject({ kind: 'update' })
  expect(await last(`backstock_item,imei\n5,${B}`, { items })).toMatchObject({ kind: 'update', wanted: { imei: A } })
})

test('no two phones have an IMEI in common, and one phone may have the same twice', async () => {
  const head = `imei2,${HEAD}`
  expect(await outcome(`${head}\n${A},${A},${PHONE}`)).toBe('create')
  expect(await outcome(`${head}\n${A},${B},${PHONE}\n${C},${A},${PHONE}`)).toEqual({
    imei: 'This IMEI is already in this file, row 2.',
  })
  const items = [item(5, { imei: B, imei2: A })]
  expect(await outcome(`${head}\n${B},${C},${PHONE}`, { items, update: false })).toEqual({
    imei2: 'Item #5 already has this IMEI.',
  })
  const two = [item(5, { imei: A }), item(6, { imei: B })]
  expect(await outcome(`imei,imei2\n${A},${B}`, { items: two })).toEqual({
    imei2: 'This IMEI 2 belongs to item #6, but the IMEI to item #5.',
  })
  expect(await outcome(`meid,${HEAD}\nA1000012345678,${A},${PHONE}\na1000012345678,${B},${PHONE}`)).toEqual({
    meid: 'This MEID is already in this file, row 2.',
  })
})

test('a grade is one of the shop’s, and none is guessed', async () => {
  const grades = [{ id: 3, name: 'B' }]
  const row = (grade: string, more: Shop = {}) => last(`grade,${HEAD}\n${grade},${A},${PHONE}`, { grades, ...more })
  expect(await row('B')).toMatchObject({ kind: 'create', wanted: { grade_id: 3 }, grade: 'B' })
  expect(await row('')).toMatchObject({ kind: 'create', wanted: { grade_id: null }, grade: null })
  expect(errorsOf(await row('Grade B'))).toEqual({ grade: 'There is no grade called Grade B.' })
  const items = [item(5, { imei: A, grade_id: 9 }, { grade: 'Z' })]
  expect(await row('', { items })).toMatchObject({ kind: 'update', wanted: { grade_id: 9 }, grade: 'Z' })
})

test('an item that comes back brings the IMEI of its second slot, also if the row replaces its first', async () => {
  const gone = item(5, { imei: B, imei2: B.slice(0, 14), backstock_id: 'B-1', status: 'Deleted' })
  const row = `imei,backstock_id,status\n${A},B-1,In Stock`
  expect(await outcome(row, { items: [gone, item(6, { imei: B })] })).toEqual({
    imei2: 'Item #6 already has this IMEI.',
  })
})

test('a bad status of an item in hand is told as its cell is', async () => {
  const errors = await outcome(`imei,status\n${A},Nowhere`, { items: [item(5, { imei: A })] })
  expect(errors).toEqual({ status: expect.not.stringMatching(/^A new item is/) })
})

test.each(['__proto__', 'grading___proto__'])('no column may be called %s', (name) => {
  const [row] = parsed(`imei,${name}\n1,x`)
  expect(furtherColumnErrors([row!], [], null)(row!)).toEqual({ csv: "A column cannot be called '__proto__'." })
})

test.each(['3', 'S1', '007', '1250', '990.00', '1,250', '12 pcs', '249,90 €'])(
  'the serial number %s finds no phone by itself, and makes none',
  async (serial) => {
    const items = [item(5, { serial_number: serial }), item(6, { imei: A })]
    const weak = {
      serial_number: `'${serial}' does not identify one device: enter the IMEI, or the maker’s serial number.`,
    }
    const rows = (text: string) =>
      parsed(text).map((row) => ({
        ...row,
        cells: { ...row.cells, serial_number: serial },
        values: { ...row.values, serial_number: serial },
        errors: {},
      }))
    const alone = await decided(rows(`serial_number,sales_price\nx,1`), { items })
    expect(errorsOf(alone[0])).toMatchObject(weak)
    const gone = { items: [item(5, { serial_number: serial, status: 'Deleted' as const })] }
    for (const shop of [{ items: [] }, gone, { ...gone, update: false }]) {
      const [made] = await decided(
        rows(`serial_number,make,model,capacity,capacity_unit,purchase_price\nx,${PHONE}`),
        shop,
      )
      expect(errorsOf(made)).toEqual(weak)
    }
    const [own] = await decided(rows(`imei,serial_number\n${A},x`), { items: [item(6, { imei: A })] })
    expect(own).toMatchObject({ kind: 'update', item: { row: { id: 6 } } })
    // Another phone has this serial number, so the row cannot take it.
    const [taken] = await decided(rows(`imei,serial_number\n${A},x`), { items })
    expect(errorsOf(taken)).toEqual({ serial_number: 'Item #5 already has this serial number.' })
    const [exported] = await decided(rows(`backstock_item,serial_number\n5,x`), { items })
    expect(exported).toMatchObject({ kind: 'update', wanted: { serial_number: serial } })
  },
)

test('a partner learns nothing of whoever has its figure as a serial number', async () => {
  const meid = 'A1000012345678'
  const items = [item(5, { serial_number: '3' }), item(6, { meid, status: 'Deleted' })]
  const row = `${HEAD},meid,serial_number\n${A},${PHONE},${meid},3`
  const taken = { serial_number: 'Another item already has this serial number.' }
  expect(await outcome(row, { items, partnerId: 1 })).toEqual(taken)
  expect(await outcome(`${HEAD},serial_number\n${A},${PHONE},3`, { items, partnerId: 1 })).toEqual(taken)
})

const IPHONE_CELLS = 'Apple,iPhone 13,128,GB,'
const cell = <Value extends string>(...values: Value[]) => fc.constantFrom('', ...values)
const identifiers = fc.record({
  imei: cell(A, A.slice(0, 14), B, C),
  imei2: cell(A, B, B.slice(0, 14), C),
  meid: cell('A1000012345678', 'a1000012345678'),
  serial_number: cell('SN-1', 'sn-1', 'SN-2', '3', '3'),
  backstock_id: cell('B-1', 'b-1'),
})
const anItem = fc.record({
  ids: identifiers,
  status: fc.constantFrom<StockStatus>('Inbound', 'In Stock', 'Sold', 'Deleted', 'Returned to Supplier'),
  partner_id: fc.constantFrom(null, 1),
})
const aRow = fc.record({
  ids: identifiers,
  status: cell('Inbound', 'In Stock', 'Sold', 'Deleted', 'nonsense'),
  backstock_item: cell('1', '2', '3'),
  purchase_price: cell('1', '2'),
})

/** A shop in which no two items that it still has share an identifier. */
function shopOf(drawn: readonly { ids: Record<string, string>; status: StockStatus; partner_id: number | null }[]) {
  const items: CurrentItem[] = []
  for (const [n, { ids, status, partner_id }] of drawn.entries()) {
    const columns = Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, value || null]))
    const one = item(n + 1, { ...columns, status, partner_id, purchase_price: 500 })
    const isTaken = keys(one.row).some((key) => items.some(({ row }) => row.in_hand && keys(row).includes(key)))
    if (!(one.row.in_hand && isTaken)) items.push(one)
  }
  return items
}
const keys = (row: Parameters<typeof identifiersOf>[0]) => [...identifiersOf(row).keys()]

test('for any file: one item in hand for each identifier, one change for each item, sold ones stay', async () => {
  const shops = fc.record({
    items: fc.array(anItem, { maxLength: 5 }),
    rows: fc.array(aRow, { minLength: 1, maxLength: 6 }),
  })
  const who = fc.record({ update: fc.boolean(), partnerId: fc.constantFrom(null, null, 1) })
  await fc.assert(
    fc.asyncProperty(shops, who, async ({ items: drawn, rows }, { update, partnerId }) => {
      const items = shopOf(drawn)
      const head = `backstock_item,imei,imei2,meid,serial_number,backstock_id,status,purchase_price,make,model,capacity,capacity_unit`
      const lines = rows.map(({ ids, status, backstock_item, purchase_price }) =>
        [
          backstock_item,
          ids.imei,
          ids.imei2,
          ids.meid,
          ids.serial_number,
          ids.backstock_id,
          status,
          purchase_price,
          'Apple,iPhone 13,128,GB',
        ].join(','),
      )
      const file = parsed([head, ...lines].join('\n'), update && partnerId === null)
      const decisions = await decided(file, { items, update, partnerId })

      const bearers = new Map(
        items.filter(({ row }) => row.in_hand).map(({ row }) => [row.id as number | string, keys(row)]),
      )
      const changed: number[] = []
      for (const [n, decision] of decisions.entries()) {
        if (decision.kind === 'failed') {
          expect(Object.keys(decision.errors)).not.toEqual([])
          if (decision.blockedItem !== null) changed.push(decision.blockedItem)
          continue
        }
        const { wanted } = decision
        if (decision.kind === 'update') {
          const { row } = decision.item
          changed.push(row.id)
          bearers.delete(row.id)
          expect(update).toBe(true)
          if (partnerId !== null) expect(row.partner_id).toBe(partnerId)
          if (row.status === 'Sold' || row.status === 'Returned to Supplier')
            expect({ ...wanted, sales_price: null }).toMatchObject({
              imei: row.imei,
              serial_number: row.serial_number,
              purchase_price: 500,
              status: row.status,
              in_hand: false,
            })
        } else expect(['Inbound', 'In Stock']).toContain(wanted.status)
        if (wanted.in_hand) bearers.set(decision.kind === 'update' ? decision.item.row.id : `row ${n}`, keys(wanted))
      }
      const all = [...bearers.values()].flat()
      expect(all.length).toBe(new Set(all).size)
      expect(changed.length).toBe(new Set(changed).size)
    }),
    { numRuns: full ? 20_000 : 2000 },
  )
})

type Fate = { kind: string; id: number | null; planned: PlannedRow }

/** The decisions about a file in parts of `size` rows, if each part is written before the next is decided. */
async function inParts(
  rows: ParsedRow[],
  items: CurrentItem[],
  size: number,
  update: boolean,
  plan?: PlannedRow[],
  partnerId: number | null = null,
) {
  const now = new Map(items.map((one) => [one.row.id, one]))
  const products = new Map<string, KnownProduct>(KNOWN_PRODUCTS)
  const earlier = { items: new Map<number, number>(), freed: new Map<string, number>() }
  const fates: Fate[] = []
  for (let from = 0; from < rows.length; from += size) {
    const part = rows.slice(from, from + size)
    const known: Known = {
      suppliers: () => [],
      vats: () => [],
      grades: () => [],
      products: new Map(products),
      today: TODAY,
    }
    const planned = plan && new Map(rows.map(({ line }, n) => [line, plan[n]!]))
    const meant = meantRows(part, [...now.values()], update, partnerId)
    const decisions = await decideRows(meant, known, earlier, { planned })
    for (const [n, decision] of decisions.entries()) {
      const line = part[n]!.line
      const id = idOf(decision, line)
      fates.push({ kind: decision.kind, id, planned: plannedOf(decision) })
      const touched = decision.kind === 'failed' ? decision.blockedItem : id
      if (touched !== null) earlier.items.set(touched, line)
      if (decision.kind === 'failed') continue
      if (decision.kind === 'update') for (const key of decision.freed) earlier.freed.set(key, line)
      const { newProduct, wanted } = decision
      if (newProduct) products.set(productKey(newProduct), { id: 1000 + line, display_name: plannedProduct(decision) })
      const product = newProduct
        ? { ...newProduct, category: 'Phones', display_name: plannedProduct(decision) }
        : PRODUCT
      const before = decision.kind === 'update' ? decision.item : item(id!, { partner_id: partnerId })
      now.set(id!, { ...before, row: { ...before.row, ...wanted }, product })
    }
  }
  return fates
}

const KNOWN_PRODUCTS = [
  [productKey({ ...IPHONE, category: null }), { id: 1, display_name: PRODUCT.display_name }],
] as const
const plannedProduct = (decision: Decision) => {
  const planned = plannedOf(decision)
  return planned.kind === 'failed' ? '' : planned.product
}
const idOf = (decision: Decision, line: number) =>
  decision.kind === 'failed' ? null : decision.kind === 'update' ? decision.item.row.id : 10_000 + line

test('a row that fails, but was planned as something else, says what it was to be', async () => {
  const items = [item(5, { imei: A, sales_price: 100 })]
  const failing = await last(`imei,sales_price\n${A},x`, { items })
  expect(errorsOf(failing)).toHaveProperty('sales_price')
  const wasToBe = async (file: string) => otherThanPlanned(plannedOf(await last(file, { items })), failing)
  const told = (what: string) => ({
    sales_price: expect.stringContaining("'x' is not a price"),
    row: `Changed since the preview: this row was to be ${what}. Not imported.`,
  })
  expect(await wasToBe(`${HEAD}\n${B},${PHONE}`)).toEqual(told('a new item'))
  expect(await wasToBe(`imei,sales_price\n${A},2`)).toEqual(told('an update'))
  expect(await wasToBe(`imei,sales_price\n${A},1`)).toEqual(told('left unchanged'))
  // A row that was to fail fails for the reason that was shown.
  expect(await wasToBe(`imei,sales_price\n${A},-1`)).toEqual({ sales_price: 'Must not be negative.' })
})

test('a figure as a serial number leads nowhere, whether the phone that has it was written before or not', async () => {
  const first = `${A},,${PHONE},3`
  const items = [item(5, { imei2: B })]
  const head = `${HEAD.replace('imei,', 'imei,imei2,')},serial_number,backstock_item`
  for (const second of [`,${B},${PHONE},3,`, `,${B},${PHONE},3,5`]) {
    const file = parsed([head, `${first},`, second, `,${B},${PHONE},,`].join('\n'))
    const [one, three] = [await inParts(file, items, 1, true), await inParts(file, items, 3, true)]
    // The second row means item 5 and fails on its serial number. So the third row must not change the item.
    expect([second, one]).toEqual([second, three])
    expect([second, three.map(({ kind }) => kind)]).toEqual([second, ['create', 'failed', 'failed']])
  }
})

test('the decision for a row depends neither on its part nor on whether it is only planned', async () => {
  const shops = fc.record({
    items: fc.array(anItem, { maxLength: 6 }),
    rows: fc.array(
      fc.record({ row: aRow, product: fc.constantFrom(IPHONE_CELLS, 'Zeta,Near,,,', 'Zeta,Near,,,Phones') }),
      {
        minLength: 2,
        maxLength: 9,
      },
    ),
  })
  await fc.assert(
    fc.asyncProperty(
      shops,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(null, 1),
      async ({ items: drawn, rows }, update, size, partnerId) => {
        const items = shopOf(drawn.map((one) => ({ ...one, partner_id: partnerId === null ? null : one.partner_id })))
        const head = `backstock_item,imei,imei2,meid,serial_number,backstock_id,status,purchase_price,make,model,capacity,capacity_unit,category`
        const lines = rows.map(({ row: { ids, status, backstock_item, purchase_price }, product }) =>
          [
            backstock_item,
            ids.imei,
            ids.imei2,
            ids.meid,
            ids.serial_number,
            ids.backstock_id,
            status,
            purchase_price,
            product,
          ].join(','),
        )
        const file = parsed([head, ...lines].join('\n'), update && partnerId === null)
        const whole = await inParts(file, items, file.length, update, undefined, partnerId)
        const outcomes = (fates: Fate[]) => fates.map(({ kind, id }) => [kind, id])
        expect(outcomes(await inParts(file, items, size, update, undefined, partnerId))).toEqual(outcomes(whole))

        const seen = nothingSeen()
        const known: Known = {
          suppliers: () => [],
          vats: () => [],
          grades: () => [],
          today: TODAY,
          products: new Map(KNOWN_PRODUCTS),
        }
        const plan: PlannedRow[] = []
        for (let from = 0; from < file.length; from += size) {
          const meant = meantRows(file.slice(from, from + size), items, update, partnerId)
          plan.push(...(await decideRows(meant, known, NOTHING_EARLIER, { seen })).map(plannedOf))
        }
        expect(plan.map(({ kind }) => kind === 'failed')).toEqual(whole.map(({ kind }) => kind === 'failed'))
        const committed = await inParts(file, items, size, update, plan, partnerId)
        expect(committed.map(({ planned }) => planned)).toEqual(plan)
      },
    ),
    { numRuns: full ? 20_000 : 2000 },
  )
})
