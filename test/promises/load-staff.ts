import http from 'node:http'

// biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
export type Answer = { status: number; body: any; headers: http.IncomingHttpHeaders; ms: number }
type Sent = { body?: object | FormData; headers?: Record<string, string> }

const agent = new http.Agent({ keepAlive: true })

/** A person who uses a running server like a browser, with cookies. It costs so little that a test can have many. */
export class Staff {
  readonly address: string
  readonly #cookies = new Map<string, string>()
  id = 0

  constructor(address: string) {
    this.address = address
  }

  /** The headers of a request: the session's cookies, and the CSRF token. */
  get headers(): Record<string, string> {
    return {
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '',
    }
  }

  async call(method: 'GET' | 'POST' | 'PUT', path: string, { body, headers }: Sent = {}): Promise<Answer> {
    const start = performance.now()
    const form = body instanceof FormData ? new Response(body) : undefined
    const payload = form ? Buffer.from(await form.arrayBuffer()) : body && JSON.stringify(body)
    const type = form ? form.headers.get('content-type')! : 'application/json'
    const send = () =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        const all = { ...this.headers, ...(payload && { 'content-type': type }), ...headers }
        const request = http.request(this.address + path, { method, agent, headers: all }, resolve)
        // If a kept connection is closed in the moment of its next use, browsers send the request again.
        request.on('error', (error: NodeJS.ErrnoException) =>
          request.reusedSocket && error.code === 'ECONNRESET' ? resolve(send()) : reject(error),
        )
        request.end(payload)
      })
    const response = await send()
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    const ms = performance.now() - start
    const text = Buffer.concat(pieces).toString()
    const isJson = response.headers['content-type']?.includes('json')
    return { status: response.statusCode!, body: isJson ? JSON.parse(text) : text, headers: response.headers, ms }
  }

  async logIn(username: string, password: string): Promise<Answer> {
    await this.call('GET', '/api/auth')
    const answer = await this.call('POST', '/api/login', { body: { username, password } })
    this.id = answer.body?.id ?? 0
    return answer
  }
}
