import { luhnCheckDigit } from '../../packages/contract/src/imei.ts'
import type { Person } from './person.ts'

/** The IMEI of row `n`, counted from 0. */
export function imeiOf(n: number): string {
  const first14 = `3598760${String(n).padStart(7, '0')}`
  return first14 + luhnCheckDigit(first14)
}

/** A supplier's file with this many phones, beginning with phone `from`, and one wrong row at its end. */
export function phonesFile(phones: number, from = 0): FormData {
  const rows = Array.from(
    { length: phones },
    (_, n) => `${imeiOf(from + n)},In Stock,Apple,iPhone 13,128,GB,Phones,249.90,300.00`,
  )
  const csv = [
    'imei,status,make,model,capacity,capacity_unit,category,purchase_price,sales_price',
    ...rows,
    ',In Stock,Apple,iPhone 13,128,GB,Phones,1,1',
  ].join('\n')
  const form = new FormData()
  form.set('csv', new Blob([csv], { type: 'text/csv' }), 'phones.csv')
  return form
}

export async function addCustomer(person: Person): Promise<number> {
  const address = { address_1: 'Long Street 1', city: 'Dublin', postal_code: 'D02', country_code: 'IE' }
  const body = {
    first_name: 'Ada',
    last_name: 'Byrne',
    email: 'ada@example.test',
    billing_address: address,
    delivery_address: address,
  }
  const answer = await person.call('/api/customer/create', { method: 'POST', body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data.id
}
