// biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
export type Answer = { status: number; body: any; retryAfter: string | null }
type Sent = { method?: string; body?: object | FormData; key?: string; at?: string }

/** No request of these tests takes longer; if one does, its answer is lost. */
const FORGOTTEN_MS = 30_000

/** A person who uses the API like a browser, with cookies. */
export class Person {
  readonly address: string
  readonly #cookies = new Map<string, string>()

  constructor(address: string) {
    this.address = address
  }

  /** `at` is another address than this person's own. The cookies are the same. */
  async call(path: string, { method = 'GET', body, key, at = this.address }: Sent = {}): Promise<Answer> {
    const isForm = body instanceof FormData
    const response = await fetch(at + path, {
      method,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '',
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      signal: AbortSignal.timeout(FORGOTTEN_MS),
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      body: isJson ? await response.json() : await response.text(),
      retryAfter: response.headers.get('retry-after'),
    }
  }

  async logIn(username: string, password: string): Promise<Answer> {
    await this.call('/api/auth')
    return this.call('/api/login', { method: 'POST', body: { username, password } })
  }
}
