import { expect, test } from 'vitest'
import { addressOf, listPath, offerPath, sourceOf, sourceQuery } from './offer-source.ts'

test('an address names the source of the items, and parts for the list alone are no filter', () => {
  expect([{}, { status: 'In Stock' }, { status: 'In Stock', page: '3', view: '2' }].map(sourceOf)).toEqual(
    Array(3).fill('stock'),
  )
  expect(sourceOf({ status: 'In Stock', grade_id: '2' })).toBe('filter')
  expect(sourceOf({ status: '' })).toBe('filter')
  expect(sourceOf({ search: undefined, grade_id: undefined })).toBe('stock')
  expect(sourceOf({ search: 'iphone' })).toBe('filter')
  expect(sourceOf({ batch_id: '3,5' })).toBe('filter')
  expect(sourceQuery({ batch_id: '3,5' })).toEqual({ batch_id: '3,5' })
  expect(sourceQuery({ search: 'a b', grade_id: '1,2', order_by: 'id_asc' })).toEqual({
    search: 'a b',
    grade_id: '1,2',
  })
  for (const source of ['stock', 'basket', 'batch'] as const) expect(sourceOf(addressOf(source))).toBe(source)
  expect(sourceQuery(addressOf('batch'))).toBeUndefined()
  expect(sourceQuery(addressOf('batch', 7))).toEqual({ batch_id: '7' })
  // Items in batches are offered of a batch alone. A basket is offered whatever else the address names.
  expect(sourceQuery({ page: '2' })).toEqual({ status: 'In Stock' })
  expect(sourceQuery({ basket: '1', status: 'Sold' })).toEqual({ basket: true })
  const ofTheList = {
    page: '2',
    per_page: '50',
    order: 'x',
    order_by: 'id_asc',
    list: 'true',
    columns: 'id',
    view: '3',
  }
  expect([sourceOf(ofTheList), sourceOf({ ...ofTheList, batch_id: '7' })]).toEqual(['stock', 'batch'])
  expect(sourceQuery({ ...ofTheList, search: 'x' })).toEqual({ search: 'x' })
  expect(listPath({ ...ofTheList, status: 'Sold' })).toBe('/admin/stock?status=Sold')
})

test('the way from the list to its offer and back keeps every filter', () => {
  const path = offerPath({ status: ['In Stock', 'Sold'], search: 'x&y', grade_id: undefined })
  expect(path).toBe('/admin/offer?status=In+Stock%2CSold&search=x%26y')
  const address = Object.fromEntries(new URL(path, 'http://shop').searchParams)
  expect(listPath(address)).toBe('/admin/stock?status=In+Stock%2CSold&search=x%26y')
  // A list of all statuses sends no status, but a missing status in a list's address means In Stock alone.
  expect(offerPath({ status: undefined })).toBe('/admin/offer?status=In+Stock%2CIn+Batch')
  expect(listPath({ search: 'x' })).toBe('/admin/stock?status=&search=x')
})
