import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyUndo, importCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

// After the undo of an import, each item that nobody has changed since is exactly as before the import. All others stay
// as they are.
const histories = turns(4, 200)

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

/** Only 8 phones, so that imports, people and undos meet at the same items. */
const serial = fc.constantFrom(...range(8))
const row = fc.record({
  serial,
  price: fc.constantFrom('', '100', '250.5'),
  status: fc.constantFrom('', '', 'In Stock', 'Deleted'),
  notes: fc.constantFrom('', 'scratched', 'new'),
  model: fc.constantFrom('', 'iPhone 13', 'Model X', 'Model Y'),
  colour: fc.constantFrom('', 'Red', 'Puce'),
  box: fc.constantFrom('', 'yes', 'no'),
})
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('import' as const), rows: fc.array(row, { minLength: 1, maxLength: 5 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('undo' as const), n: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), n: fc.nat(), price: fc.integer({ min: 1, max: 99 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), serial }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let run = 0

/** All items as text, by their id. */
type Items = Map<number, string>
type Import = { id: number; before: Items; after: Items; undone: boolean }

async function items(): Promise<Items> {
  const rows = await t.rows<{ id: number; item: string }>(
    'select id, to_jsonb(s)::text as item from stock s order by id',
  )
  return new Map(rows.map(({ id, item }) => [id, item]))
}

const names = () =>
  t.rows(`select name from make union all select display_name from product union all select name from colour
    union all select name from attribute_name order by 1`)

const HEADER = 'serial_number,sales_price,status,engineer_notes,model,colour,make,category,purchase_price,box'
const line = (history: number, { serial, price, status, notes, model, colour, box }: Row) =>
  [
    `UNDO-${history}-${serial}`,
    price,
    status,
    notes,
    model,
    colour,
    model && 'Apple',
    model && 'Phone',
    '200',
    box,
  ].join(',')

/**
 * The right state after the undo of an import. Items may also stay if their serial number is taken, or if their product
 * no longer exists.
 */
function expected({ before, after }: Import, now: Items, kept: ReadonlySet<number>): Items {
  const wanted: Items = new Map()
  for (const [id, item] of now) {
    const made = after.get(id)
    const isChanged = made !== undefined && made !== before.get(id)
    const goesBack = isChanged && made === item && !kept.has(id)
    if (!goesBack) wanted.set(id, item)
    else if (before.has(id)) wanted.set(id, before.get(id)!)
  }
  return wanted
}

async function take(one: Step, imports: Import[], history: number): Promise<void> {
  if (one.kind === 'create') {
    await t.staff.post('/api/stock/create', {
      ...{ serial_number: `undo-${history}-${one.serial}`, actual_product_id: t.shop.product, purchase_price: 100 },
    })
  } else if (one.kind === 'edit') {
    const ids = [...(await items()).keys()]
    const id = ids[one.n % ids.length]
    if (id !== undefined) await t.staff.patch(`/api/stock/${id}/edit`, { sales_price: one.price })
  } else if (one.kind === 'import') {
    const before = await items()
    const csv = [HEADER, ...one.rows.map((row) => line(history, row))].join('\n')
    const { id } = await importCsv(t, t.staff, { csv, update_existing: '1' })
    imports.push({ id, before, after: await items(), undone: false })
  } else
    await undo(
      imports.filter(({ undone }) => !undone),
      one.n,
    )
}

async function undo(imports: readonly Import[], n: number): Promise<void> {
  const one = imports[n % imports.length]
  if (!one) return
  const now = await items()
  const url = `/api/stock/import/history/${one.id}/undo`
  const ahead = (await t.staff.get(`${url}?per_page=250`)).body.data
  const answer = await t.staff.post(url)
  one.undone = true
  if (answer.status === 409) return
  await applyUndo(t, one.id)
  const { restored, removed, kept } = (await t.staff.get(`${url}?per_page=250`)).body.data
  expect({ restored, removed, kept }).toEqual({ restored: ahead.restored, removed: ahead.removed, kept: ahead.kept })
  const stuck = kept
    .filter(({ reason }: { reason: string }) => reason === 'taken' || reason === 'reference')
    .map(({ id }: { id: number }) => id)
  expect(await items()).toEqual(expected(one, now, new Set(stuck)))
}

test('after any history an undo takes back what nobody has changed since, and nothing else', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
    const history = ++run
    const before = await items()
    const known = await names()
    const imports: Import[] = []
    for (const one of steps) await take(one, imports, history)
    // Undo the remaining imports, the last one first, with nobody else at work. If the history consists of imports
    // only, the items are then the same as before it.
    for (const one of imports.filter(({ undone }) => !undone).reverse()) await undo([one], 0)
    if (steps.every(({ kind }) => kind === 'import')) {
      expect(await items()).toEqual(before)
      expect(await names()).toEqual(known)
    }
  })
  await fc.assert(property, {
    numRuns: histories,
    endOnFailure: true,
  })
})
