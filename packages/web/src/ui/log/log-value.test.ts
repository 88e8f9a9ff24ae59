import { expect, test } from 'vitest'
import { logValue } from './log-value.ts'

test.each([
  [14_990, 'sales_price', '149.90 EUR'],
  [17_838, 'total_sales_price_vat', '178.38 EUR'],
  [35_000, 'credit_received', '350.00 EUR'],
  [12_000, 'credit_expected', '120.00 EUR'],
  ['250.00 USD', 'purchase_price', '250.00 USD'],
  [87, 'battery_health', '87'],
  [true, 'network_locked', 'Yes'],
  [null, 'credit_received', '-'],
])('%s of %s is shown as %s', (value, attribute, text) => {
  expect(logValue(value, attribute)).toBe(text)
})
