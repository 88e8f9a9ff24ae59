import { BatchRow } from '@backstock/contract/batch.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import { expect, test } from 'vitest'
import { blank } from '../../../testing/blank.ts'
import { NO_CUSTOMER } from './customer.tsx'
import { saleFields } from './fields.ts'
import { changeDraft, EMPTY_DRAFT } from './lines.ts'
import { DEFAULT_OPTIONS, type DraftOptions } from './options.tsx'

const items = [blank(StockRow, { id: 1, sales_price: 14_990 }), blank(StockRow, { id: 2, sales_price: null })]
const draft = changeDraft(changeDraft(EMPTY_DRAFT, { type: 'items', items }), {
  ...{ type: 'treatment', ids: new Set([2]), treatment: 'margin' },
})
const totals = { items: 2, purchase: 200, net: 300, vat: [], gross: 357, marginVat: 0, profit: 100 }
const whole = { draft, selling: draft.lines, totals, customer: NO_CUSTOMER, batch: null, excel: false }
const fieldsOf = (said: Partial<Parameters<typeof saleFields>[0]>) =>
  saleFields({ ...whole, options: DEFAULT_OPTIONS, ...said })

test('a sale has the price and the chosen VAT of each item, and its totals', () => {
  expect(fieldsOf({})).toMatchObject({
    stock_items: [
      { id: 1, sales_price: 14_990 },
      { id: 2, sales_price: null, vat_treatment: 'margin' },
    ],
    ...{ total_purchase_price: 200, total_sales_price: 300, total_sales_price_vat: 357, salesPrice: null },
    ...{ customer_id: null, batch_id: null, includeVat: 'false', create_excel: false },
  })
  expect(fieldsOf({}).stock_items[0]).not.toHaveProperty('vat_treatment')
  const oneFor = changeDraft(draft, { type: 'price for all', price: 9_900 })
  expect(fieldsOf({ draft: oneFor, selling: oneFor.lines })).toMatchObject({
    stock_items: [{ sales_price: 9_900 }, { sales_price: 9_900 }],
    salesPrice: 9_900,
  })
})

test('a sale is to the chosen customer, or to the typed one', () => {
  const typed = { ...NO_CUSTOMER.typed, customer_last_name: 'Kern' }
  const known = fieldsOf({ customer: { isNew: false, id: 7, typed } })
  expect(known).toMatchObject({ customer_id: 7 })
  expect(known).not.toHaveProperty('customer_last_name')
  const added = fieldsOf({ customer: { isNew: true, id: 7, typed } })
  expect(added).toMatchObject({ customer_last_name: 'Kern', customer_city: '' })
  expect(added).not.toHaveProperty('customer_id')
})

test('each option is sent as it was chosen, and a locked batch stays', () => {
  const options: DraftOptions = {
    ...{ reference_number: 'PO 5', includeVat: true, remove_from_batch: false, remove_from_basket: false },
    ...{ create_invoice: false, invoice_lang: 'de', create_excel: null, send_email: false, delete_batch: true },
  }
  const batch = blank(BatchRow, { id: 5 })
  const { includeVat: _, create_excel: __, ...others } = options
  expect(fieldsOf({ options, batch, excel: true })).toMatchObject({
    ...{ ...others, includeVat: 'true', create_excel: true, batch_id: 5 },
  })
  expect(fieldsOf({ options, batch: { ...batch, is_locked: true } }).delete_batch).toBe(false)
  expect(fieldsOf({ options }).delete_batch).toBe(false)
})
