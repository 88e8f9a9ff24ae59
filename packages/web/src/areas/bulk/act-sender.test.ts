import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { actSender } from './act-sender.ts'

type Said = { status: number; body?: object; retryAfter?: number } | 'lost'
type Sent = { url: string; key: string | undefined; body: Record<string, unknown> }

/** The answers that the faked server gives to bulk edits, in this order, and all requests that it got. */
let said: Said[] = []
let sent: Sent[] = []
const DONE = { status: 200, body: { success: true, data: { bulk_id: 7, changed: 2, left_out: 0 } } }

beforeEach(() => {
  said = []
  sent = []
  vi.stubGlobal('document', { cookie: '' })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (url: string, how: RequestInit) => {
    const body = JSON.parse(how.body as string)
    sent.push({ url, key: (how.headers as Record<string, string>)['Idempotency-Key'], body })
    const preview = { will_change: 2, token: `token ${sent.length}` }
    const next = url.endsWith('/preview') ? { status: 200, body: { data: preview } } : (said.shift() ?? DONE)
    if (next === 'lost') throw new TypeError('Failed to fetch')
    const headers = 'retryAfter' in next ? { 'retry-after': String(next.retryAfter) } : {}
    return new Response(JSON.stringify(next.body ?? {}), { status: next.status, headers })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const urls = () => sent.map(({ url }) => url.replace('/api/stock/', ''))
const edit = (location: string) => ({ items: [1, 2], changes: { location } })
const go = () => true

test('an act is what its preview was of, with its token; what may not go is not sent', async () => {
  const send = actSender()
  expect(await send(edit('A'), () => false)).toBe(null)
  expect(urls()).toEqual(['bulk/preview'])
  expect(await send(edit('A'), ({ token }) => token === 'token 2')).toMatchObject({
    answer: { data: { bulk_id: 7 } },
    preview: { token: 'token 2' },
  })
  expect(sent[2]).toMatchObject({ url: '/api/stock/bulk', body: { ...edit('A'), token: 'token 2' } })
})

test.each<[string, Said]>([
  ['got lost', 'lost'],
  ['never came through a gateway', { status: 502 }],
  ['was a fault', { status: 500 }],
  ['was that it still runs', { status: 409, retryAfter: 2 }],
])(
  'what an answer to an act %s is asked with the same act under the same key, without a preview',
  async (_, answer) => {
    const send = actSender()
    said = [answer, answer]
    await expect(send(edit('A'), go)).rejects.toThrow()
    await expect(send(edit('A'), go)).rejects.toThrow()
    const { answer: done, preview } = (await send(edit('A'), () => expect.unreachable()))!
    expect([done.data.bulk_id, preview.token]).toEqual([7, 'token 1'])
    expect(urls()).toEqual(['bulk/preview', 'bulk', 'bulk', 'bulk'])
    expect(new Set(sent.slice(1).map(({ key, body }) => JSON.stringify([key, body]))).size).toBe(1)
    // The last bulk edit is done, so the same edit now starts a new bulk edit.
    await send(edit('A'), go)
    expect(urls().slice(4)).toEqual(['bulk/preview', 'bulk'])
    expect(sent[5]!.key).not.toBe(sent[1]!.key)
  },
)

test('another edit, or one after a refusal, is asked about anew', async () => {
  const send = actSender()
  said = ['lost', { status: 409, body: { message: 'Something has changed.' } }]
  await expect(send(edit('A'), go)).rejects.toThrow('cannot be reached')
  await expect(send(edit('B'), go)).rejects.toThrow('Something has changed.')
  await send(edit('B'), go)
  expect(urls()).toEqual(['bulk/preview', 'bulk', 'bulk/preview', 'bulk', 'bulk/preview', 'bulk'])
  expect(new Set(sent.flatMap(({ key }) => key ?? [])).size).toBe(3)
})

test.each([400, 404, 409, 422])('after a refusal with %d the same edit begins with a new preview', async (status) => {
  const send = actSender()
  said = [{ status, body: { message: 'No.' } }]
  await expect(send(edit('A'), go)).rejects.toThrow('No.')
  await send(edit('A'), go)
  expect(urls()).toEqual(['bulk/preview', 'bulk', 'bulk/preview', 'bulk'])
  expect(sent[3]!.key).not.toBe(sent[1]!.key)
})

test('a no to another edit leaves the act whose answer got lost as it is', async () => {
  const send = actSender()
  said = ['lost']
  await expect(send(edit('A'), go)).rejects.toThrow()
  expect(await send(edit('B'), () => false)).toBe(null)
  await send(edit('A'), () => expect.unreachable())
  expect(urls()).toEqual(['bulk/preview', 'bulk', 'bulk/preview', 'bulk'])
})
