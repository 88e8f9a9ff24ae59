import { expect, test } from 'vitest'
import { questionOfAwaited, questionOfNew } from './questions.ts'

const line = (price: number, id: number, invoice_number: string | null) => ({
  ...{ price, prices_include_vat: false, invoice_number },
  sale: { id, invoice_number },
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
})

test('no email is announced if awaited items have no invoice', () => {
  const credited = '1 item comes back; 100.00 EUR excl. VAT is credited'
  expect(questionOfAwaited([withoutInvoice], true)).toBe(`${credited}.`)
  const email = '2 items come back; 300.00 EUR excl. VAT is credited, and the credit notes are sent by email.'
  expect(questionOfAwaited([withoutInvoice, invoiced], true)).toBe(email)
})
