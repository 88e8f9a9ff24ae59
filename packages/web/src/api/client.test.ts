import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api, apiUrl, connectSession, idempotencyKey, request } from './client.ts'
import { createNamed } from './create-named.ts'
import { csrfToken, rememberCsrfToken } from './csrf.ts'
import { ApiError, errorMessage } from './error.ts'
import { queryClient } from './query-client.ts'
import { authQuery, logout } from './session.ts'
import { tellFailure } from './tell-failure.ts'
import { removeToast, showToast, toastStore } from './toast.ts'

type Said = { status?: number; body?: unknown; headers?: Record<string, string> }
type Asked = RequestInit & { url: string; headers: Record<string, string> }

/** The answers that the faked server gives, in this order. */
let answers: (Said | Error)[] = []
let asked: Asked[] = []
const refetchAuth = vi.fn()
const loggedOut = vi.fn()

const respond = ({ status = 200, body = { data: 1 }, headers = {} }: Said) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })

beforeEach(() => {
  answers = []
  asked = []
  vi.stubGlobal('fetch', async (url: string, how: RequestInit) => {
    asked.push({ ...how, url, headers: { ...(how.headers as Record<string, string>) } })
    const next = answers.shift() ?? {}
    if (next instanceof Error) throw next
    return respond(next)
  })
  vi.stubGlobal('document', { cookie: 'theme=dark; XSRF-TOKEN=one%3D; other=1' })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  refetchAuth.mockReset().mockResolvedValue(undefined)
  loggedOut.mockReset()
  connectSession({ refetchAuth, loggedOut })
  for (const { id } of toastStore.read()) removeToast(id)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const toasts = () => toastStore.read().map(({ type, title, message }) => [type, title, message])
const failed = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  )
const CSRF = { status: 403, body: { success: false, error: 'Invalid CSRF token' } }
const RETRYING = ['warning', '', 'Invalid CSRF token, retrying in 5 seconds...']

test('a write is sent as JSON with the token of the cookie, a read without one', async () => {
  answers = [{ body: { data: 7 }, headers: { 'x-total': '3' } }]
  const answer = await request('POST', 'colour/create', { body: { name: 'Red' }, headers: { 'X-Own': 'yes' } })
  expect(answer).toMatchObject({ body: { data: 7 }, status: 200 })
  expect(answer.header('x-total')).toBe('3')
  await api.get('colour/find', { query: { page: 2 } })
  expect(asked).toMatchObject([
    { method: 'POST', url: '/api/colour/create', body: '{"name":"Red"}', credentials: 'same-origin', signal: null },
    { method: 'GET', url: '/api/colour/find?page=2', body: null },
  ])
  expect(asked.map(({ headers }) => headers)).toEqual([
    { Accept: 'application/json', 'X-Own': 'yes', 'Content-Type': 'application/json', 'X-XSRF-TOKEN': 'one=' },
    { Accept: 'application/json' },
  ])
  expect(toasts()).toEqual([])
})

test('each kind of call has its method, and answers the body alone', async () => {
  for (const call of [api.get, api.post, api.put, api.patch, api.del]) expect(await call('x')).toEqual({ data: 1 })
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  // A request without a body has no Content-Type.
  expect(asked.map(({ body, headers }) => [body, headers['Content-Type']])).toEqual(Array(5).fill([null, undefined]))
})

test('a form goes as it is', async () => {
  const body = new FormData()
  await api.post('x', { body })
  expect(asked[0]!.body).toBe(body)
  expect(asked[0]!.headers['Content-Type']).toBeUndefined()
})

test.each([
  [{}, '/api/x'],
  [{ a: undefined, b: false, c: 0, d: '' }, '/api/x?b=false&c=0&d='],
  [{ ids: [1, 2], none: [], word: 'ä &' }, '/api/x?ids=1%2C2&none=&word=%C3%A4+%26'],
])('the address of %j', (query, url) => {
  expect(apiUrl('x', query)).toBe(url)
})

test('a browser without the cookie sends the token of the last auth answer, or nothing if there is none', async () => {
  rememberCsrfToken('kept')
  expect(csrfToken()).toBe('one=')
  vi.stubGlobal('document', { cookie: 'NOT-XSRF-TOKEN=no' })
  await api.post('x')
  rememberCsrfToken(undefined)
  await api.post('x')
  expect(asked.map(({ headers }) => headers['X-XSRF-TOKEN'])).toEqual(['kept', undefined])
  expect('X-XSRF-TOKEN' in asked[1]!.headers).toBe(false)
})

test('after an invalid CSRF token the same write is sent once more in 5 seconds, with a fresh one', async () => {
  vi.useFakeTimers()
  refetchAuth.mockImplementation(async () => {
    vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=two' })
  })
  answers = [CSRF, { body: { data: 1, message: 'Saved', type: 'success' } }]
  const call = api.post('sale/create', { body: { a: 1 }, idempotent: true })
  await vi.advanceTimersByTimeAsync(4999)
  expect(toasts()).toEqual([RETRYING])
  expect(refetchAuth).toHaveBeenCalledOnce()
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await call).toMatchObject({ data: 1 })
  expect(asked.map(({ headers }) => headers['X-XSRF-TOKEN'])).toEqual(['one=', 'two'])
  const [first, second] = asked.map(({ headers, body }) => [headers['Idempotency-Key'], body])
  expect(first![0]).toMatch(/^[\da-f-]{36}$/)
  expect(second).toEqual(first)
  expect(toasts()).toEqual([['success', '', 'Saved']])
})

test('a token that stays invalid is said, of a silent write too; there is no third try', async () => {
  vi.useFakeTimers()
  refetchAuth.mockRejectedValue(new Error('away'))
  answers = [CSRF, CSRF]
  const call = failed(api.post('x', { silent: true, tellsTrouble: true }))
  await vi.advanceTimersByTimeAsync(5000)
  const message = 'Invalid CSRF token, please refresh the page.'
  expect(await call).toMatchObject({ status: 403, message })
  expect(asked).toHaveLength(2)
  expect(toasts()).toEqual([['error', '', message]])
  expect(loggedOut).not.toHaveBeenCalled()
})

test.each([
  ['another 403', { status: 403, body: { error: 'Only admins may do this.' } }],
  ['a 403 that is no JSON', { status: 403, body: 'Invalid CSRF' }],
  ['another status', { status: 409, body: { error: 'Invalid CSRF token' } }],
])('%s is not tried again', async (_, answer) => {
  answers = [answer]
  expect(await failed(api.post('x'))).toMatchObject({ status: answer.status })
  expect(asked).toHaveLength(1)
})

test('a key that is chosen is sent as it is; without `idempotent` there is none', async () => {
  await api.post('x', { idempotent: 'mine' })
  await api.post('x', { idempotent: false })
  expect(asked.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['mine', undefined])
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(171) })
  expect(idempotencyKey()).toBe('ab'.repeat(16))
})

test.each([
  [{ status: 422, body: { message: 'M', error: 'E', request_id: 'r1', data: { errors: { name: 'Taken' } } } }, 'M'],
  [{ status: 400, body: { error: 'E' } }, 'E'],
  [{ status: 503, body: '<html>' }, 'The server cannot answer right now. Please try again in a moment.'],
  [{ status: 500, body: '' }, 'The server answered with error 500. Please try again.'],
])('what went wrong: %j', async (answer, message) => {
  answers = [{ ...answer, headers: { 'retry-after': '7' } }]
  const error = await failed(api.post('x'))
  const body = typeof answer.body === 'string' ? null : answer.body
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ name: 'ApiError', status: answer.status, message, body, retryAfter: 7 })
  expect(error.errors).toEqual(answer.status === 422 ? { name: 'Taken' } : {})
  expect(error.requestId).toBe(answer.status === 422 ? 'r1' : null)
  expect(error.isOutage).toBe(answer.status === 503)
  expect(toasts()).toEqual([['error', '', message + (answer.status === 422 ? ' (r1)' : '')]])
  expect(console.error).toHaveBeenCalledWith(`POST /api/x failed: ${message}`)
})

test('a server that cannot be reached is an outage; a call that was called off is no failure at all', async () => {
  answers = [new TypeError('fetch failed'), new DOMException('off', 'AbortError'), new DOMException('bad', 'DataError')]
  const unreachable = 'The server cannot be reached. Check your connection and try again.'
  expect(await failed(api.get('x'))).toMatchObject({
    status: 0,
    message: unreachable,
    isOutage: true,
    retryAfter: null,
  })
  expect(await failed(api.get('x'))).toMatchObject({ name: 'AbortError' })
  expect(await failed(api.get('x'))).toMatchObject({ status: 0 })
  expect(console.error).toHaveBeenCalledTimes(2)
})

test('a page that a proxy has put in place of the answer is an outage', async () => {
  answers = [{ body: '<html>Log in</html>' }, { body: '<html>Log in</html>' }, { body: '' }]
  const message = 'The server cannot be reached. Check your connection and try again.'
  expect(await failed(api.post('x'))).toMatchObject({ status: 0, message, isOutage: true })
  expect(toasts()).toEqual([['error', '', message]])
  expect(await failed(api.get('x'))).toMatchObject({ status: 0, message })
  expect(await api.post('x')).toBe(null)
})

test('a 401 logs the person out without a toast; at the login it is an answer, at the start no trouble', async () => {
  answers = [{ status: 401 }, { status: 401 }, { status: 401 }, { status: 403 }]
  await failed(api.post('x'))
  expect(loggedOut).toHaveBeenCalledTimes(1)
  expect(console.error).toHaveBeenCalledTimes(1)
  await failed(api.get('auth'))
  expect(loggedOut).toHaveBeenCalledTimes(2)
  expect(console.error).toHaveBeenCalledTimes(1)
  expect(toasts()).toEqual([])
  await failed(api.post('login'))
  await failed(api.get('auth'))
  expect(loggedOut).toHaveBeenCalledTimes(2)
  expect(console.error).toHaveBeenCalledTimes(3)
})

test('a read ahead fails in silence, and ends no session', async () => {
  answers = [{ status: 401 }, new TypeError('away')]
  await failed(api.get('x', { ahead: true }))
  await failed(api.get('x', { ahead: true }))
  expect([loggedOut, console.error].map((spy) => vi.mocked(spy).mock.calls.length)).toEqual([0, 0])
})

test('a write says how it went, with the title it was given; a silent one and a read say nothing', async () => {
  const body = { type: 'warning', title: 'T', message: 'M', data: 1 }
  answers = [{ body }, { body }, { body }, { body: { title: 'Only this' } }, { body: {} }, { body: 'null' }]
  await api.post('a')
  expect(toasts()).toEqual([['warning', 'T', 'M']])
  removeToast(toastStore.read()[0]!.id)
  await api.post('b', { silent: true })
  await api.get('c')
  expect(toasts()).toEqual([])
  await api.post('d')
  await api.post('e')
  await api.post('f')
  expect(toasts()).toEqual([['success', 'Only this', '']])
})

test('only the newest success of one subject stands; a failure has its title', async () => {
  answers = [{ body: { message: '1 item' } }, { body: { message: '2 items' } }]
  await api.post('basket/1', { toldAs: 'basket' })
  await api.post('basket/2', { toldAs: 'basket' })
  expect(toasts()).toEqual([['success', '', '2 items']])
  answers = [{ status: 409, body: { title: 'Not saved', message: 'Changed' } }]
  await failed(api.post('basket/3'))
  expect(toasts()[0]).toEqual(['error', 'Not saved', 'Changed'])
})

test('the message about a failed write goes once the write works, or once the screen tells the fault itself', async () => {
  const trouble = () => showToast({ type: 'error', message: 'Before', about: 'x' })
  const about = async (call: () => Promise<unknown>) => {
    trouble()
    await call().catch(() => {})
    return toasts().some(([, , message]) => message === 'Before')
  }
  expect(await about(() => api.post('x', { silent: true }))).toBe(false)
  expect(await about(() => api.get('x'))).toBe(true)
  answers = [{ status: 409 }]
  expect(await about(() => api.post('x', { tellsTrouble: true }))).toBe(false)
  answers = [{ status: 409 }]
  expect(await about(() => api.get('x'))).toBe(true)
})

test('an upload goes by XMLHttpRequest, which tells how far it is', async () => {
  const sent: unknown[] = []
  class Upload {
    status = 201
    responseText = '{"data":2}'
    upload: { onprogress?: (event: object) => void } = {}
    onload = () => {}
    open(...how: unknown[]) {
      sent.push(...how)
    }
    setRequestHeader() {}
    getResponseHeader = () => null
    send() {
      this.upload.onprogress?.({ lengthComputable: false })
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 })
      this.onload()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  const told: number[] = []
  expect(await api.post('x', { body: new FormData(), onProgress: (part) => told.push(part) })).toEqual({ data: 2 })
  expect([sent, told, asked]).toEqual([['POST', '/api/x'], [0.25], []])
})

test('every thrown value has a sentence', () => {
  expect([new Error('Why'), 'why', null].map(errorMessage)).toEqual([
    'Why',
    'Something went wrong.',
    'Something went wrong.',
  ])
})

test('a record that needs only a name is created by it; a refusal is told and gives none', async () => {
  const made = { id: 7, name: 'Red' }
  answers = [{ body: { data: made } }, { body: { data: made } }]
  expect(await createNamed('colour')('Red')).toEqual(made)
  expect(await createNamed('supplier')('Foxway')).toEqual(made)
  expect(asked.map(({ url, body }) => [url, JSON.parse(String(body))])).toEqual([
    ['/api/colour/create', { name: 'Red' }],
    ['/api/supplier/create', { company_name: 'Foxway' }],
  ])
  answers = [{ status: 409, body: { success: false, message: 'There is one.' } }]
  expect(await createNamed('make')('Apple')).toBeNull()
  expect(toasts()).toMatchObject([['error', expect.anything(), 'There is one.']])
})

test('once a person has logged out, nothing that they have read is kept', async () => {
  vi.stubGlobal('localStorage', { removeItem: () => {} })
  queryClient.setQueryData(authQuery.queryKey, { loggedIn: true, user: { id: 1 } } as never)
  queryClient.setQueryData(['view', 'find'], { data: [{ id: 7 }] })
  answers = [{}, { status: 401, body: {} }]
  await logout()
  expect(queryClient.getQueryData(authQuery.queryKey)).toMatchObject({ loggedIn: false })
  expect(queryClient.getQueryData(['view', 'find'])).toBeUndefined()
})

test('a person who has logged out without a connection is logged out here all the same, without a message', async () => {
  vi.stubGlobal('localStorage', { removeItem: () => {} })
  queryClient.setQueryData(authQuery.queryKey, { loggedIn: true, user: { id: 1 } } as never)
  answers = [new TypeError('Failed to fetch')]
  await logout()
  expect(queryClient.getQueryData(authQuery.queryKey)).toMatchObject({ loggedIn: false })
  expect(console.error).toHaveBeenLastCalledWith('Logging out failed', expect.objectContaining({ status: 0 }))
  expect(toasts()).toEqual([])
})

/** Sends a file in a browser in which `ending` is what happens to the upload, and gives the error of the call. */
async function failedUpload(ending: 'onerror' | 'onabort', signal?: AbortSignal): Promise<Error> {
  class Upload {
    upload = {}
    onerror = () => {}
    onabort = () => {}
    open() {}
    setRequestHeader() {}
    abort = () => this.onabort()
    send = () => ending === 'onerror' && this.onerror()
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  return failed(api.post('stock/import/csv', { onProgress: () => {}, ...(signal && { signal }) }))
}

test('an upload that is interrupted fails as any call without a connection', async () => {
  const error = await failedUpload('onerror')
  expect(error).toMatchObject({ name: 'ApiError', status: 0, isOutage: true })
  expect(toasts()).toEqual([['error', '', 'The server cannot be reached. Check your connection and try again.']])
})

test('an upload that its caller ends is aborted, and nothing is said about it', async () => {
  const caller = new AbortController()
  const upload = failedUpload('onabort', caller.signal)
  caller.abort()
  expect(await upload).toMatchObject({ name: 'AbortError' })
  expect(toasts()).toEqual([])
})

test('after a write, also one without an answer, what was read before is out of date; a look-up leaves it', async () => {
  const [stock, auth] = [['stock', 'find'], authQuery.queryKey]
  const isOld = (key: readonly string[]) => queryClient.getQueryState(key)?.isInvalidated
  const read = () => queryClient.setQueryData(stock, { data: [] })
  queryClient.setQueryData(auth, { loggedIn: true, user: { id: 1 } } as never)
  read()
  await api.get('stock/find')
  await api.post('stock/scan-find', { signal: new AbortController().signal })
  expect(isOld(stock)).toBe(false)
  await api.patch('stock/1/edit')
  expect([isOld(stock), isOld(auth)]).toEqual([true, false])
  read()
  answers = [new TypeError('failed')]
  await failed(api.del('stock/1/delete'))
  expect(isOld(stock)).toBe(true)
})

test('the failure of a silent call is told, a newer one in place of an older one, and the end of a session is not', () => {
  expect(tellFailure(new ApiError(409, 'In use.'), 'view')).toBeNull()
  expect(tellFailure(new ApiError(503, 'Away.'), 'view')).toBeNull()
  expect(tellFailure(new ApiError(401, 'Log in.'))).toBeNull()
  expect(toasts()).toEqual([['error', '', 'Away.']])
  expect(() => tellFailure(new TypeError('A fault.'))).toThrow('A fault.')
})
