import { LoadedAt, optionalText, requiredText } from '@backstock/contract/fields.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldsOf, patched } from './crud.ts'

const Input = z.object({ name: requiredText(), note: optionalText().optional(), updated_at: LoadedAt })
const before = { id: 7, name: 'Old', note: 'Kept', updated_at: '2026-11-22T10:00:00.000Z' }

test('an edit writes what was sent over what was there, and null clears', () => {
  expect(patched(before, { name: 'New', updated_at: before.updated_at }, Input)).toEqual({ name: 'New', note: 'Kept' })
  expect(patched(before, { name: undefined, note: null }, Input)).toEqual({ name: 'Old', note: null })
  expect(fieldsOf(Input)).toEqual(['name', 'note'])
})

test('a record that lacks a field of the input does not compile', () => {
  const { note: _, ...forgotten } = before
  // @ts-expect-error: `note` is missing
  expect(patched(forgotten, {}, Input)).toEqual({ name: 'Old', note: undefined })
})
