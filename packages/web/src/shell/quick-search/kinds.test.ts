import { BatchRow } from '@backstock/contract/batch.ts'
import { Customer } from '@backstock/contract/customer.ts'
import { SaleRow } from '@backstock/contract/sale.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import { Supplier } from '@backstock/contract/supplier.ts'
import { User } from '@backstock/contract/user.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { blank } from '../../testing/blank.ts'
import { findHits, KINDS } from './kinds.ts'

afterEach(() => vi.unstubAllGlobals())

/** Lets the server find these rows of each area. Returns the addresses that are asked. */
function answerWith(rows: Record<string, object[]>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url.slice('/api/'.length))
    const area = /^\/api\/(\w+)/.exec(url)?.[1] ?? ''
    return Response.json({ data: rows[area] ?? [] })
  })
  return asked
}
const find = (text: string, inStockOnly = false, kinds = KINDS) =>
  findHits(kinds, text, inStockOnly, new AbortController().signal)

test('a hit has the number and the name of its record, and what tells it from others', async () => {
  const phone = { id: 1, product_display_name: 'iPhone 13', status: 'Sold' as const }
  const ids = { imei: '35-1', imei2: '35-2', serial_number: 'C39' }
  const buyer = { customer_name: 'Ute Kern', customer_company_name: 'Kern AG' }
  answerWith({
    stock: [blank(StockRow, { ...phone, ...ids, grade_name: 'A' }), blank(StockRow, { ...phone, id: 2 })],
    batch: [blank(BatchRow, { id: 3, name: 'May' })],
    sale: [
      blank(SaleRow, { id: 4, ...buyer, reference_number: 'PO 5', invoice_number: 'R-1' }),
      blank(SaleRow, { id: 5, customer_name: 'Bob', invoice_number: 'R-2' }),
      blank(SaleRow, { id: 6, customer_name: 'Eva' }),
    ],
    customer: [blank(Customer, { id: 7, full_name: 'Ute Kern', company_name: 'Kern AG' })],
    user: [blank(User, { id: 8, name: 'Bea', email: 'bea@example.com' })],
    supplier: [blank(Supplier, { id: 9, company_name: 'Foxway' })],
  })
  const groups = await find('x')
  const told = groups.map(({ title, hits }) => [
    title,
    ...hits.map(({ to, title, badges }) =>
      [to, title, ...badges.map((one) => `${one.label}: ${'status' in one ? one.status : one.value}`)].join(' | '),
    ),
  ])
  expect(told).toMatchInlineSnapshot(`
    [
      [
        "Stock",
        "/admin/stock/edit/1 | #1 iPhone 13 | Status: Sold | Grade: A | IMEI: 35-1 | IMEI 2: 35-2 | Serial: C39",
        "/admin/stock/edit/2 | #2 iPhone 13 | Status: Sold",
      ],
      [
        "Batch",
        "/admin/batch/edit/3 | #3 May",
      ],
      [
        "Sales",
        "/admin/sale/edit/4 | #4 PO 5 | Customer: Kern AG · Ute Kern | Invoice: R-1",
        "/admin/sale/edit/5 | #5 R-2 | Customer: Bob",
        "/admin/sale/edit/6 | #6  | Customer: Eva",
      ],
      [
        "Customer",
        "/admin/customer/edit/7 | #7 Ute Kern | Company: Kern AG",
      ],
      [
        "Staff",
        "/admin/user/edit/8 | #8 Bea | Email: bea@example.com",
      ],
      [
        "Supplier",
        "/admin/supplier/edit/9 | #9 Foxway",
      ],
    ]
  `)
})

test('each kind is asked for a page of hits, and only phones for their status', async () => {
  const asked = answerWith({ batch: [{ id: 3, name: 'May' }] })
  // A kind without hits has no group.
  expect((await find('may', true)).map(({ title }) => title)).toEqual(['Batch'])
  expect(asked).toEqual([
    'stock/find?per_page=10&search=may&quick=true&status=In+Stock',
    ...['batch', 'sale', 'customer', 'user', 'supplier'].map(
      (area) => `${area}/find?per_page=10&search=may&quick=true`,
    ),
  ])
  asked.length = 0
  await find('may', false, KINDS.slice(0, 1))
  expect(asked).toEqual(['stock/find?per_page=10&search=may&quick=true'])
})

test('an empty text finds nothing', async () => {
  const asked = answerWith({})
  await find('', false, KINDS.slice(1, 2))
  expect(asked).toEqual(['batch/find?per_page=10&search=&quick=true&id=-1'])
})
