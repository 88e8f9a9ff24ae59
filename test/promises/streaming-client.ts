import { once } from 'node:events'
import http from 'node:http'
import { ADMIN } from '../journeys/running-server.ts'

export type HttpAnswer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
  body: any
  ms: number
}

const PIECE = 1024 * 1024

/** A body of `size` bytes. Its pieces are made while they are sent, and never held in memory together. */
export type Source = { size: number; pieces: () => Iterable<Buffer> }

/** A body with `start`, then `filler` again and again, `size` bytes in all. */
export function longSource(start: Buffer | string, filler: Buffer | string, size: number): Source {
  const first = Buffer.from(start)
  const unit = Buffer.from(filler)
  const piece = Buffer.alloc(Math.max(1, Math.floor(PIECE / unit.length)) * unit.length, unit)
  function* pieces() {
    yield first
    for (let left = size - first.length; left > 0; left -= piece.length) yield piece.subarray(0, left)
  }
  return { size, pieces }
}

/** A client for uploads that is logged in to a server. It uses real sockets, with a new connection for each request. */
export class StreamingClient {
  readonly address: string
  #cookies: Record<string, string> = {}

  constructor(address: string) {
    this.address = address
  }

  /** Logs in as the administrator, unless somebody else is given. */
  async logIn(who: { email: string; password: string } = ADMIN): Promise<number> {
    await this.send('GET', '/api/auth')
    const login = JSON.stringify({ username: who.email, password: who.password })
    const { status, body } = await this.send(
      'POST',
      '/api/login',
      { 'content-type': 'application/json' },
      ofBuffer(login),
    )
    if (status !== 200) throw new Error(`Could not log in: ${JSON.stringify(body)}`)
    return body.id
  }

  /** Uploads a file in a form. */
  upload(path: string, field: string, file: Source, name: string, type: string): Promise<HttpAnswer> {
    return this.send('POST', path, FORM_TYPE, form(field, file, name, type))
  }

  /** Begins to upload a file, and breaks the connection off when this share of it is sent. */
  async breakOff(path: string, field: string, file: Source, name: string, type: string, share: number): Promise<void> {
    const source = form(field, file, name, type)
    const request = this.#open('POST', path, { ...FORM_TYPE, 'content-length': String(source.size) })
    request.on('error', () => undefined)
    let left = Math.floor(source.size * share)
    for (const piece of source.pieces()) {
      const part = piece.subarray(0, left)
      left -= part.length
      if (left === 0) {
        await new Promise((resolve) => request.write(part, resolve))
        break
      }
      if (!request.write(part)) await once(request, 'drain')
    }
    request.destroy()
  }

  async send(method: string, path: string, headers: Record<string, string> = {}, source?: Source): Promise<HttpAnswer> {
    const start = performance.now()
    const request = this.#open(method, path, { ...headers, ...(source && { 'content-length': String(source.size) }) })
    const answered = new Promise<http.IncomingMessage>((resolve, reject) =>
      request.once('response', resolve).once('error', reject),
    )
    let response: http.IncomingMessage | undefined
    const done = answered.then((got) => {
      response = got
    })
    done.catch(() => undefined) // the error is thrown below
    for (const piece of source?.pieces() ?? []) {
      if (response) break
      if (!request.write(piece)) await Promise.race([once(request, 'drain'), done])
    }
    // If the server answers early, the client stops sending.
    if (!response) request.end()
    const got = await answered
    const chunks: Buffer[] = []
    for await (const chunk of got) chunks.push(chunk as Buffer)
    request.destroy()
    for (const line of got.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies[name!] = value!
    }
    const text = Buffer.concat(chunks).toString()
    const isJson = String(got.headers['content-type']).includes('json')
    return { status: got.statusCode!, body: isJson ? JSON.parse(text) : text, ms: performance.now() - start }
  }

  #open(method: string, path: string, headers: Record<string, string>): http.ClientRequest {
    return http.request(this.address + path, {
      method,
      agent: false,
      headers: {
        cookie: Object.entries(this.#cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
        'x-xsrf-token': this.#cookies['XSRF-TOKEN'] ?? '',
        ...headers,
      },
    })
  }
}

/** A body that is held in memory. */
export function ofBuffer(content: Buffer | string): Source {
  const bytes = Buffer.from(content)
  return { size: bytes.length, pieces: () => [bytes] }
}

const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=b' }

function form(field: string, file: Source, name: string, type: string): Source {
  const head = Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  )
  const tail = Buffer.from('\r\n--b--\r\n')
  function* pieces() {
    yield head
    yield* file.pieces()
    yield tail
  }
  return { size: head.length + file.size + tail.length, pieces }
}
