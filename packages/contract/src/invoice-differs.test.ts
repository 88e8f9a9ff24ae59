import { expect, test } from 'vitest'
import { currentDetails, OLD_MONTH, OLD_REFERENCE } from './invoice-differs.ts'

test('the tick names whose facts have changed: the customer’s, the sale’s, or both', () => {
  const CUSTOMER = "Use the customer's current details"
  const SALE = "Use the sale's current details"
  expect(currentDetails([])).toBe(CUSTOMER)
  expect(currentDetails(['the buyer’s VAT number', 'the billing address'])).toBe(CUSTOMER)
  expect(currentDetails([OLD_REFERENCE])).toBe(SALE)
  expect(currentDetails([OLD_MONTH])).toBe(SALE)
  expect(currentDetails([OLD_REFERENCE, OLD_MONTH])).toBe(SALE)
  expect(currentDetails(['the billing address', OLD_REFERENCE])).toBe(
    "Use the customer's and the sale's current details",
  )
})
