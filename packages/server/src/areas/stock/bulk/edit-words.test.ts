import type { BulkChanges } from '@backstock/contract/bulk-change.ts'
import { expect, test } from 'vitest'
import { editedMessage } from './edit-words.ts'

const nameOf = (field: string) => `<${field}>`

test.each<[changes: BulkChanges, words: string]>([
  [{ status: 'In Stock' }, 'status In Stock'],
  [
    { supplier_id: 1, vat_type_id: 2, batch_id: 3, grade_id: 4 },
    'supplier <supplier_id>; VAT <vat_type_id>; batch <batch_id>; grade <grade_id>',
  ],
  [{ supplier_id: null, vat_type_id: null, batch_id: null, grade_id: null }, 'no supplier; no VAT; no batch; no grade'],
  [{ purchase_treatment: 'margin' }, 'bought under Margin scheme'],
  [{ functional: null }, 'function unknown'],
  [{ location: 'Shelf 4' }, 'location Shelf 4'],
  [{ location: null }, 'no location'],
  [{ network_locked: true }, 'network locked'],
  [{ network_locked: false }, 'not network locked'],
  [{ note: 'Tested' }, 'a note'],
  [{ purchase_price: { set: 12_345 } }, 'purchase price 123.45'],
  [{ purchase_price: { pasted: true } } as never, 'purchase price from a pasted column'],
  [{ sales_price: { set: null } } as never, 'sales price removed'],
  [{ sales_price: { set: 20_000, round: '.99' } } as never, 'sales price 200.00, rounded to .99'],
  [{ sales_price: { add: 1_000, round: 'none' } } as never, 'sales price +10.00'],
  [{ sales_price: { add: -1_000 } } as never, 'sales price -10.00'],
  [{ sales_price: { percent: 5, of: 'sales_price', round: '.99' } } as never, 'sales price +5%, rounded to .99'],
  [{ sales_price: { percent: -5, of: 'sales_price' } } as never, 'sales price -5%'],
  [
    { sales_price: { percent: 35, of: 'purchase_price', never_below_cost: true } } as never,
    'sales price = cost +35%, never below cost',
  ],
  [{ purchase_price: { percent: 2, of: 'purchase_price' } } as never, 'purchase price +2%'],
  [{ purchase_price: { percent: 2, of: 'sales_price' } } as never, 'purchase price = sales price +2%'],
  [{ sales_prices: [{ set: 100 }] } as never, 'sales price 1.00'],
  [{ sales_prices: [{ set: null }] } as never, 'sales price removed'],
  [{ sales_prices: [{ set: null }, { set: 100 }] } as never, 'sales prices of 2 groups'],
])('the change %j is told as: %s', (changes, words) => {
  expect(editedMessage(1_204, changes, nameOf)).toBe(`Edited 1,204 items: ${words}.`)
  expect(editedMessage(1, changes, nameOf)).toBe(`Edited 1 item: ${words}.`)
})
