import { expect, test } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { troubleOf } from './trouble.tsx'

const hasField = (name: string) => ['name', 'address.city'].includes(name)
const refused = (status: number, message: string, errors: Record<string, string> = {}) =>
  troubleOf(new ApiError(status, message, { errors }), hasField)

test('messages stand at their fields, and above the form only if a field is not there', () => {
  const errors = { name: 'Too long.', 'address.city': 'Is needed.' }
  expect(refused(422, 'Not valid.', errors)).toEqual({ atFields: errors, trouble: null })
  expect(refused(422, 'Not valid.', { ...errors, password: 'Too short.', 'address.zip': 'Is needed.' })).toEqual({
    atFields: errors,
    trouble: {
      ...{ message: 'Not valid.', stale: false, outage: false },
      fields: [
        ['password', 'Too short.'],
        ['address.zip', 'Is needed.'],
      ],
    },
  })
})

test.each([
  [409, 'Changed by Bea 2 minutes ago.', true, false],
  [409, 'It is in use.', false, false],
  [422, 'Changed by Bea.', false, false],
  [503, 'Away.', false, true],
  [0, 'Not reached.', false, true],
  [500, 'A fault.', false, false],
])('after %i %s a form can be reloaded: %s, and sent again: %s', (status, message, stale, outage) => {
  expect(refused(status, message)).toEqual({ atFields: {}, trouble: { message, fields: [], stale, outage } })
})
