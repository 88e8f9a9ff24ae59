import { expect, test } from 'vitest'
import { questionOfAwaited, questionOfNew } from './questions.ts'

const line = (price: number, id: number, invoice_number: string | null, noted_at_zero = false) => ({
  ...{ price, prices_include_vat: false, invoice_number, noted_at_zero },
  sale: { id, invoice_number, noted_at_zero },
})
const invoiced = line(20_000, 1, '2026-00001')
const withoutInvoice = line(10_000, 2, null)
const buyer = { name: 'Ada Byron' }

test('a credit note is announced for the sales with an invoice, and with their sum', () => {
  const back = '2 items of Ada Byron come back.'
  const note = '1 credit note for 200.00 EUR excl. VAT is made and sent by email.'
  const both = { coming: [invoiced, withoutInvoice], buyer, email: true, others: 0 }
  expect(questionOfNew(both)).toBe(`${back} ${note}`)
  expect(questionOfNew({ ...both, coming: [withoutInvoice, withoutInvoice] })).toBe(back)
  const ofTwo = { ...both, coming: [invoiced, line(5_000, 3, '2026-00003')], email: false }
  expect(questionOfNew(ofTwo)).toBe(`${back} 2 credit notes for 250.00 EUR excl. VAT are made.`)
})

test('a note of 0 is announced for a phone of the margin scheme, and for no other', () => {
  const asked = { coming: [line(0, 1, '2026-00001', true)], buyer, email: true, others: 0 }
  expect(questionOfNew(asked)).toBe(
    '1 item of Ada Byron comes back. 1 credit note for 0.00 EUR excl. VAT is made and sent by email.',
  )
  const back = '1 item of Ada Byron comes back.'
  expect(questionOfNew({ ...asked, coming: [line(0, 1, '2026-00001')] })).toBe(back)
  expect(questionOfNew({ ...asked, coming: [line(0, 1, null, true)] })).toBe(back)
  const awaited = '1 item comes back; 0.00 EUR excl. VAT is credited'
  expect(questionOfAwaited([line(0, 1, '2026-00001', true)], true)).toBe(
    `${awaited}, and the credit notes are sent by email.`,
  )
  expect(questionOfAwaited([line(0, 1, '2026-00001')], true)).toBe(`${awaited}.`)
})

test('no email is announced if awaited items have no invoice', () => {
  const credited = '1 item comes back; 100.00 EUR excl. VAT is credited'
  expect(questionOfAwaited([withoutInvoice], true)).toBe(`${credited}.`)
  const email = '2 items come back; 300.00 EUR excl. VAT is credited, and the credit notes are sent by email.'
  expect(questionOfAwaited([withoutInvoice, invoiced], true)).toBe(email)
})
