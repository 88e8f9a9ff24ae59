import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LabelsInput } from './label.ts'
import { type LabelLayout, LEADING, layoutOf, QUIET, SMALLEST, settingOf } from './label-layout.ts'
import { type Box, codesOn, DPIS, labelsOn, OWN_SIZE, PAPERS, paperOf, placeOf } from './label-paper.ts'
import { codeTexts, LABEL_FIELDS, type LabelItem, labelLines } from './label-text.ts'

const millimetres = ({ min, max }: { min: number; max: number }) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((tenths) => tenths / 10)
const AnyPaper = fc
  .record({
    name: fc.constantFrom(...PAPERS),
    width: millimetres(OWN_SIZE.width),
    height: millimetres(OWN_SIZE.height),
  })
  .map(({ name, ...own }) => paperOf(name, own))
const MM = 72 / 25.4
const AnyDpi = fc.constantFrom(...DPIS)

const CLOSE = 1e-3
const isIn = (inner: Box, outer: Box) =>
  inner.x >= outer.x - CLOSE &&
  inner.y >= outer.y - CLOSE &&
  inner.x + inner.width <= outer.x + outer.width + CLOSE &&
  inner.y + inner.height <= outer.y + outer.height + CLOSE
const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width - CLOSE &&
  b.x < a.x + a.width - CLOSE &&
  a.y < b.y + b.height - CLOSE &&
  b.y < a.y + a.height - CLOSE

test('a code lies on its label with whole dots a module, and no text in its quiet zone', () => {
  let laidOut = 0
  fc.assert(
    fc.property(AnyPaper, AnyDpi, fc.integer({ min: 10, max: 300 }), (paper, dpi, modules) => {
      for (const code of codesOn(paper.label.width)) {
        const layout = layoutOf(paper, dpi, code, modules)
        if (!layout) continue
        laidOut++
        const dots = (layout.module * dpi) / 25.4
        expect(dots).toBeCloseTo(Math.round(dots), 6)
        expect(Math.round(dots)).toBeGreaterThanOrEqual(2)
        expect(layout.module).toBeGreaterThanOrEqual(0.25)
        const quiet = QUIET[code] * layout.module
        const tall = code === 'code128' ? 0 : quiet
        const { x, y, width, height } = layout.code
        const whole = { x: x - quiet, y: y - tall, width: width + 2 * quiet, height: height + 2 * tall }
        const label = { x: 0, y: 0, ...paper.label }
        const { inset } = paper
        const printable = { ...inset, width: label.width - 2 * inset.x, height: label.height - 2 * inset.y }
        expect([isIn(layout.code, printable), isIn(layout.text, printable), isIn(whole, label)]).toEqual([
          true,
          true,
          true,
        ])
        expect(layout.text.width).toBeGreaterThan(0)
        expect(meet(layout.text, whole)).toBe(false)
      }
    }),
  )
  expect(laidOut).toBeGreaterThan(50)
})

test('on every paper the number of an item has room in each code that the paper may bear', () => {
  /** The modules of each code for the longest item number, `#2147483647`. */
  const modules = { code128: 123, qr: 21, datamatrix: 14 }
  fc.assert(
    fc.property(AnyPaper, AnyDpi, (paper, dpi) => {
      for (const code of codesOn(paper.label.width)) expect(layoutOf(paper, dpi, code, modules[code])).not.toBeNull()
    }),
  )
})

test('labels lie on the page, none upon another, and continue after the last sheet', () => {
  for (const name of PAPERS) {
    const paper = paperOf(name, { width: 20, height: 12 })
    const places = Array.from({ length: labelsOn(paper) }, (_, n) => placeOf(paper, 1, n))
    for (const [n, place] of places.entries()) {
      expect(isIn(place, { x: 0, y: 0, ...paper.page })).toBe(true)
      expect(place.page).toBe(0)
      expect(places.slice(n + 1).filter((other) => meet(place, other))).toEqual([])
      expect(placeOf(paper, n + 1, 0)).toEqual(place)
    }
    expect(placeOf(paper, labelsOn(paper), 1)).toEqual({ ...places[0], page: 1 })
  }
})

test('print on a sheet is 5 mm from the edge of the page, within the printers’ reach', () => {
  for (const name of PAPERS) {
    const paper = paperOf(name)
    if (labelsOn(paper) === 1) continue
    expect(paper.left + paper.inset.x).toBeGreaterThanOrEqual(5)
    expect(paper.top + paper.inset.y).toBeGreaterThanOrEqual(5)
  }
})

const ITEM: LabelItem = {
  ...{ id: 7, backstock_id: null, imei: '350000000010007', serial_number: 'C39X', grade_name: 'A', location: 'B3' },
  ...{ sales_price: 49_900, sales_currency: 'EUR', product_display_name: 'Apple iPhone 13 128 GB Black' },
}
const texts = (item: Partial<LabelItem>, fields = LABEL_FIELDS as readonly (typeof LABEL_FIELDS)[number][]) =>
  labelLines({ ...ITEM, ...item }, fields, 'Phones Ltd').map(({ text }) => text)

test('a label says what was chosen, and leaves out what the item lacks', () => {
  expect(texts({})).toEqual([
    ...['Phones Ltd', 'Apple iPhone 13 128 GB Black', '350000000010007', 'Grade A · B3 · #7', '499.00 EUR'],
  ])
  expect(texts({ imei: null, backstock_id: 'BS-1', grade_name: 'grade b', location: null, sales_price: null })).toEqual(
    [...['Phones Ltd', 'Apple iPhone 13 128 GB Black', 'S/N C39X', 'grade b · BS-1']],
  )
  expect(texts({ grade_name: null }, ['grade', 'price'])).toEqual(['499.00 EUR'])
  expect(texts({}, [])).toEqual([])
})

test('a code holds the IMEI, else the serial number, or the Backstock ID; the number if it could not be typed', () => {
  const codes = (item: Partial<LabelItem>, holds: 'identifier' | 'backstock_id' = 'identifier') =>
    codeTexts({ ...ITEM, ...item }, holds)
  expect(codes({})).toEqual(['350000000010007', '#7'])
  expect(codes({ imei: null })).toEqual(['C39X', '#7'])
  expect(codes({ imei: null, serial_number: null, backstock_id: 'BS-1' })).toEqual(['BS-1', '#7'])
  expect(codes({ imei: null, serial_number: 'Ж1' })).toEqual(['#7'])
  expect(codes({ backstock_id: 'BS-1' }, 'backstock_id')).toEqual(['BS-1', '#7'])
  expect(codes({}, 'backstock_id')).toEqual(['#7'])
})

/** A text's width if all letters are as wide as a digit. Most letters of the labels' font are narrower. */
const measure = (text: string, size: number) => text.length * size * 0.65

test('lines are set as large as there is room, and the lightest are left out if there is little', () => {
  const lines = labelLines(ITEM, LABEL_FIELDS, 'Phones Ltd')
  fc.assert(
    fc.property(millimetres({ min: 1, max: 200 }), (height) => {
      const { size, rows } = settingOf(lines, { width: 1000, height }, measure)
      if (rows.length > 0) expect(rows.length * size * LEADING).toBeLessThanOrEqual((height * 72) / 25.4 + CLOSE)
      if (rows.length > 0) expect(size).toBeGreaterThanOrEqual(SMALLEST - CLOSE)
      const isKept = ({ text }: { text: string }) => rows.some((row) => row.text === text)
      const left = lines.filter((line) => !isKept(line)).map(({ weight }) => weight)
      expect(Math.max(0, ...left)).toBeLessThan(Math.min(9, ...lines.filter(isKept).map(({ weight }) => weight)))
      expect(lines.filter(isKept).map(({ text }) => text)).toEqual(rows.map(({ text }) => text))
    }),
  )
})

const tenths = ({ min, max }: { min: number; max: number }) =>
  Array.from({ length: (max - min) * 10 + 1 }, (_, n) => min + n / 10)

test('an IMEI is on the label whole, however narrow or low that is and whatever else stands on it', () => {
  const lines = labelLines({ ...ITEM, backstock_id: 'BS-900' }, LABEL_FIELDS, 'Phones Ltd')
  /** The modules of each code for an IMEI. */
  const modules = { code128: 134, qr: 21, datamatrix: 14 }
  const wrong: unknown[] = []
  for (const width of tenths(OWN_SIZE.width))
    for (const height of [OWN_SIZE.height.min, 20])
      for (const [dpi, code] of DPIS.flatMap((dpi) => codesOn(width).map((code) => [dpi, code] as const))) {
        const layout = layoutOf(paperOf('own', { width, height }), dpi, code, modules[code])
        if (!layout) continue
        const { rows } = settingOf(lines, layout.text, measure)
        const text = rows.map((row) => row.text).join('\n')
        // On the lowest label there is one row above the bars, and the product takes it.
        const has = rows.length === 1 || text.replaceAll('\n', '').includes(ITEM.imei!)
        const isWide = rows.some((row) => measure(row.text, row.size) > layout.text.width * MM + CLOSE)
        if (!has || isWide || /35\d*…|BS-\d*…/.test(text)) wrong.push([width, height, dpi, code, text])
      }
  expect(wrong).toEqual([])
  // The code of a long text leaves little room. The label then has the whole IMEI or no IMEI.
  for (const width of tenths({ min: 4, max: 30 })) {
    const text = settingOf(lines, { width, height: 9 }, measure).rows.map((row) => row.text)
    if (/350/.test(text.join(''))) expect(text.join('')).toContain(ITEM.imei)
  }
})

test('a Backstock ID is printed whole, the text before it as far as there is room', () => {
  const lines = labelLines(
    { ...ITEM, backstock_id: 'BS-900', location: 'Cellar' },
    ['grade', 'location', 'backstock_id'],
    '',
  )
  const set = (width: number, height = 20) =>
    settingOf(lines, { width: width / MM, height }, measure).rows.map(({ text }) => text)
  expect(set(500)).toEqual(['Grade A · Cellar · BS-900'])
  expect(set(60)).toEqual(['Grade A ·… · BS-900'])
  expect(set(20)).toEqual(['BS-900'])
  expect(set(12)).toEqual(['BS-', '900'])
  expect(set(12, 2)).toEqual([])
})

/** The layout with all lengths rounded to a thousandth of a mm. */
const rounded = (layout: LabelLayout | null) =>
  JSON.parse(JSON.stringify(layout), (_, value) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  )

test('bars stand in the middle under the text, a square code at the right beside it', () => {
  const roll = paperOf('roll-62x29')
  expect(rounded(layoutOf(roll, 300, 'code128', 112))).toEqual({
    module: 0.423,
    code: { x: 7.293, y: 17.1, width: 47.413, height: 10.4 },
    text: { x: 1.5, y: 1.5, width: 59, height: 14.8 },
  })
  expect(rounded(layoutOf(roll, 300, 'datamatrix', 18))).toEqual({
    module: 0.593,
    code: { x: 49.239, y: 9.166, width: 10.668, height: 10.668 },
    text: { x: 1.5, y: 1.5, width: 46.347, height: 26 },
  })
  const barsOn = (height: number) => layoutOf(paperOf('own', { width: 100, height }), 203, 'code128', 112)?.code.height
  expect([12, 100].map(barsOn)).toEqual([5, 15])
})

test('a line that wraps gets a second row if letters stay large enough, also beside one that does not wrap', () => {
  const line = { text: 'one two three four five', whole: null, bold: false, weight: 1 }
  const textsIn = (height: number, ...wraps: boolean[]) =>
    settingOf(
      wraps.map((wraps) => ({ ...line, wraps })),
      { width: 20, height },
      (text, size) => text.length * size * 0.5,
    ).rows.length
  expect([textsIn(20, true), textsIn(20, false), textsIn(5, true)]).toEqual([2, 1, 1])
  expect(textsIn(20, true, false)).toBe(3)
})

const BODY = { items: [1, 2, 1], paper: 'a4-3x8', code: 'code128', fields: ['product'] }
const problems = (changes: object) => {
  const read = LabelsInput.safeParse({ ...BODY, ...changes })
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each([
  [{}, []],
  [{ items: undefined, import_id: 3 }, []],
  [{ import_id: 3 }, ['import_id: Name items or an import, not both.']],
  [{ items: [] }, ['items: This field is required.']],
  [{ items: undefined }, ['items: This field is required.']],
  [{ items: Array(5001).fill(1) }, ['items: At most 5000 labels at once.']],
  [{ first: 24 }, []],
  [{ first: 25 }, ['first: This paper has 24 on a page.']],
  [{ paper: 'roll-62x29', first: 2 }, ['first: This paper has 1 on a page.']],
  [{ first: 0 }, ['first: Must be 1 or more.']],
  [{ paper: 'a4-5x13' }, ['code: A label narrower than 45 mm has room only for a DataMatrix.']],
  [{ paper: 'a4-5x13', code: 'datamatrix', first: 65 }, []],
  [{ paper: 'own' }, ['width: This field is required.', 'height: This field is required.']],
  [{ paper: 'own', width: 45, height: '12.5' }, []],
  [{ paper: 'own', width: '45.125', height: '30' }, []],
  [
    { paper: 'own', width: 'a45', height: '30 mm' },
    ['width: Must be a number of mm.', 'height: Must be a number of mm.'],
  ],
  [{ paper: 'own', width: '45.1234', height: 30 }, ['width: Must be a number of mm.']],
  [{ paper: 'own', width: 30 }, ['height: This field is required.']],
  [{ paper: 'own', height: 30 }, ['width: This field is required.']],
  [{ paper: 'own', width: 44.9, height: 30 }, ['code: A label narrower than 45 mm has room only for a DataMatrix.']],
  [{ paper: 'own', width: 211, height: 11 }, ['width: At most 210 mm.', 'height: At least 12 mm.']],
  [{ dpi: 300 }, []],
  [{ dpi: 150 }, ['dpi: Must be one of 203, 300, 600.']],
  [{ fields: ['price', 'price'] }, []],
  [{ fields: Array(8).fill('price') }, ['fields: At most 7 fields.']],
  [{ holds: 'imei' }, ['holds: Must be one of identifier, backstock_id.']],
])('%j is refused by %j', (changes, expected) => {
  expect(problems(changes)).toEqual(expected)
})
