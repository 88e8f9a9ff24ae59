import {
  codesOn,
  type LabelCode,
  labelsOn,
  PAPERS,
  type PaperName,
  paperOf,
  placeOf,
} from '@backstock/contract/label-paper.ts'
import { LABEL_FIELDS } from '@backstock/contract/label-text.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { importCsv } from '../testing/csv-upload.ts'
import { testInTurn } from '../testing/in-turn.ts'
import { type Printed, scannedLabels, textOnLabels } from '../testing/printed-labels.ts'
import { newImei, openShop, type Shop, stockItems } from '../testing/shop.ts'
import { full } from '../testing/turns.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const OWN = { width: 21.5, height: 12 }
const SHEET = { paper: 'a4-3x8' as PaperName, code: 'code128' as LabelCode, fields: LABEL_FIELDS }
const print = (body: object) => user.post('/api/stock/labels', { ...SHEET, ...body })
const imeisOf = async (ids: readonly number[]) => {
  const { rows } = await t.db.pool.query('select id, imei from stock where id = any($1)', [ids])
  return ids.map((id) => rows.find((row) => row.id === id).imei as string)
}
const itemsWith = async (columns: Parameters<typeof stockItems>[3]) => (await stockItems(t.db, shop, 1, columns))[0]!

/** Checks that each text is on a label, and at its place. */
function expectPlaces(found: Printed[], wanted: string[], paper: ReturnType<typeof paperOf>, first = 1) {
  expect(found.map(({ text }) => text).toSorted()).toEqual(wanted.toSorted())
  for (const [n, text] of wanted.entries()) {
    const place = placeOf(paper, first, n)
    const code = found.find((one) => one.text === text)!
    expect(code.page).toBe(place.page)
    expect([code.left, code.top].map(Math.ceil)).toEqual([
      expect.toSatisfy((left: number) => left >= place.x),
      expect.toSatisfy((top: number) => top >= place.y),
    ])
    expect([code.right <= place.x + place.width, code.bottom <= place.y + place.height]).toEqual([true, true])
  }
}

/** The daily run leaves out these two sheets. The other sheets have smaller labels, and labels of other sizes. */
const LIKE_OTHERS: readonly PaperName[] = ['a4-3x7', 'a4-3x8']
const PRINTED = PAPERS.filter((paper) => full || !LIKE_OTHERS.includes(paper)).flatMap((paper) =>
  codesOn(paperOf(paper, OWN).label.width).map((code) => [paper, code] as const),
)

for (const [name, code] of PRINTED)
  testInTurn(
    `${name} with ${code}: a printer of 203 dpi prints what scanners read, each label in its place`,
    async () => {
      const ids = await stockItems(t.db, shop, 3)
      const paper = paperOf(name, OWN)
      // One label fits on the first sheet; the others go to a second one.
      const first = code === 'datamatrix' ? labelsOn(paper) : 1
      const { status, raw } = await print({ items: ids, paper: name, code, first, ...(name === 'own' && OWN) })
      expect(status).toBe(200)
      expectPlaces(await scannedLabels(raw, code), await imeisOf(ids), paper, first)
    },
  )

test('labels come in the order of the items, one as often as it is named', async () => {
  const [a, b] = (await stockItems(t.db, shop, 2)) as [number, number]
  const [imeiA, imeiB] = (await imeisOf([a, b])) as [string, string]
  const { raw, headers } = await print({ items: [b, a, b], fields: ['identifier'] })
  expect((await textOnLabels(raw)).map(({ text }) => text)).toEqual([imeiB, imeiA, imeiB])
  expect([headers['content-type'], headers['content-disposition']]).toEqual([
    ...['application/pdf', 'attachment; filename="labels-3.pdf"'],
  ])
})

test('a label says what was chosen of its item', async () => {
  const item = await itemsWith({ backstock_id: 'BS-900', location: 'Shelf Ж3', sales_price: 1_234_500 })
  const [imei] = await imeisOf([item])
  const { raw } = await print({ items: [item] })
  const texts = await textOnLabels(raw)
  expect(texts.map(({ text }) => text)).toEqual([
    ...['Phones Ltd', 'Apple iPhone 13 128 GB', imei, 'Shelf Ж3 · BS-900', '12,345.00 EUR'],
  ])
  // The product and the price are bold. Each line is below the one before, and all begin at the same edge.
  const bold = texts[1]!.font
  expect(texts.map(({ font }) => font === bold)).toEqual([false, true, false, false, true])
  for (const [n, { top, left }] of texts.slice(1).entries()) {
    expect(top).toBeGreaterThan(texts[n]!.bottom)
    expect(left).toBeCloseTo(texts[0]!.left)
  }
})

test('the code holds the Backstock ID if that is chosen, else the serial number if there is no IMEI', async () => {
  const item = await itemsWith({ backstock_id: 'BS-901', imei: null, serial_number: 'C39XQ1ZPN7' })
  const held = async (body: object) => {
    const { raw } = await print({ items: [item], paper: 'roll-62x29', code: 'datamatrix', fields: [], ...body })
    return (await scannedLabels(raw, 'datamatrix')).map(({ text }) => text)
  }
  expect([await held({}), await held({ holds: 'backstock_id' })]).toEqual([['C39XQ1ZPN7'], ['BS-901']])
})

const LONG = 'Wm'.repeat(127)
const HOSTILE = [
  { display_name: LONG, location: LONG, imei: null },
  { display_name: 'هاتف\u202e ذكي 128\r\n\u2028GB', location: '‮evil‬' },
  { display_name: '👩‍👩‍👧‍👦📱 Z̴̡͎a̷l̶g̵o̶ 手机', location: '\t%PDF (\\) <</JS>>' },
  { display_name: 'Αβγ Жзий ñandú đẹp हिन्दी '.repeat(9), location: ' ' },
]

test.each([
  ['a4-5x13', 'datamatrix'],
  ['roll-50x30', 'code128'],
  ['own', 'datamatrix'],
] as const)('%s: whatever a text has, it stays on its label and off the code', async (name, code) => {
  const items: number[] = []
  for (const { display_name, ...columns } of HOSTILE) {
    const serial_number = `${name} ${items.length} ${LONG}`.slice(0, 255)
    const item = await itemsWith({ ...columns, serial_number })
    const { rows } = await t.db.pool.query(
      `insert into product (make_id, category_id, model, display_name) select make_id, category_id, $2, $3 from product
        where id = $1 returning id`,
      [shop.product, `${name} ${items.length}`, display_name],
    )
    await t.db.pool.query('update stock set actual_product_id = $2 where id = $1', [item, rows[0].id])
    items.push(item)
  }
  const paper = paperOf(name, OWN)
  const { raw, status } = await print({ items, paper: name, code, ...(name === 'own' && OWN) })
  expect(status).toBe(200)
  const imeis = await imeisOf(items)
  const codes = await scannedLabels(raw, code)
  // A serial number of 255 letters fits into a DataMatrix, unless the label is too low.
  const long = name === 'a4-5x13' ? `${name} 0 ${LONG}`.slice(0, 255) : `#${items[0]}`
  expectPlaces(codes, [long, ...imeis.slice(1)], paper)
  const texts = await textOnLabels(raw)
  expect(texts.length).toBeGreaterThanOrEqual(2 * items.length)
  const places = items.map((_, n) => placeOf(paper, 1, n))
  for (const { page, text, left, right, top, bottom } of texts) {
    const on = places.filter(
      (place) =>
        place.page === page &&
        left >= place.x &&
        right <= place.x + place.width &&
        top >= place.y &&
        bottom <= place.y + place.height,
    )
    expect(on, text).toHaveLength(1)
    const over = codes.filter(
      (one) =>
        one.page === page && one.left < right && left < one.right && one.top < bottom - 0.1 && top + 0.1 < one.bottom,
    )
    expect(over, text).toEqual([])
  }
})

test.each([20, 23, 26])('a label that is %s mm wide says the whole IMEI, in two rows', async (width) => {
  const [item] = await stockItems(t.db, shop, 1)
  const [imei] = await imeisOf([item!])
  const { raw, status } = await print({ items: [item], paper: 'own', width, height: 12, code: 'datamatrix' })
  expect(status).toBe(200)
  const texts = (await textOnLabels(raw)).map(({ text }) => text)
  expect(texts.join('')).toContain(imei)
  expect(texts).not.toContainEqual(expect.stringMatching(/^35\d*…|#\d*…/))
  expect((await scannedLabels(raw, 'datamatrix')).map(({ text }) => text)).toEqual([imei])
})

test('items that do not exist are named, and nothing is printed', async () => {
  const [item] = await stockItems(t.db, shop, 1)
  const refused = async (items: number[]) => {
    const { status, body } = await print({ items })
    return [status, body.message]
  }
  expect(await refused([item!, 900_001])).toEqual([404, 'This item does not exist: #900001.'])
  const many = Array.from({ length: 12 }, (_, n) => 900_001 + n)
  const [, message] = await refused([...many, item!, ...many])
  expect(message).toMatch(/^These items do not exist: #900001, .+, #900010 and 2 more\.$/)
})

test('an import is printed whole, its oldest items first', async () => {
  const imeis = Array.from({ length: 3 }, newImei)
  const rows = imeis.map((imei) => `${imei},Apple,iPhone 13,128,GB,Phone,249.90`)
  const csv = ['imei,make,model,capacity,capacity_unit,category,purchase_price', ...rows].join('\n')
  const { id } = await importCsv(t, user, { csv })
  const { raw, status } = await print({ items: undefined, import_id: id, fields: ['identifier'] })
  expect(status).toBe(200)
  expect((await textOnLabels(raw)).map(({ text }) => text)).toEqual(imeis)
  expect((await print({ import_id: 999_999 })).status).toBe(404)
})

test('an import that has made no item has no labels', async () => {
  const { id } = await importCsv(t, user, { csv: 'imei,make\n1,Apple' })
  expect(await print({ items: undefined, import_id: id })).toMatchObject({
    status: 422,
    body: { data: { errors: { import_id: 'This import has no items.' } } },
  })
})

testInTurn('while somebody prints a thousand labels, others get their one, and all other answers', async () => {
  const items = await stockItems(t.db, shop, 1000)
  const done: string[] = []
  const note = (what: string, answer: Promise<{ status: number }>) =>
    answer.then(({ status }) => {
      expect(status).toBe(200)
      done.push(what)
    })
  const thousand = note('thousand', print({ items }))
  await note('one', print({ items: items.slice(0, 1) }))
  await note('list', user.get('/api/stock/find'))
  await thousand
  expect(done).toEqual(['one', 'list', 'thousand'])
})

testInTurn('a person who prints hundreds of labels five times does not go five times before a colleague', async () => {
  const items = await stockItems(t.db, shop, 201)
  const colleague = await t.user()
  const done: string[] = []
  const by = async (name: string, who: Client) => {
    expect((await who.post('/api/stock/labels', { ...SHEET, items })).status).toBe(200)
    done.push(name)
  }
  const own = Array.from({ length: 5 }, () => by('own', user))
  await Promise.all([...own, by('theirs', colleague)])
  expect(done.indexOf('theirs')).toBeLessThan(3)
})
