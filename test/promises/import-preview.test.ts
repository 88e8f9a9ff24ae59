import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import type { ImportDetail } from '@backstock/contract/import.ts'
import type { PreviewRow } from '@backstock/contract/import-preview.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEED } from '../../packages/server/src/testing/chance.ts'
import { committed, cutPreview, planPreview, uploadPreview } from '../../packages/server/src/testing/preview-upload.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'

// Promise B15 of docs/promises.md: an import does exactly what its preview says. SEED=… repeats a run.
const files = turns(10, 400)
const ROWS = 40

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

/** Only 25 IMEIs, so that rows often mean existing items. */
const imei = fc.integer({ min: 0, max: 24 }).map((n) => {
  const first14 = `35693803000${String(n).padStart(3, '0')}`
  return first14 + luhnCheckDigit(first14)
})
const own = (letter: string) => fc.integer({ min: 0, max: 24 }).map((n) => `${letter}-${n}`)
const some = (often: number, cell: fc.Arbitrary<string>) =>
  fc.oneof({ weight: often, arbitrary: cell }, { weight: 10 - often, arbitrary: fc.constant('') })
/** The content of one column: an IMEI, several IMEIs in one cell, a serial number or an MEID. */
const mixed = fc.oneof(
  { weight: 6, arbitrary: imei },
  { weight: 1, arbitrary: fc.array(imei, { minLength: 2, maxLength: 3 }).map((all) => all.join(' / ')) },
  { weight: 1, arbitrary: own('SN77') },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 34 }).map((n) => `A00000123456${n}`) },
)
/** Some numbers come often, so that rows share a new product; others are new to the shop in late files, too. */
const near = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 6, max: 60 }))
const product = fc.oneof(
  { weight: 5, arbitrary: fc.constant(['Apple', 'iPhone 13', '128', 'GB', '']) },
  { weight: 2, arbitrary: fc.constant(['Apple', 'iPhone 13 128GB', '', '', '']) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(near, fc.constantFrom('Phones', ''), fc.constantFrom('Zeta', 'ZETA'))
      .map(([n, category, make]) => [make, `Near ${n}`, '', '', category]),
  },
  { weight: 1, arbitrary: fc.constant(['', '', '', '', '']) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ['', 'iPhone 13 128GB', '', '', ''],
      ['', 'Near 3', '', '', 'Phones'],
      ['Zeta', 'Near 3 8GB', '', '', 'Phones'],
      ['', 'Apple iPhone 13 64GB Rot', '', '', 'Phones'],
      ['Zeta', 'Near 3 64GB Moonstone', '', '', 'Phones'],
    ),
  },
)
const HEADER =
  'IMEI / Serial;imei2;serial_number;backstock_id;status;purchase_price;sales_price;supplier;Box;grade;network_locked;purchase_date;battery_health;make;model;capacity;capacity_unit;category;Qty'
/** A row with nothing but an IMEI. */
const numberAlone = imei.map((number) => number + ';'.repeat(HEADER.split(';').length - 1))
const anyRow = fc
  .record({
    imei: some(7, mixed),
    imei2: some(2, imei),
    serial: some(5, own('S')),
    ownId: some(4, own('B')),
    status: some(5, fc.constantFrom('In Stock', 'In Stock', 'Inbound', 'Deleted', 'Sold', 'nonsense')),
    bought: some(8, fc.constantFrom('99,90', '1.200,00', '1.300', 'x', '400 zł', '£80', '$80')),
    grade: some(4, fc.constantFrom('A', 'b')),
    lock: some(4, fc.constantFrom('yes', 'frei', 'Locked to EE', 'no')),
    day: some(4, fc.constantFrom('18.11.2025', '2025-11-19')),
    battery: some(3, fc.constantFrom('87', '91 %', '0.88')),
    sold: some(3, fc.constantFrom('150', '199,90')),
    supplier: some(2, fc.constantFrom('Known', 'Unknown')),
    box: some(2, fc.constantFrom('a', 'b')),
    product,
    quantity: some(4, fc.constantFrom('1', '2', '3')),
  })
  .map(
    ({
      imei,
      imei2,
      serial,
      ownId,
      status,
      bought,
      sold,
      supplier,
      box,
      grade,
      lock,
      day,
      battery,
      product,
      quantity,
    }) =>
      [
        imei,
        imei2,
        serial,
        ownId,
        status,
        bought,
        sold,
        supplier,
        box,
        grade,
        lock,
        day,
        battery,
        ...product,
        quantity,
      ].join(';'),
  )
/** Empty rows are not counted, so none is drawn. */
const row = fc
  .oneof({ weight: 6, arbitrary: anyRow }, { weight: 3, arbitrary: numberAlone })
  .filter((cells) => /[^;]/.test(cells))
const file = fc.record({
  rows: fc.array(row, { minLength: ROWS, maxLength: ROWS }),
  update: fc.boolean(),
  forAll: fc.record({
    purchase_currency: fc.constantFrom('PLN', null),
    purchase_price: fc.constantFrom('49,90', null),
    vat: fc.constantFrom('Standard', null, null, null),
    purchase_vat: fc.constantFrom('margin', null, null),
    purchase_date: fc.constantFrom('2025-11-17', null),
    status: fc.constantFrom('In Stock', null),
    supplier: fc.constantFrom('Known', null, null),
    make: fc.constantFrom('Zeta', null, null),
    category: fc.constantFrom('Tablets', null),
  }),
  rate: fc.constantFrom('4.25', null),
  dollar: fc.constantFrom('USD', 'CAD'),
  red: fc.constantFrom('Red', null),
  part: fc.integer({ min: 1, max: 15 }),
  otherPart: fc.integer({ min: 1, max: ROWS }),
})

async function planOf(id: number, part: number): Promise<PreviewRow[]> {
  await cutPreview(t, id, part)
  await planPreview(t, id)
  const { body } = await t.staff.get(`/api/stock/import/preview/${id}/rows?per_page=100`)
  expect(body.total).toBe(ROWS)
  return body.data
}

/** The stored items, in the form in which a preview shows new ones. */
const storedAs = (ids: readonly number[]) =>
  t.rows<{ product: string; new_in_category: string }>(
    `select p.display_name as product, s.imei, s.imei2, s.serial_number, s.backstock_id, s.meid, s.eid, s.status,
       s.purchase_price, s.purchase_currency, s.fx_rate, s.purchase_date, s.purchase_treatment, s.sales_price,
       s.network_locked, s.functional, s.battery_health, s.location, v.company_name as supplier, t.name as vat,
       g.name as grade, c.name as new_in_category
     from unnest($1::int[]) with ordinality o (id, n) join stock s using (id) join product p on p.id = actual_product_id
       join category c on c.id = p.category_id
       left join supplier v on v.id = supplier_id left join vat t on t.id = vat_id left join grade g on g.id = grade_id
     order by n`,
    [ids],
  )

const outcomes = { new: 'created', updated: 'updated', unchanged: 'unchanged', failed: 'failed' } as const
const planned = ({ row, kind, id, errors }: PreviewRow) => [row, outcomes[kind], id, kind === 'failed' ? errors : null]
const done = ({ row, type, id, message }: ImportDetail) => [
  row,
  type,
  type === 'created' ? null : id,
  type === 'failed' ? message : null,
]

/** The most rounds of files that are drawn until each kind of row has come. */
const MOST = 10

test('B15: what a preview says of each row is what its import does, however the file is cut', async () => {
  await t.staff.post('/api/supplier/create', { company_name: 'Known' })
  const kinds: Record<string, number> = {}
  const property = fc.asyncProperty(file, async ({ rows, update, forAll, rate, dollar, red, part, otherPart }) => {
    const csv = [HEADER, ...rows].join('\n')
    const upload = await uploadPreview(t.staff, { csv, update_existing: String(update) })
    const id: number = upload.body.data.import_id
    await t.staff.patch(`/api/stock/import/preview/${id}`, {
      ...{ defaults: forAll, dollar, values: [{ field: 'colour', seen: 'Rot', means: red }] },
      rates: ['PLN', 'CAD'].map((currency) => ({ currency, rate })),
    })
    const before = await planOf(id, otherPart)
    await t.staff.patch(`/api/stock/import/preview/${id}`, {})
    const plan = await planOf(id, part)
    const known = new Set((await t.rows('select lower(display_name) as name from product')).map(({ name }) => name))
    expect(plan).toEqual(before)

    await committed(t, t.staff, id)
    const { body } = await t.staff.get(`/api/stock/import/history/${id}/details?per_page=100`)
    const details: ImportDetail[] = body.data
    expect(details.toSorted((a, b) => a.row - b.row).map(done)).toEqual(plan.map(planned))
    const ids = new Map(details.map(({ row, id }) => [row, id]))
    const made = plan.filter(({ kind }) => kind === 'new')
    const stored = await storedAs(made.map(({ row }) => ids.get(row)!))
    const asPlanned = made.map(({ product, becomes }) => ({
      product,
      ...becomes,
    }))
    const expected = stored.map((item) => ({
      ...item,
      // Null for a product that the shop had already.
      new_in_category: known.has(item.product.toLowerCase()) ? null : item.new_in_category,
    }))
    expect(asPlanned).toEqual(expected)
    for (const { kind } of plan) kinds[kind] = (kinds[kind] ?? 0) + 1
  })
  // The few files of a daily run may lack a kind of row. More files are then drawn.
  const isLacking = () => Object.keys(outcomes).some((kind) => !kinds[kind])
  let rounds = 0
  do await fc.assert(property, { seed: SEED + rounds, numRuns: files, endOnFailure: true })
  while (++rounds < MOST && isLacking())
  for (const kind of Object.keys(outcomes)) expect(kinds[kind]).toBeGreaterThan(0)
  reached(
    'B15',
    `${rounds * files * ROWS} rows of ${rounds * files} files: each as planned`,
    'a preview says what its import does',
  )
})
