import { expect, test } from 'vitest'
import { namesIn } from './names-in.ts'

test('the last word of a typed name is the last name; a single word is the first name', () => {
  expect(namesIn('Anna Maria Schmidt')).toEqual({ first_name: 'Anna Maria', last_name: 'Schmidt' })
  expect(namesIn('Nora')).toEqual({ first_name: 'Nora', last_name: '' })
})
