import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Filter } from './area.ts'
import {
  choose,
  entriesShown,
  type ListState,
  listQuery,
  put,
  readListState,
  whichRows,
  writeListState,
} from './list-state.ts'

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
  expect(readListState({}, WEEK).chosen).toEqual({ week: [] })
  const cleared = { ...readListState({ week: 'w1' }, WEEK), chosen: { week: [] } }
  expect(writeListState(cleared, WEEK)['week']).toBeUndefined()
})

test('a filter by a day takes days of the calendar alone', () => {
  const FROM = { filters: [{ name: 'from', label: 'From', options: [], isDay: true }] }
  expect(listQuery(readListState({ from: '2026-02-28' }, FROM))['from']).toEqual(['2026-02-28'])
  expect(listQuery(readListState({ from: '2026-02-30' }, FROM))['from']).toBeUndefined()
  expect(writeListState(readListState({ from: 'soon' }, FROM), FROM)['from']).toBeUndefined()
})

const MORE: Filter[] = [
  { name: 'supplier_id', label: 'Supplier', options: [], of: 'supplier', isMore: true },
  { name: 'price_from', label: 'From', options: [], isAmount: true, isMore: true },
  {
    name: 'locked',
    label: 'Locked',
    options: ['true', 'false'].map((value) => ({ value, label: value })),
    isOne: true,
    isMore: true,
  },
]

test.each([
  ['supplier_id', '3,x,0,-1,4', ['3', '4']],
  ['supplier_id', '4,3,4', ['4', '3']],
  ['price_from', '0', ['0']],
  ['price_from', '100000000', ['100000000']],
  ['price_from', '100000001', []],
  ['price_from', '1.50', []],
  ['price_from', '-1', []],
  ['price_from', '100,200', ['100']],
  ['locked', 'true,false', ['true']],
  ['locked', 'maybe', []],
])('a filter has values that make sense, and one where it takes one: %s=%s', (name, text, right) => {
  expect(readListState({ [name]: text }, { filters: MORE }).chosen[name]).toEqual(right)
})

test('the rows of all pages are asked for by search and filters alone', () => {
  const state = readListState({ price_from: '100', search: 'x', page: '3', order_by: 'id_asc' }, { filters: MORE })
  expect(whichRows(state)).toEqual({ search: 'x', price_from: ['100'] })
  expect(put('price_from', ['200'])(state)).toEqual({ chosen: { ...state.chosen, price_from: ['200'] } })
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

test('the line above a list counts from 0 if there is nothing', () => {
  expect(entriesShown({ from: 1001, to: 1010, total: 12_345 })).toBe('Showing 1,001 to 1,010 of 12,345 entries')
  expect(entriesShown({ from: null, to: null, total: 0 })).toBe('Showing 0 to 0 of 0 entries')
})

const PRIORITY = { ...STATUS, defaultOrder: 'priority_desc' }
const values = fc.uniqueArray(fc.constantFrom('In Stock', 'Sold'))
const state: fc.Arbitrary<ListState> = fc.record({
  page: fc.integer({ min: 1, max: 10_000_000 }),
  perPage: fc.integer({ min: 1, max: 250 }),
  search: fc.string({ maxLength: 255 }),
  order: fc.stringMatching(/^[a-z_]+_(asc|desc)$/),
  chosen: fc.record({ status: values }),
})

test('the address holds the whole state of a list, usual or not', () => {
  fc.assert(
    fc.property(state, fc.constantFrom(STATUS, PRIORITY), (now, list) => {
      expect(readListState(writeListState(now, list), list)).toEqual(now)
    }),
  )
})

test('a chosen page size holds if the address names none, and then stands in it', () => {
  fc.assert(
    fc.property(state, fc.option(fc.integer({ min: 1, max: 250 }), { nil: undefined }), (now, rows) => {
      expect(readListState(writeListState(now, STATUS, rows), STATUS, rows)).toEqual(now)
      expect(readListState(writeListState(now, STATUS, rows), STATUS).perPage).toBe(now.perPage)
      expect(readListState({}, STATUS, rows).perPage).toBe(rows ?? 10)
    }),
  )
  expect(readListState({ per_page: '20' }, {}, 50).perPage).toBe(20)
})

test('the address leaves out usual values', () => {
  const none = { page: undefined, per_page: undefined, search: undefined, order_by: undefined, status: undefined }
  for (const list of [STATUS, PRIORITY]) expect(writeListState(readListState({}, list), list)).toEqual(none)
  expect(readListState({}, PRIORITY)).toEqual({
    ...{ page: 1, perPage: 10, search: '', order: 'priority_desc', chosen: { status: ['In Stock'] } },
  })
  expect(writeListState(readListState({ page: '2' }, {}), {})).toEqual({ page: '2' })
  const now = { page: 2, perPage: 20, search: 'a', order: 'priority_desc', chosen: {} }
  const address = { page: '2', per_page: '20', search: 'a', order_by: 'priority_desc', status: '' }
  expect(writeListState(now, STATUS)).toEqual(address)
  // A filter is left out of the address only if its values are exactly the default ones.
  const status = (...chosen: string[]) => writeListState({ ...now, chosen: { status: chosen } }, STATUS)['status']
  expect([status('In Stock'), status('Sold'), status('In Stock', 'Sold')]).toEqual([undefined, 'Sold', 'In Stock,Sold'])
})

test.each([
  ['page', '0', 1],
  ['page', '10000000', 10_000_000],
  ['page', '10000001', 1],
  ['page', '123456789', 1],
  ['page', 'x2', 1],
  ['page', '2x', 1],
  ['page', '2.0', 1],
  ['page', '0000000002', 1],
  ['per_page', '1', 1],
  ['per_page', '250', 250],
  ['per_page', '251', 10],
  ['per_page', '', 10],
  ['search', 'x'.repeat(256), 'x'.repeat(255)],
  ['order_by', 'sales_price_asc', 'sales_price_asc'],
  ['order_by', '1_asc', 'id_desc'],
  ['order_by', 'id_ascending', 'id_desc'],
  ['order_by', ' id_asc', 'id_desc'],
  ['order_by', '_', 'id_desc'],
])('%s=%s in an address', (name, text, expected) => {
  const { page, perPage, search, order } = readListState({ [name]: text }, {})
  expect({ page, per_page: perPage, search, order_by: order }[name]).toBe(expected)
})

test('a list asks for what it shows: an empty search or filter for nothing', () => {
  const now = { page: 3, perPage: 20, search: '', order: 'id_asc', chosen: { status: ['Sold'], type: [] } }
  const asked = { list: true, page: 3, per_page: 20, search: undefined, order_by: 'id_asc', status: ['Sold'] }
  expect(listQuery(now)).toEqual({ ...asked, type: undefined })
  expect(listQuery({ ...now, search: 'x' })['search']).toBe('x')
})

test('a choice in a filter that the address has never named is all that is chosen', () => {
  expect(choose('status', [], ['Sold'])(readListState({}, {}))).toEqual({ chosen: { status: ['Sold'] } })
})
