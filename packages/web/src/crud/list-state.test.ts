import { expect, test } from 'vitest'
import type { Filter } from './area.ts'
import { choose, entriesShown, listQuery, readListState, writeListState } from './list-state.ts'

const status: Filter = {
  name: 'status',
  label: 'Status',
  options: ['In Stock', 'Sold'].map((value) => ({ value, label: value })),
  default: ['In Stock'],
}
const STATUS = { filters: [status] }

test('no status in the address is the default, an empty one means all', () => {
  expect(listQuery(readListState({}, STATUS))['status']).toEqual(['In Stock'])
  expect(listQuery(readListState({ status: '' }, STATUS))['status']).toBeUndefined()
  const cleared = { ...readListState({}, STATUS), chosen: { status: [] } }
  expect(writeListState(cleared, STATUS)['status']).toBe('')
  expect(writeListState(readListState({}, STATUS), STATUS)['status']).toBeUndefined()
})

test('a filter that only links set takes the values that it has a name for', () => {
  const week: Filter = { name: 'week', label: 'Week of', options: [], chip: (value) => (value === 'w1' ? 'One' : null) }
  const WEEK = { filters: [week] }
  expect(listQuery(readListState({ week: 'w1,w2' }, WEEK))['week']).toEqual(['w1'])
  const cleared = { ...readListState({ week: 'w1' }, WEEK), chosen: { week: [] } }
  expect(writeListState(cleared, WEEK)['week']).toBeUndefined()
})

test('a choice is made on top of those that the list has not been drawn with yet', () => {
  const now = { ...readListState({}, {}), chosen: { status: ['Inbound', 'Sold'], type: ['a'] } }
  expect(choose('status', ['Inbound'], ['Inbound', 'Deleted'])(now).chosen).toEqual({
    status: ['Inbound', 'Sold', 'Deleted'],
    type: ['a'],
  })
  expect(choose('status', ['Inbound', 'Deleted'], ['Deleted'])(now).chosen).toEqual({ status: ['Sold'], type: ['a'] })
  expect(choose('status', [], ['Sold'])(now).chosen?.['status']).toEqual(['Inbound', 'Sold'])
})

test('nonsense in an address counts as absent, an unusual page size is kept', () => {
  const state = readListState({ page: 'abc', per_page: '37', order_by: 'password; drop', status: 'Nope,Sold' }, STATUS)
  expect(state).toEqual({ page: 1, perPage: 37, search: '', order: 'id_desc', chosen: { status: ['Sold'] } })
  expect(readListState({ per_page: '251' }, {}).perPage).toBe(10)
})

test('the line above a list counts from 0 where there is nothing', () => {
  expect(entriesShown({ from: 1001, to: 1010, total: 12_345 })).toBe('Showing 1,001 to 1,010 of 12,345 entries')
  expect(entriesShown({ from: null, to: null, total: 0 })).toBe('Showing 0 to 0 of 0 entries')
})
