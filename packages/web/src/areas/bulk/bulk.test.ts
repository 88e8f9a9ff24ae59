import type { BulkPreview } from '@backstock/contract/bulk-change.ts'
import type { KeptItem } from '@backstock/contract/bulk-edit.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { removeToast, toastStore } from '../../api/toast.ts'
import { onScreen } from '../../testing/on-screen.ts'
import { setLocation } from '../scan/set-location.ts'
import { receive, undoBulk } from './bulk.ts'

type Sent = { url: string; key: string | undefined; body: unknown }

let sent: Sent[] = []
let status = 200
/** The data of the faked server's answers. */
let data: object = {}

beforeEach(() => {
  sent = []
  status = 200
  vi.stubGlobal('document', { cookie: '' })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const key = (headers as Record<string, string>)['Idempotency-Key']
    sent.push({ url, key, body: JSON.parse((body as string | null) ?? 'null') })
    return Response.json({ type: 'warning', title: 'Done', message: 'It is done.', data }, { status })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  queryClient.clear()
  for (const { id } of toastStore.read()) removeToast(id)
})

const ACTS: [string, () => Promise<unknown>][] = [
  ['an undo', () => undoBulk(9)],
  ['receiving', () => receive('stock/bulk/receive', 'key 1', { import_id: 4 })],
]
const NAMED = '#1: It is Sold. #2: It is Sold. #3: It is Sold. #4: It is Sold. #5: It is Sold.'

test.each(ACTS)('the toast of %s names five items that stayed as they are, and counts the others', async (_, act) => {
  const said = async (n: number) => {
    const kept = Array.from({ length: n }, (_, at): KeptItem => ({ id: at + 1, reason: 'It is Sold.' }))
    data = { bulk_id: 9, kept }
    await act()
    const [toast, ...others] = toastStore.read()
    expect([toast?.type, toast?.title, others]).toEqual(['warning', 'Done', []])
    return toast?.message
  }
  expect(await said(0)).toBe('It is done.')
  expect(await said(5)).toBe(`It is done. ${NAMED}`)
  expect(await said(1_006)).toBe(`It is done. ${NAMED} And 1,001 more.`)
})

test.each(ACTS)('after %s all that shows or counts items is read again, also if it was refused', async (_, act) => {
  const AREAS = ['stock', 'stock/check', 'stock/bulk', 'batch', 'basket', 'dashboard']
  data = { bulk_id: 9, kept: [] }
  for (status of [200, 409]) {
    const again = onScreen(...[...AREAS, 'customer'].map((area) => [area, 'find']))
    await act()
    expect(again()).toEqual(AREAS)
  }
  expect(toastStore.read()[0]).toMatchObject({ type: 'error', message: 'It is done.' })
})

test('receiving is sent under its key, and the button of its toast undoes it', async () => {
  data = { bulk_id: 9, kept: [] }
  expect(await receive('stock/bulk/receive', 'key 1', { import_id: 4 })).toEqual(data)
  toastStore.read()[0]!.action!.run()
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent).toEqual([
    { url: '/api/stock/bulk/receive', key: 'key 1', body: { import_id: 4 } },
    { url: '/api/stock/bulk/9/undo', key: undefined, body: null },
  ])
  status = 409
  expect(await receive('stock/bulk/receive', 'key 2')).toBe(null)
})

test.each([
  [{ unchanged: 1 }, '1 item had this location already.'],
  [{ unchanged: 1_200, refused: [] }, '1,200 items had this location already.'],
  [{ refused: [{ reason: 'It is Sold.' }, { reason: 'It is Deleted.' }] }, 'It is Sold. It is Deleted.'],
  [{ unchanged: 2, refused: [{ reason: 'It is Sold.' }] }, '2 items had this location already. It is Sold.'],
])('a location that changes nothing is not written; a toast says why: %j', async (said, message) => {
  const preview = { will_change: 0, unchanged: 0, refused: [], ...said } as unknown as BulkPreview
  const written = vi.fn()
  const send = async (_: object, mayGo: (preview: BulkPreview) => boolean) => {
    expect(mayGo(preview)).toBe(false)
    return null
  }
  await setLocation([1, 2], 'A1', send, written)
  expect(toastStore.read()).toMatchObject([{ type: 'info', message }])
  expect(written).not.toHaveBeenCalled()
})
