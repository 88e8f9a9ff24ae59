import { expect, test } from 'vitest'
import { keepTyped } from './keep-typed.ts'

test('keeps what was typed and takes everything else from the fresh record, nested parts too', () => {
  const before = { name: 'Anna', phone: null as string | null, address: { city: 'Cork', street: '1 Quay' } }
  const typed = { ...before, phone: '123', address: { city: 'Cork', street: '2 Quay' } }
  const fresh = { name: 'Ann', phone: '999', address: { city: 'Dublin', street: '1 Quay' } }
  expect(keepTyped(before, typed, fresh)).toEqual({
    name: 'Ann',
    phone: '123',
    address: { city: 'Dublin', street: '2 Quay' },
  })
})
