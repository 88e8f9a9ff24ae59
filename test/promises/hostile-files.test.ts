import { imeiKey, luhnCheckDigit } from '@backstock/contract/imei.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyImport, uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

// Promise B11 of docs/promises.md: files whose rows can be misunderstood. SEED=… repeats a run.
const files = turns(60, 2000)

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
  // Phones with all statuses, some of them bought back. Some of the serial numbers belong to none of them.
  for (const n of range(40)) {
    const status = (['In Stock', 'Deleted', 'Inbound', 'Returned to Supplier'] as const)[n % 4]!
    await t.items(1, {
      ...{ status, in_hand: n % 2 === 0, imei: n % 7 === 6 ? null : imeiOf(n % 3 === 0 ? n : n + 100) },
      serial_number: n % 5 < 3 && n % 7 !== 6 ? null : `SERIAL-${n}`,
      backstock_id: n % 4 === 1 ? null : `BS-${n}`,
    })
    if (n % 4 === 1) await t.items(1, { imei: imeiOf(n % 3 === 0 ? n : n + 100), backstock_id: `BACK-${n}` })
  }
  const sold = await t.items(4)
  const sale = await t.sell(t.staff, sold)
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    await t.staff.post(`/api/sale/${sale.body.data.id}/edit`, { status })
  await t.sell(t.staff, await t.items(2))
})
afterAll(() => closeSound(t))

let made = 0
const imeiOf = (n: number) => {
  const first14 = `8600000${String(n).padStart(7, '0')}`
  return first14 + luhnCheckDigit(first14)
}

type Item = {
  id: number
  status: string
  in_hand: boolean
  imei: string | null
  serial_number: string | null
  backstock_id: string | null
}
const KEYS = ['backstock_id', 'imei', 'serial_number'] as const
type Key = (typeof KEYS)[number]
const sameKey = (key: Key, a: string, b: string) =>
  key === 'imei' ? imeiKey(a) === imeiKey(b) : a.toUpperCase() === b.toUpperCase()

/**
 * The subject of a row: the kind of its identifiers, and whether it also names the item's number. `picks`
 * choose items from those that exist.
 */
const intent = fc.record({
  kind: fc.constantFrom('new', 'new', 'own', 'own', 'same', 'mixed', 'nothing', 'wrong'),
  picks: fc.tuple(fc.nat(), fc.nat()),
  keys: fc.subarray([...KEYS], { minLength: 1 }),
  named: fc.constantFrom('yes', 'yes', 'no', 'other'),
  status: fc.constantFrom('', '', '', 'In Stock', 'Inbound', 'Deleted', 'Sold', 'Lost'),
  price: fc.constantFrom('', '10', '12,5', '12.50', 'a lot', '0'),
  notes: fc.constantFrom(
    '',
    '',
    'plain',
    '6.1" wide',
    'two\nlines',
    'x;=1+1',
    'a, b; c',
    '"all" of it',
    "it's",
    'é € ž',
    'é\r\n"x",',
  ),
  model: fc.constantFrom('8.1', '8.1', 'ünder', 'two\nlines', ''),
  form: fc.nat(6),
  imeiForm: fc.constantFrom('15', '15', '14', '16'),
  sound: fc.constantFrom(true, true, true, false),
  surplus: fc.constantFrom(false, false, false, false, false, false, true),
  nameless: fc.constantFrom(false, false, false, false, false, true),
  before: fc.constantFrom(0, 0, 0, 0, 1, 2),
})
const file = fc.record({
  rows: fc.array(intent, { minLength: 3, maxLength: 14 }),
  update: fc.constantFrom(true, true, true, false),
  delimiter: fc.constantFrom(',', ';'),
  lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r', '\n'), { minLength: 1, maxLength: 2 }),
  quotes: fc.constantFrom('always', 'needed', 'never'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with a mark', 'windows-1252'),
  names: fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.replaceAll('_', ' '),
    (name: string) => `\u00a0${name.replaceAll('_', '-')}.`,
  ),
  order: fc.shuffledSubarray(
    ['backstock_item', ...KEYS, 'status', 'make', 'model', 'category', 'purchase_price', 'engineer_notes', 'Box', ''],
    { minLength: 10 },
  ),
  damage: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        how: fc.constantFrom('opened', 'closed too soon', 'opened and an inch'),
        row: fc.nat(),
        column: fc.nat(),
        later: fc.nat(),
      }),
    },
  ),
})
type Intent = typeof intent extends fc.Arbitrary<infer One> ? One : never
type File = typeof file extends fc.Arbitrary<infer One> ? One : never
/** A row as its maker means it: the item if it names one, its identifiers, and the cells. */
type Meant = { item?: number; keys: Partial<Record<Key, string>>; cells: Record<string, string> }

const wrapped = (text: string, form: number) =>
  [text, `'${text}`, `="${text}"`, `\u00a0${text}`, ` ${text} `, /^\d+$/.test(text) ? `${text}.0` : text, text][form]!
const NOTHING = ['N/A', '-', '0', 'none', 'TBC', 'x', '--']

function meant(one: Intent, items: readonly Item[], header: readonly string[]): Meant {
  const [a, b] = one.picks.map((pick) => items[pick % items.length]!) as [Item, Item]
  const keys: Meant['keys'] = {}
  const has = (key: Key) => header.includes(key) && one.keys.includes(key)
  if (one.kind === 'new') {
    made++
    if (has('imei') || !has('serial_number')) keys.imei = imeiOf(1_000_000 + made)
    if (has('serial_number')) keys.serial_number = `FRESH-${made}`
    if (has('backstock_id')) keys.backstock_id = `NEW-${made}`
  } else if (one.kind === 'own' || one.kind === 'same' || one.kind === 'mixed') {
    for (const [n, key] of KEYS.entries()) {
      const value = (one.kind === 'mixed' && n % 2 ? b : a)[key]
      if (has(key) && value !== null) keys[key] = value
    }
  } else if (one.kind === 'wrong') keys.imei = '123'
  if (keys.imei && keys.imei.length > 3 && one.imeiForm !== '15')
    keys.imei = keys.imei.slice(0, 14) + (one.imeiForm === '16' ? '01' : '')
  for (const key of KEYS) if (!header.includes(key)) delete keys[key]
  const cells: Record<string, string> = {
    ...{ status: one.status, make: 'Nokia', model: one.model, category: 'Phone', purchase_price: one.price },
    ...{ engineer_notes: one.notes, Box: one.notes, '': one.nameless && !one.sound ? 'lost' : '' },
    ...(one.sound && one.kind === 'new' ? { status: '', model: '8.1', purchase_price: '12,50' } : {}),
    ...(one.sound && one.kind === 'own' ? { status: '', model: '', purchase_price: '' } : {}),
  }
  if (one.kind === 'same')
    for (const column of ['model', 'purchase_price', 'engineer_notes', 'Box', 'status'])
      cells[column] = column === 'status' ? a.status : ''
  for (const key of KEYS) cells[key] = keys[key] ? wrapped(keys[key], one.form) : one.form % 2 ? NOTHING[one.form]! : ''
  if (one.named === 'no' || !header.includes('backstock_item')) return { keys, cells }
  const item = one.named === 'yes' ? a.id : b.id
  return { item, keys, cells: { ...cells, backstock_item: String(item) } }
}

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

/** The file as text, and its rows by their number in a spreadsheet. */
function written(one: File, rows: readonly Meant[]): { text: string; byNumber: Map<number, Meant> } {
  const { delimiter, quotes, lineEnds } = one
  const isNaive = quotes === 'never' || one.damage !== null
  const cellText = (cell: string) => {
    if (isNaive) return cell.replace(/[\r\n,;]/g, ' ').replace(/^\s*"/, '')
    return quotes === 'always' || /[",;\r\n]/.test(cell) ? quote(cell) : cell
  }
  const table = rows.map((row) => one.order.map((name) => cellText(row.cells[name] ?? '')))
  // With a damaged quotation mark the reader must recognise the beginning of each row. The price lets it do so.
  if (one.damage) for (const cells of table) cells[one.order.indexOf('purchase_price')] = '12.50'
  if (one.damage) harm(one.damage, table)
  const byNumber = new Map<number, Meant>()
  const lines = [one.order.map((name) => cellText(one.names(name).trim() && one.names(name))).join(delimiter)]
  for (const [n, cells] of table.entries()) {
    const intended = one.rows[n]!
    // An empty line writes delimiters, because after a lone carriage return an empty line would be taken for the end of
    // the one before.
    for (const _ of range(one.damage ? 0 : intended.before)) lines.push(delimiter.repeat(one.order.length - 1))
    const surplus = intended.surplus && !intended.sound && !one.damage ? `${delimiter}more` : ''
    lines.push(cells.join(delimiter) + surplus)
    if (cells.some((cell) => cell !== '' && cell !== '""') || surplus) byNumber.set(lines.length, rows[n]!)
  }
  return { text: lines.map((line, n) => line + lineEnds[n % lineEnds.length]!).join(''), byNumber }
}

/** Adds a quotation mark that does not belong there. The reader may think that the quoted text ends at a later mark. */
function harm({ how, row, column, later }: NonNullable<File['damage']>, table: string[][]): void {
  const at = row % (table.length - 1)
  const [cell, below] = [column % table[0]!.length, at + 1 + (later % (table.length - at - 1))]
  table[at]![cell] = `"${table[at]![cell]}`
  if (how === 'closed too soon') table[at]![cell] += '" and more'
  if (how === 'opened and an inch') table[below]![later % table[0]!.length] += '6.1"'
}

const WINDOWS = new Map([
  ['€', 0x80],
  ['ž', 0x9e],
])
function encoded(text: string, encoding: File['encoding']): Buffer {
  if (encoding !== 'windows-1252') return Buffer.from(encoding === 'utf-8' ? text : `\uFEFF${text}`)
  return Buffer.from([...text].map((character) => WINDOWS.get(character) ?? character.charCodeAt(0)))
}

const allItems = () => t.rows<Item>('select * from stock order by id')

/**
 * Whether a row may change this item: it has at least one of the item's identifiers, no identifier of another item, and
 * does not describe a second phone.
 */
function means({ item, keys }: Meant, id: number, before: readonly Item[]): boolean {
  const found = before.find((one) => one.id === id)
  if (!found || (item !== undefined && item !== id)) return false
  const given = KEYS.flatMap((key) => (keys[key] ? [[key, keys[key]] as const] : []))
  const isOwn = (key: Key, value: string) => found[key] !== null && sameKey(key, found[key], value)
  const isAnothers = ([key, value]: (typeof given)[number]) =>
    !isOwn(key, value) && before.some((one) => one[key] !== null && sameKey(key, one[key], value))
  const isTwoPhones =
    keys.imei &&
    keys.serial_number &&
    found.imei &&
    isOwn('serial_number', keys.serial_number) &&
    !isOwn('imei', keys.imei)
  return given.some(([key, value]) => isOwn(key, value)) && !given.some(isAnothers) && !isTwoPhones
}

async function check(one: File): Promise<'refused' | Record<string, number>> {
  const before = await allItems()
  const tables = async () =>
    t.rows('select (select count(*) from import) as imports, (select count(*) from log) as logs')
  const counts = await tables()
  const { text, byNumber } = written(
    one,
    one.rows.map((row) => meant(row, before, one.order)),
  )
  const csv = encoded(text, one.encoding)
  const answer = await uploadCsv(t.staff, { csv, delimeter: one.delimiter, update_existing: String(one.update) })
  if (answer.status === 422) {
    expect([answer.body.data.errors, one.damage === null && text]).toEqual([
      { csv: expect.stringMatching(/row \d/) },
      false,
    ])
    expect([await allItems(), await tables()]).toEqual([before, counts])
    return 'refused'
  }
  expect([answer.status, answer.body.message]).toEqual([202, answer.body.message])
  const id: number = answer.body.data.import_id
  await applyImport(t, id)
  const { data } = (await t.staff.get(`/api/stock/import/history/${id}/details?per_page=250`)).body
  type Detail = { row: number; type: string; id: number | null; message: unknown }
  const details: Detail[] = data
  const say = (what: unknown) => [what, text]

  // The results name each row once, by its number in a spreadsheet.
  expect(say(details.map(({ row }) => row).sort((a, b) => a - b))).toEqual(say([...byNumber.keys()]))
  for (const { type, message } of details)
    if (type === 'failed') expect(say(Object.values(message as object).length > 0)).toEqual(say(true))

  const after = await allItems()
  const created = details.filter(({ type }) => type === 'created')
  expect(say(after.slice(before.length).map((item) => item.id))).toEqual(
    say(created.map((detail) => detail.id).sort((a, b) => a! - b!)),
  )
  for (const { row, id } of created) {
    const item = after.find((found) => found.id === id)!
    for (const key of KEYS) {
      const given = byNumber.get(row)!.keys[key]
      expect(say(item[key])).toEqual(say(given ?? null))
    }
  }
  // An item only changes if a row means it.
  const text2 = (item: Item) => JSON.stringify(item)
  const changed = before.filter((item, n) => text2(item) !== text2(after[n]!)).map((item) => item.id)
  const updated = details.filter(({ type }) => type === 'updated')
  expect(say(changed)).toEqual(say(updated.map((detail) => detail.id).sort((a, b) => a! - b!)))
  expect(say(one.update || changed.length === 0)).toEqual(say(true))
  for (const { row, id, type } of details)
    if (type === 'updated' || type === 'unchanged')
      expect(say([row, id, means(byNumber.get(row)!, id!, before)])).toEqual(say([row, id, true]))
  return Object.fromEntries(
    ['created', 'updated', 'unchanged', 'failed'].map((type) => [
      type,
      details.filter((one) => one.type === type).length,
    ]),
  )
}

test('B11: hostile files are refused, or each row is told once and means one phone', async () => {
  let [refused, harmed] = [0, 0]
  const rows: Record<string, number> = {}
  const isTyped = (one: File) => one.damage === null || one.order.includes('purchase_price')
  await fc.assert(
    fc.asyncProperty(file.filter(isTyped), async (one) => {
      const outcome = await check(one)
      if (one.damage) harmed++
      if (outcome === 'refused') refused++
      else for (const [type, n] of Object.entries(outcome)) rows[type] = (rows[type] ?? 0) + n
    }),
    { numRuns: files, endOnFailure: true },
  )
  for (const type of ['created', 'updated', 'unchanged', 'failed'])
    expect([type, rows[type]! > 0]).toEqual([type, true])
  reached(
    'B11',
    `${files} files, ${harmed} with stray quotation marks: ${refused} refused; rows told once: ${JSON.stringify(rows).replace(/[{"}]/g, '')}`,
    'every record once, no item but by a row that means it',
  )
})
