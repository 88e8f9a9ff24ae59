import { afterEach, expect, test, vi } from 'vitest'
import { type Choices, keepChoices, lengthOf, readChoices, settled } from './choices.ts'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, text: string) => void kept.set(name, text),
})
afterEach(() => kept.clear())

test('the first labels of a person have a usual paper, and a usual own size, so that they can be printed at once', () => {
  expect(readChoices(1)).toEqual({
    ...{ paper: 'a4-3x8', width: '50', height: '30', dpi: null, first: 1 },
    ...{ code: 'code128', holds: 'identifier', fields: ['product', 'identifier', 'grade', 'backstock_id'] },
  })
})

test('labels are printed for the chosen printer, and otherwise for the usual one of the paper', () => {
  const choices = readChoices(1)
  expect(settled(choices).dpi).toBe(600)
  for (const dpi of [203, 300, 600] as const) expect(settled({ ...choices, dpi }).dpi).toBe(dpi)
})

test('the choices of a person come back, and of choices that this version does not know the usual ones', () => {
  const usual = readChoices(1)
  const chosen: Choices = {
    ...{ paper: 'own', width: '60', height: '40', code: 'qr', holds: 'backstock_id', first: 7, dpi: 300 },
    fields: ['product', 'price'],
  }
  keepChoices(1, chosen)
  expect(readChoices(1)).toEqual(chosen)
  expect(readChoices(2)).toEqual(usual)
  const OTHERS = { paper: 'a9', width: 60, height: null, code: 'ean', holds: 'x', fields: 'price', first: 0, dpi: 1200 }
  for (const text of ['{', 'null', '[]', JSON.stringify(OTHERS), '{"first":1.5}']) {
    kept.set('labels:1', text)
    expect(readChoices(1), text).toEqual(usual)
  }
  kept.set('labels:1', '{"fields":["price","x","product"]}')
  expect(readChoices(1).fields).toEqual(['product', 'price'])
})

test.each([
  ['20', 20],
  [' 60,5 ', 60.5],
  ['210.0', 210],
  ['19.9', null],
  ['210.1', null],
  ['60.1234', null],
  ['6e1', null],
  ['60 mm', null],
  ['', null],
])('the typed length %j is %j mm', (typed, length) => {
  expect(lengthOf(typed, { min: 20, max: 210 })).toBe(length)
})

test('a narrow label has a DataMatrix whatever was chosen; the first label is one that the sheet has', () => {
  const choices = { ...readChoices(1), code: 'qr', first: 64 } as const
  expect(settled({ ...choices, paper: 'a4-5x13' })).toMatchObject({ code: 'datamatrix', first: 64 })
  expect(settled({ ...choices, paper: 'a4-3x8' })).toMatchObject({ code: 'qr', first: 24 })
  expect(settled({ ...choices, paper: 'own', width: '44,9' })).toMatchObject({ code: 'datamatrix', first: 1 })
  expect(settled({ ...choices, paper: 'own', width: '45' }).code).toBe('qr')
  // A wrong length of a size of one's own stops the print, and another paper does not ask for it.
  for (const wrong of [{ width: '400' }, { height: '' }]) {
    expect(settled({ ...choices, ...wrong, paper: 'own' }).paper).toBeNull()
    expect(settled({ ...choices, ...wrong, paper: 'roll-62x29' }).paper?.label.width).toBe(62)
  }
})
