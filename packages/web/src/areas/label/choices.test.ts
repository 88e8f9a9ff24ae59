import { expect, test } from 'vitest'
import { readChoices, settled } from './choices.ts'

globalThis.localStorage ??= { getItem: () => null } as unknown as Storage

test('labels are printed for the chosen printer, and otherwise for the usual one of the paper', () => {
  const choices = readChoices(1)
  expect(settled(choices).dpi).toBe(600)
  for (const dpi of [203, 300, 600] as const) expect(settled({ ...choices, dpi }).dpi).toBe(dpi)
})
