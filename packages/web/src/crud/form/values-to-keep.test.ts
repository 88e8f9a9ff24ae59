import { expect, test } from 'vitest'
import { continuedValues, draftName, valuesToKeep } from './values-to-keep.ts'

type Values = { name: string; email: string; password: string; address: { city: string } }

const EMPTY: Values = { name: '', email: '', password: '', address: { city: '' } }
const AT = '2026-11-28T12:00:00.000Z'
/** As the browser stores a draft and reads it again. */
const stored = <Draft>(draft: Draft): Draft => JSON.parse(JSON.stringify(draft))

test('each form has a draft of its own, by the path that saves it and the records that a new one is made of', () => {
  const names = [
    draftName({ area: 'supplier' }, null),
    draftName({ area: 'supplier' }, { id: 7 }),
    draftName({ area: 'supplier-claim', save: 'supplier-claim/7/settle' }, null),
    draftName({ area: 'purchase-receipt', about: '1,2' }, null),
  ]
  expect(names).toEqual([
    'form supplier/create',
    'form supplier/7/edit',
    'form supplier-claim/7/settle',
    'form purchase-receipt/create 1,2',
  ])
})

test('the draft has the values before and after, and the version of the record, but no secret', () => {
  const typed = { ...EMPTY, name: 'Ada', password: 'hunter2' }
  const kept = valuesToKeep({ before: EMPTY, values: typed, updated_at: AT }, ['password'])
  expect(kept).toMatchObject({ before: { name: '' }, values: { name: 'Ada' }, updated_at: AT })
  expect(JSON.stringify(kept)).not.toMatch(/password|hunter2/)
})

test('if nothing was typed, or a secret alone, there is no draft', () => {
  expect(valuesToKeep({ before: EMPTY, values: { ...EMPTY } })).toBeNull()
  expect(valuesToKeep({ before: EMPTY, values: { ...EMPTY, password: 'hunter2' } }, ['password'])).toBeNull()
  expect(valuesToKeep({ before: EMPTY, values: { ...EMPTY, password: 'no secret' } })).not.toBeNull()
})

test('a form continues the draft from the version that it was begun from, whatever the record says now', () => {
  const before = { ...EMPTY, name: 'Ada', email: 'ada@example.test' }
  const kept = stored(valuesToKeep({ before, values: { ...before, name: 'Ada L.' }, updated_at: AT }, ['password']))
  const now = { ...before, email: 'new@example.test' }
  expect(continuedValues(kept, now, { isNew: false })).toEqual({
    before,
    values: { ...before, name: 'Ada L.' },
    updated_at: AT,
  })
})

test('a field that the draft does not have keeps its value', () => {
  const kept = { before: { name: '' }, values: { name: 'Ada' } }
  expect(continuedValues<Values>(kept, { ...EMPTY, email: 'ada@example.test' }, { isNew: true })?.values).toEqual({
    ...EMPTY,
    name: 'Ada',
    email: 'ada@example.test',
  })
})

test('a new record that begins with other values is another record, and has no draft', () => {
  const kept = stored(valuesToKeep({ before: EMPTY, values: { ...EMPTY, address: { city: 'Bonn' } } }))
  expect(continuedValues(kept, { ...EMPTY }, { isNew: true })?.values.address.city).toBe('Bonn')
  expect(continuedValues(kept, { ...EMPTY, name: 'Bob' }, { isNew: true })).toBeNull()
  expect(continuedValues(null, EMPTY, { isNew: true })).toBeNull()
})
