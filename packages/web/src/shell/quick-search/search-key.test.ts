import { expect, test } from 'vitest'
import { startsSearch } from './search-key.ts'

const press = (
  key: string,
  held: { ctrlKey?: boolean; altKey?: boolean; metaKey?: boolean; altGraph?: boolean } = {},
) =>
  startsSearch({
    key,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    ...held,
    getModifierState: (name) => name === 'AltGraph' && (held.altGraph ?? false),
  })

test('only printable keys, Backspace and Delete start a search', () => {
  for (const key of ['a', '7', ' ', 'é', 'Backspace', 'Delete']) expect(press(key), key).toBe(true)
  for (const key of ['Enter', 'Escape', 'Tab', 'ArrowDown', 'Home', 'Shift', 'F5']) expect(press(key), key).toBe(false)
})

test('not with Ctrl, Alt or Cmd, but AltGr types characters', () => {
  expect(press('v', { ctrlKey: true })).toBe(false)
  expect(press('Backspace', { ctrlKey: true })).toBe(false)
  expect(press('a', { metaKey: true })).toBe(false)
  expect(press('x', { altKey: true })).toBe(false)
  expect(press('@', { ctrlKey: true, altKey: true, altGraph: true })).toBe(true)
})
