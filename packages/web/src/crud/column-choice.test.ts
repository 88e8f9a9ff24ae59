import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ColumnNames, movedTo } from './column-choice.ts'
import { listQuery, readListState, writeListState } from './list-state.ts'

const NAMES = ['id', 'status', 'product', 'imei', 'grade', 'attr:a%2Cb']
const choice: ColumnNames = {
  usual: ['id', 'status'],
  kept: 'id',
  isKnown: (name) => NAMES.includes(name),
  query: (names) => ({ also: names.includes('grade') ? ['grade'] : undefined }),
}
const LIST = { choice }
const names = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
  .map((some) => (some.includes('id') ? some : ['id', ...some]))

test('columns stand in the address in their order, and the usual ones are left out', () => {
  fc.assert(
    fc.property(names, (columns) => {
      const address = writeListState({ ...readListState({}, LIST), columns }, LIST)
      expect(readListState(address, LIST).columns).toEqual(columns)
      expect(address['columns'] === undefined).toBe(String(columns) === String(choice.usual))
    }),
  )
})

test('names that are no columns count as absent, and a name twice as once', () => {
  fc.assert(
    fc.property(fc.string(), names, (text, columns) => {
      const read = readListState({ columns: text }, LIST).columns!
      expect(read.length).toBeGreaterThan(0)
      expect(read.every((name) => choice.isKnown(name))).toBe(true)
      const messy = [...columns, 'nonsense', ...columns, ''].join(',')
      expect(readListState({ columns: messy }, LIST).columns).toEqual(columns)
    }),
  )
  expect(readListState({ columns: '' }, LIST).columns).toEqual(choice.usual)
  // The column 'id' always stays, because its link opens the record.
  expect(readListState({ columns: 'grade,status' }, LIST).columns).toEqual(['id', 'grade', 'status'])
  expect(readListState({ columns: 'id' }, {})).not.toHaveProperty('columns')
})

test('the server is asked for what the columns need besides', () => {
  expect(listQuery(readListState({ columns: 'grade,id' }, LIST), LIST)['also']).toEqual(['grade'])
  expect(listQuery(readListState({}, LIST), LIST)['also']).toBeUndefined()
})

test('a moved column stands in its new place, and the others stay in their order', () => {
  fc.assert(
    fc.property(names, fc.nat(8), fc.nat(8), (columns, from, to) => {
      const name = columns[from % columns.length]!
      const moved = movedTo(columns, name, to)
      expect(moved.indexOf(name)).toBe(Math.min(to, columns.length - 1))
      expect(moved.filter((one) => one !== name)).toEqual(columns.filter((one) => one !== name))
    }),
  )
})
