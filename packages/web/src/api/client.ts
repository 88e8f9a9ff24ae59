import type { ErrorAnswer, WriteAnswer } from '@backstock/contract/answer.ts'
import { csrfToken } from './csrf.ts'
import { ApiError } from './error.ts'
import { outdateReads } from './query-client.ts'
import { removeToastsAbout, showToast } from './toast.ts'
import { viaFetch, viaUpload, type Wire, type WireAnswer } from './transport.ts'

/**
 * The part after the question mark. A value of undefined leaves its name out. A list is sent comma-separated; an empty
 * list is sent as `name=`.
 */
export type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>

export type Call = {
  query?: Query
  /** JSON, or FormData for files. */
  body?: unknown
  headers?: Record<string, string>
  /** Shows no toasts. Reads (GET) never show any. */
  silent?: boolean
  /** The screen itself shows the error, so no toast repeats it. */
  tellsTrouble?: boolean
  /**
   * The subject of the toast of success; the path if left out. A toast replaces an older one about the same subject.
   */
  toldAs?: string
  /**
   * Sends an Idempotency-Key, which stays the same if the call is repeated after 'Invalid CSRF token'. A string is the
   * key itself.
   */
  idempotent?: boolean | string
  signal?: AbortSignal
  /**
   * Reads ahead, before a screen needs the answer. A failure shows nothing and logs nobody out, because the screen
   * reads again by itself.
   */
  ahead?: boolean
  /** The answer is a file: `body` becomes a Blob. */
  isFile?: boolean
  /** Called with the sent part of an upload, from 0 to 1. */
  onProgress?: (part: number) => void
}
export type Answer<Body> = { body: Body; header: (name: string) => string | null; status: number }

const RETRY_AFTER_MS = 5000
const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.'
const AWAY = 'The server cannot answer right now. Please try again in a moment.'

/** The functions of session.ts that a request needs. session.ts hands them over, because it imports this file. */
type SessionHooks = { refetchAuth: () => Promise<unknown>; loggedOut: () => void }
let session: SessionHooks = { refetchAuth: async () => {}, loggedOut: () => {} }
export function connectSession(hooks: SessionHooks): void {
  session = hooks
}

/** The address of an API endpoint, for links and downloads too. */
export function apiUrl(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  const text = search.toString()
  return `/api/${path}${text && `?${text}`}`
}

/** Undefined if the text is no JSON. Null if there is none. */
function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure({ status, header }: WireAnswer, body: Partial<ErrorAnswer> | null): ApiError {
  const retryAfter = Number(header('retry-after')) || null
  const message =
    body?.message ||
    body?.error ||
    (status === 503 ? AWAY : `The server answered with error ${status}. Please try again.`)
  return new ApiError(status, message, {
    errors: body?.data?.errors,
    retryAfter,
    requestId: body?.request_id ?? null,
    body,
  })
}

async function attempt(wire: Wire, call: Call): Promise<{ answer: WireAnswer; body: unknown }> {
  const token = wire.method === 'GET' ? null : csrfToken()
  if (token) wire.headers['X-XSRF-TOKEN'] = token
  try {
    const answer = call.onProgress ? await viaUpload(wire, call.onProgress) : await viaFetch(wire)
    return { answer, body: answer.file ?? readJson(answer.text) }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, UNREACHABLE)
  }
}

const invalidCsrf = ({ answer, body }: { answer: WireAnswer; body: unknown }) =>
  answer.status === 403 && /invalid csrf/i.test((body as Partial<ErrorAnswer> | null | undefined)?.error ?? '')

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * The only way to the server. Returns the body and the headers of the answer. Throws ApiError for every failure, and an
 * AbortError if the caller's signal aborts the call. After 'Invalid CSRF token' it gets a new token and repeats the
 * call once, after 5 s. Only a 401 logs the person out.
 */
export async function request<Body>(method: string, path: string, call: Call = {}): Promise<Answer<Body>> {
  const isForm = call.body instanceof FormData
  const wire: Wire = {
    method,
    url: apiUrl(path, call.query),
    headers: { Accept: 'application/json', ...call.headers },
    body: isForm ? (call.body as FormData) : call.body === undefined ? null : JSON.stringify(call.body),
    signal: call.signal,
    isFile: call.isFile,
  }
  if (!isForm && call.body !== undefined) wire.headers['Content-Type'] = 'application/json'
  if (call.idempotent)
    wire.headers['Idempotency-Key'] = typeof call.idempotent === 'string' ? call.idempotent : idempotencyKey()
  const silent = call.silent || method === 'GET'
  try {
    let result = await attempt(wire, call)
    if (invalidCsrf(result)) {
      showToast({ type: 'warning', message: 'Invalid CSRF token, retrying in 5 seconds...', about: path })
      await Promise.all([session.refetchAuth().catch(() => {}), pause(RETRY_AFTER_MS)])
      result = await attempt(wire, call)
      if (invalidCsrf(result)) throw new ApiError(403, 'Invalid CSRF token, please refresh the page.')
    }
    const { answer, body } = result
    if (answer.status >= 400) throw failure(answer, (body ?? null) as Partial<ErrorAnswer> | null)
    // A page that a proxy has put in the server's place, such as its own login.
    if (body === undefined) throw new ApiError(0, UNREACHABLE)
    if (method !== 'GET') removeToastsAbout(path)
    if (!silent) showAnswer(call.toldAs ?? path, body)
    return { body: body as Body, header: answer.header, status: answer.status }
  } catch (error) {
    if (!(error instanceof ApiError) || call.ahead) throw error
    const isOver = error.status === 401 && path !== 'login'
    // The call to `auth` asks whether somebody is logged in. A 401 is then an answer, not a failure.
    if (!isOver || path !== 'auth') console.error(`${method} ${wire.url} failed: ${error.message}`)
    if (isOver) session.loggedOut()
    else if (!(silent || call.tellsTrouble) || /^Invalid CSRF/.test(error.message)) showFailure(path, error)
    else if (method !== 'GET') removeToastsAbout(path)
    throw error
  } finally {
    // A call with a signal looks something up. Any other may have changed what was read, even if its answer got lost.
    if (method !== 'GET' && !call.signal) outdateReads()
  }
}

function showAnswer(about: string, body: unknown) {
  const { type, title, message } = (body ?? {}) as Partial<WriteAnswer<unknown>>
  if (message || title) showToast({ type: type ?? 'success', title: title ?? '', message: message ?? '', about })
}

function showFailure(about: string, error: ApiError) {
  const title = (error.body as Partial<ErrorAnswer> | null)?.title ?? ''
  const reference = error.requestId ? ` (${error.requestId})` : ''
  showToast({ type: 'error', title, message: error.message + reference, about })
}

/**
 * A new idempotency key: the server carries out a write only once for each key. Keep the key for as long as the person
 * means the same write.
 */
export function idempotencyKey(): string {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16)).join('')
}

const bodyOf =
  (method: string) =>
  async <Body>(path: string, call?: Call): Promise<Body> =>
    (await request<Body>(method, path, call)).body

/** Calls that return the body alone; `path` is the part after /api/. Writes show a toast unless `silent`. */
export const api = {
  get: bodyOf('GET'),
  post: bodyOf('POST'),
  put: bodyOf('PUT'),
  patch: bodyOf('PATCH'),
  del: bodyOf('DELETE'),
}
