import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { onScreen } from '../../testing/on-screen.ts'
import { bookEntries } from './book-entries.ts'

let sent: { url: string; key: string | undefined; body: unknown }[] = []

beforeEach(() => {
  sent = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const key = (headers as Record<string, string>)['Idempotency-Key']
    sent.push({ url, key, body: JSON.parse(body as string) })
    return Response.json({ type: 'success', message: 'Booked.' })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

test('entries are booked as the person saw them, each time once, and all that shows payments is read again', async () => {
  const CHANGED = ['bank-entry', 'sale', 'customer', 'dashboard', 'accounting']
  const again = onScreen(...[...CHANGED, 'stock'].map((area) => [area, 'find']))
  const payment = { sale_id: 9, amount: 500, open_amount: 700 }
  // Only these facts of a proposal are sent.
  const bookings = [
    { entry: { id: 3, updated_at: 'then', name: 'Ute' }, payments: [{ ...payment, buyer_name: 'Ute' }, payment] },
  ]
  await bookEntries(bookings)
  expect(sent).toEqual([
    {
      url: '/api/bank-entry/book',
      key: expect.any(String),
      body: { entries: [{ id: 3, updated_at: 'then', payments: [payment, payment] }] },
    },
  ])
  expect(again()).toEqual(CHANGED)
  await bookEntries(bookings)
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})
