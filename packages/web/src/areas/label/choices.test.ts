import { expect, test } from 'vitest'
import { readChoices, settled } from './choices.ts'

globalThis.localStorage ??= { getItem: () => null } as unknown as Storage

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
