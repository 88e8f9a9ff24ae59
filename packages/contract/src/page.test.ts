import { expect, test } from 'vitest'
import { z } from 'zod'
import { flagFilter, idsFilter, listQuery, pageOf, staffFilter, weekFilter, wordsFilter } from './page.ts'
import { StockQuery } from './stock.ts'

test('a find without a query is the first ten, newest first', () => {
  expect(StockQuery.parse({})).toEqual({ page: 1, per_page: 10, order: { column: 'id', direction: 'desc' } })
})

test('filters take several values, comma-separated or repeated; an empty one filters nothing', () => {
  expect(StockQuery.parse({ status: 'In Stock,Sold' }).status).toEqual(['In Stock', 'Sold'])
  expect(StockQuery.parse({ status: ['In Stock', 'Sold'] }).status).toEqual(['In Stock', 'Sold'])
  expect(StockQuery.parse({ status: '' }).status).toBeUndefined()
})

test('empty ids find nothing, ids that cannot exist match nothing', () => {
  expect(StockQuery.parse({ ids: '' }).ids).toEqual([])
  expect(StockQuery.parse({ id: '-1' }).id).toBe(-1)
  expect(StockQuery.parse({ id: '99999999999' }).id).toBe(-1)
})

test('order and order_by mean the same; unknown names change nothing', () => {
  const order = { column: 'sales_price', direction: 'asc' }
  expect(StockQuery.parse({ order: 'sales_price_asc' }).order).toEqual(order)
  expect(StockQuery.parse({ order_by: 'sales_price_asc', colour: 'red' }).order).toEqual(order)
})

test('a bad value of a known name is refused by that name', () => {
  const bad: Record<string, string>[] = [
    { page: 'abc' },
    { page: '0' },
    { page: '10000001' },
    { quick: 'maybe' },
    { per_page: '251' },
    { per_page: '1e9' },
    { order_by: 'password_desc' },
    { status: 'Nope' },
    { ids: Array.from({ length: 1001 }, (_, i) => i + 1).join(',') },
    { search: 'x'.repeat(256) },
  ]
  for (const query of bad) {
    const issues = StockQuery.safeParse(query).error?.issues
    expect(issues?.[0]?.path[0], JSON.stringify(query).slice(0, 60)).toBe(Object.keys(query)[0])
  }
})

test('an empty flag or filter is one that is not there', () => {
  expect(StockQuery.parse({ quick: '', list: '', status: '', order: '', ajax_id: '' })).toEqual(StockQuery.parse({}))
})

// Each test builds the schema again, so that a mutant in the code that builds it is noticed.
const query = () =>
  listQuery(['id', 'a_b'], { by: staffFilter, of: idsFilter, is: flagFilter, week: weekFilter }, 'a_b_asc')
/** The value that a query reads from one parameter, or the message with which it refuses the parameter. */
const read = (name: string, value: unknown) => {
  const { success, data, error } = query().safeParse({ [name]: value })
  return success ? (data as Record<string, unknown>)[name] : `${error.issues[0]!.path}: ${error.issues[0]!.message}`
}
const MANY = Array.from({ length: 1001 }, (_, n) => n + 1)

test.each<[name: string, value: unknown, read: unknown]>([
  ['page', ' 7 ', 7],
  ['page', ['3', '4'], 3],
  ['page', '10000000', 10_000_000],
  ['page', '10000001', 'page: must be from 1 to 10000000'],
  ['page', '0', 'page: must be from 1 to 10000000'],
  ['page', '1.5', 'page: must be a whole number'],
  ['page', '1234567890123456', 'page: must be a whole number'],
  ['page', '1x', 'page: must be a whole number'],
  ['page', '', 'page: must be a whole number'],
  ['per_page', '250', 250],
  ['per_page', '1', 1],
  ['per_page', '0', 'per_page: must be from 1 to 250'],
  ['per_page', '251', 'per_page: must be from 1 to 250'],
  ['search', ' a  b\0', 'a b'],
  ['search', ['x', 'y'], 'x'],
  ['search', '  ', undefined],
  ['search', 'x'.repeat(255), 'x'.repeat(255)],
  ['search', 'x'.repeat(256), 'search: must have at most 255 characters'],
  ...['quick', 'list', 'select', 'is'].flatMap((name): [string, unknown, unknown][] => [
    [name, '1', true],
    [name, 'true', true],
    [name, ['0', '1'], false],
    [name, 'false', false],
    [name, '', undefined],
    [name, 'maybe', `${name}: must be true or false`],
  ]),
  ['id', '2147483647', 2_147_483_647],
  ['id', '2147483648', -1],
  ['id', '1', 1],
  ['id', '0', -1],
  ['ids', '3, 4,,5', [3, 4, 5]],
  ['ids', ['3', '4,5'], [3, 4, 5]],
  ['ids', MANY.slice(1).join(), MANY.slice(1)],
  ['ids', MANY.join(), 'ids: takes at most 1000 ids'],
  ['ajax_id', '', undefined],
  ['ajax_id', '9', 9],
  ['of', '3,4', [3, 4]],
  ['of', '', undefined],
  ['of', 'x', 'of,0: must be a whole number'],
  ['of', MANY.join(), 'of: takes at most 1000 ids'],
  ['by', 'me,3', ['me', 3]],
  ['by', '', undefined],
  ['by', 'you', "by,0: must be whole numbers or 'me'"],
  ['by', MANY.join(), 'by: takes at most 1000 ids'],
  ['week', '2026-11-16', '2026-11-16'],
  ['week', ['2026-11-16', 'x'], '2026-11-16'],
  ['week', '', undefined],
  ['week', '2026-11-17', 'week: must be a Monday as yyyy-mm-dd'],
  ['order', 'id_up', 'order: must be one of id_asc, id_desc, a_b_asc, a_b_desc'],
])('%s=%j is read as %j', (name, value, expected) => {
  expect(read(name, value)).toEqual(expected)
})

test('the order is that of order_by, else of order, else the list’s own; the first if there are several', () => {
  const order = (asked: object) => Object.values(query().parse(asked).order).join(' ')
  expect(order({})).toBe('a_b asc')
  expect(order({ order: 'id_desc' })).toBe('id desc')
  expect(order({ order: 'id_desc', order_by: 'a_b_desc' })).toBe('a_b desc')
  expect(order({ order: ['id_asc', 'id_desc'], order_by: '' })).toBe('id asc')
})

test('words are those that are known, each once', () => {
  const Words = listQuery(['id'], { word: wordsFilter(['one', 'two']) })
  expect(Words.parse({ word: 'two,one,two' }).word).toEqual(['two', 'one'])
  expect(Words.parse({ word: ',' }).word).toBeUndefined()
  expect(Words.safeParse({ word: 'three' }).error?.issues[0]?.message).toBe('must be one of one, two')
})

test('a page of records has its place among all', () => {
  const page = {
    success: true,
    data: [{ id: 1 }],
    current_page: 1,
    last_page: 1,
    per_page: 10,
    total: 1,
    from: 1,
    to: 1,
  }
  const whole = { ...page, prev_page_url: null, next_page_url: null }
  expect(pageOf(z.object({ id: z.int() })).parse(whole)).toEqual(whole)
  expect(pageOf(z.object({ id: z.int() })).safeParse({ ...whole, total: 1.5 }).success).toBe(false)
})
