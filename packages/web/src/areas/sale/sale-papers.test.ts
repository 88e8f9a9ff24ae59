import type { Document } from '@backstock/contract/document.ts'
import type { Sale, SaleItem } from '@backstock/contract/sale.ts'
import { expect, test } from 'vitest'
import {
  allowanceNote,
  correctNote,
  furtherDocuments,
  mayCorrect,
  openAmount,
  resubmitNote,
  returnNote,
  standingInvoice,
  voidNote,
  whyNotCorrect,
} from './sale-papers.ts'

const document = (id: number, patch: Partial<Document> = {}) =>
  ({
    id,
    kind: 'invoice',
    number: `2026-0000${id}`,
    status: 'ready',
    left_at: null,
    credits_id: null,
    replaced_by_id: null,
    total_gross: 12_100,
    is_closed: patch.left_at != null,
    is_void: false,
    ...patch,
  }) as Document
const note = (id: number, credits_id: number, total_gross: number) =>
  document(id, { kind: 'credit_note', number: `CN-2026-0000${id}`, credits_id, total_gross })
const item = (stock_id: number, patch: Partial<SaleItem> = {}) =>
  ({
    stock_id,
    sales_price: 5_001,
    sales_price_vat: null,
    vat_rate: 21,
    vat_treatment: 'standard',
    available: true,
    returned: false,
    returned_price: null,
    allowed_price: 0,
    ...patch,
  }) as SaleItem
const sale = (patch: Partial<Sale>) =>
  ({ status: 'Dispatched', prices_include_vat: false, items: [item(1), item(2)], documents: [], ...patch }) as Sale

const LEFT = '2026-11-21T10:00:00.000Z'
/** A sale that was corrected once. Then a part of the second invoice was credited. */
const corrected = sale({
  documents: [
    document(1, { left_at: LEFT, replaced_by_id: 3, total_gross: 20_000 }),
    note(2, 1, 20_000),
    document(3, { left_at: LEFT, total_gross: 12_102 }),
    note(4, 3, 2_100),
  ],
})

test('the invoice that stands is what no other stands in for, and only its own credit notes take from it', () => {
  expect(standingInvoice(corrected)?.id).toBe(3)
  expect(furtherDocuments(corrected).map(({ id }) => id)).toEqual([4, 2, 1])
  expect(openAmount(corrected)).toBe(10_002)
  expect(openAmount(sale({}))).toBe(0)
})

test('the effect of an act on the invoice is said before it, with number and amount', () => {
  expect(voidNote(corrected)).toBe('A credit note for 100.02 EUR will be made for invoice 2026-00003.')
  // 21% of 100.02 is 21.00 and of 50.01 is 10.50: the credited VAT is the difference.
  expect(returnNote(sale({ documents: [document(1)] }), 2)).toBe(
    'A credit note for 60.51 EUR will be made for invoice 2026-00001.',
  )
  expect(resubmitNote(corrected)).toBe(
    'A credit note for 100.02 EUR will be made for invoice 2026-00003. A new invoice is made for what is left of the sale.',
  )
  expect(correctNote(corrected, 9_000, true)).toBe(
    'Invoice 2026-00003 is final. A credit note for 100.02 EUR and a new invoice for 90.00 EUR will be made.',
  )
})

test('an allowance is credited with its VAT, and never more than is left of the item’s price', () => {
  const invoiced = sale({ documents: [document(1)] })
  const credited = (amount: string) => `A credit note for ${amount} EUR will be made for invoice 2026-00001.`
  expect(allowanceNote(invoiced, 2, 1_000)).toBe(credited('12.10'))
  expect([5_001, 9_999].map((price) => allowanceNote(invoiced, 2, price))).toEqual(Array(2).fill(credited('60.51')))
  expect(allowanceNote(invoiced, 2, 0)).toBeUndefined()
  const allowed = { ...invoiced, items: [item(1), item(2, { allowed_price: 4_000 })] }
  expect([allowanceNote(allowed, 2, 5_001), returnNote(allowed, 2)]).toEqual(Array(2).fill(credited('12.11')))
  expect(allowanceNote(sale({}), 2, 1_000)).toBeUndefined()
})

test('items that are off the sale do not round the credit of another one', () => {
  const documents = [document(1)]
  for (const gone of [{ returned: true }, { available: false }])
    expect(returnNote(sale({ documents, items: [item(1, gone), item(2), item(3)] }), 3)).toContain('60.51 EUR')
  expect(returnNote(sale({ documents, items: [item(1), item(2), item(3)] }), 3)).toContain('60.52 EUR')
})

test('an invoice that is wholly credited gets no further credit note', () => {
  const credited = sale({ documents: [document(1, { left_at: LEFT }), note(2, 1, 12_000), note(3, 1, 100)] })
  expect([openAmount(credited), voidNote(credited)]).toEqual([0, undefined])
  expect(resubmitNote(credited)).toBe('A new invoice is made for what is left of the sale.')
})

test('no invoice means no credit, and only a final invoice is resubmitted', () => {
  const [none, draft] = [sale({}), sale({ documents: [document(1)] })]
  expect([voidNote(none), returnNote(none, 1), resubmitNote(none), resubmitNote(draft)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(correctNote(none, 1, true)).toBe('This sale has no invoice: no document is made.')
  expect(correctNote(draft, 1, true)).toBe('Invoice 2026-00001 is not final yet: it is made again.')
  expect(correctNote(draft, 1, false)).toMatch(
    /^Invoice 2026-00001 cannot keep its number, because the corrected one belongs to another series\. A credit note for/,
  )
  const bought = { purchase_treatment: 'margin', vat_type_id: 1 } as const
  const lost = (stock_id: number, now: object) =>
    item(stock_id, {
      ...bought,
      available: false,
      stock: { status: 'In Stock', ...bought, ...now } as SaleItem['stock'],
    })
  const back = [lost(1, { purchase_treatment: 'standard' }), lost(2, { vat_type_id: 2 })]
  const gone = lost(3, { purchase_treatment: 'standard', status: 'Deleted' })
  expect(resubmitNote(sale({ items: [...back, gone, item(4, bought)] }))).toBe(
    'VAT is decided again, because these items have changed since: #1 (Bought under: With VAT).',
  )
  const unknown = { purchase_treatment: 'unknown', vat_type_id: 1 } as const
  const retyped = item(5, {
    ...{ ...unknown, available: false },
    stock: { ...unknown, status: 'In Stock', vat_type_id: 2 } as SaleItem['stock'],
  })
  const changed = 'VAT is decided again, because these items have changed since:'
  expect(resubmitNote(sale({ items: [retyped] }))).toBe(`${changed} #5 (another VAT type).`)
  const seven = Array.from({ length: 7 }, (_, n) => ({ ...retyped, stock_id: n + 1 }))
  const five = seven.slice(0, 5).map(({ stock_id }) => `#${stock_id} (another VAT type)`)
  expect(resubmitNote(sale({ items: seven }))).toBe(`${changed} ${five.join(', ')} and 2 more.`)
  const ofLastMonth = sale({ documents: [document(1, { is_closed: true })] })
  expect(correctNote(ofLastMonth, 1, true)).toMatch(
    /^Invoice 2026-00001 is from an earlier month, whose books are closed\. A credit note for/,
  )
  const takenOff = sale({ documents: [document(1, { left_at: LEFT, status: 'none' })] })
  expect(resubmitNote(takenOff)).toBe(
    'A credit note for 121.00 EUR will be made for invoice 2026-00001. A new invoice is made for what is left of the sale.',
  )
})

test('a sale that is voided, lost an item or came back is not corrected, and says why', () => {
  expect([mayCorrect(sale({})), whyNotCorrect(sale({}))]).toEqual([true, null])
  const gone = sale({ items: [item(1, { returned: true }), item(2, { available: false })] })
  const refused = [sale({ status: 'Voided' }), sale({ status: 'Requires Attention' }), gone]
  expect(refused.map(mayCorrect)).toEqual([false, false, false])
  expect(refused.map(whyNotCorrect)).toEqual([
    'There is nothing to correct: the sale is voided.',
    'An item of this sale was deleted from stock. Resubmit or void the sale first.',
    'There is nothing to correct: no item is left on the sale.',
  ])
})
