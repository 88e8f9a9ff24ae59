import { Batch, BatchRow } from '@backstock/contract/batch.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { record } from '../../api/reads.ts'
import { removeToast, toastStore } from '../../api/toast.ts'
import { blank } from '../../testing/blank.ts'
import { onScreen } from '../../testing/on-screen.ts'
import { saveLock, savePrice, tellMoved } from './change-batch.ts'

let sent: { url: string; body: unknown }[] = []
/** The faked server's answer. */
let answer: { status: number; data?: object } = { status: 200 }

beforeEach(() => {
  sent = []
  vi.stubGlobal('document', { cookie: '' })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    sent.push({ url, body: JSON.parse(body as string) })
    return Response.json({ type: 'success', message: 'Saved.', data: answer.data }, { status: answer.status })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  queryClient.clear()
  for (const { id } of toastStore.read()) removeToast(id)
})

test.each([
  [[7], '1 item moved from batch #1 to batch #2.'],
  [Array.from({ length: 1_200 }, (_, n) => n), '1,200 items moved from batch #1 to batch #2.'],
])('a message counts the items that have moved, and offers to take them back', (items, message) => {
  tellMoved(items, 1, 2)
  expect(toastStore.read()).toMatchObject([{ message, action: { text: 'Undo' } }])
})

const { queryKey } = record<Batch>('batch', 5)
const item = (id: number, said: Partial<StockRow> = {}) =>
  blank(StockRow, {
    id,
    batch_id: 5,
    status: 'In Batch',
    cost: 10_000,
    sales_price: 15_000,
    updated_at: 'then',
    ...said,
  })
/** The lists that show a batch's items or its sums. */
const LISTS = ['batch', 'stock', 'basket']

/** Shows batch 5, these lists, and one that has nothing to do with them. Returns the reads that are made again. */
function show(items: StockRow[]) {
  queryClient.setQueryData(queryKey, blank(Batch, { id: 5, items }))
  const lists = onScreen(...[...LISTS, 'customer'].map((area) => [area, 'find']))
  return { lists, record: onScreen(queryKey) }
}

test('a price that is saved changes its own item and the sums, which leave out deleted items', async () => {
  const again = show([
    item(1),
    item(2, { sales_price: null }),
    item(3, { status: 'Deleted', cost: 900, sales_price: 900 }),
  ])
  answer = { status: 200, data: item(1, { cost: 12_000, sales_price: 20_000, updated_at: 'now' }) }
  await savePrice(item(1), 'sales_price', 20_000)
  expect(sent).toEqual([{ url: '/api/stock/1/edit', body: { sales_price: 20_000, updated_at: 'then' } }])
  const now = queryClient.getQueryData(queryKey)!
  expect(now.items.map(({ id, sales_price }) => [id, sales_price])).toEqual([
    [1, 20_000],
    [2, null],
    [3, 900],
  ])
  expect(now).toMatchObject({
    ...{ total_purchase_price: 22_000, total_sales_price: 20_000, margin: -2_000, unpriced_items: 1 },
  })
  await vi.waitFor(() => expect(again.lists()).toEqual(LISTS))
  // A batch of thousands is not read again for one price.
  expect(again.record()).toEqual([])
})

test('a read of the batch that runs while a price is saved may bring the old one, so it is made again', async () => {
  show([item(1)])
  answer = { status: 200, data: item(1, { sales_price: 20_000 }) }
  const queryFn = vi.fn(() => new Promise<Batch>(() => {}))
  void queryClient.prefetchQuery({ queryKey, staleTime: 0, queryFn })
  await savePrice(item(1), 'sales_price', 20_000)
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ items: [{ sales_price: 20_000 }] })
  expect(queryFn).toHaveBeenCalledTimes(2)
})

test('a price that is refused leaves the batch as it is, which is read again', async () => {
  const again = show([item(1)])
  answer = { status: 409 }
  await expect(savePrice(item(1), 'purchase_price', 9_000)).rejects.toThrow('Saved.')
  expect(sent).toMatchObject([{ body: { purchase_price: 9_000 } }])
  expect(queryClient.getQueryData(queryKey)?.items).toEqual([item(1)])
  expect(again.record()).toEqual(['batch'])
})

test.each([200, 409])(
  'a lock is sent as the person saw the batch, and lists are read again: answer %d',
  async (status) => {
    const again = show([])
    answer = { status, data: blank(Batch, { id: 5, is_locked: true }) }
    await saveLock(blank(BatchRow, { id: 5, name: 'May', updated_at: 'then' }), true)
    expect(sent).toEqual([{ url: '/api/batch/5/edit', body: { name: 'May', is_locked: true, updated_at: 'then' } }])
    expect(queryClient.getQueryData(queryKey)?.is_locked).toBe(status === 200)
    expect(again.lists()).toEqual(LISTS)
    expect(again.record()).toEqual(status === 200 ? [] : ['batch'])
  },
)
