import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PASSWORD, testApp } from '../testing/app.ts'

const UPLOADS = 12
const PAUSE_MS = 10

let t: Awaited<ReturnType<typeof testApp>>
let port: number
beforeAll(async () => {
  t = await testApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as net.AddressInfo).port
})
afterAll(() => t.close())

/** The headers of a user who is logged in. */
async function loggedIn(): Promise<string> {
  const { email } = await t.user('ROLE_ADMIN')
  const jar = new Map<string, string>()
  const cookies = () => Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ')
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { cookie: cookies(), 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '', 'content-type': 'application/json' },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    return answer.status
  }
  await ask('/api/auth')
  expect(await ask('/api/login', { username: email, password: PASSWORD })).toBe(200)
  return `Host: a\r\nCookie: ${cookies()}\r\nX-XSRF-TOKEN: ${jar.get('XSRF-TOKEN')}`
}

test.each([
  ['a preview', '/api/stock/import/preview', 'csv'],
  ['an import', '/api/stock/import/csv', 'csv'],
  ['a logo', '/api/company/logo', 'logo'],
  ['an invoice', '/api/sale/999999/pdf', 'invoice'],
  ['a file that nobody asks for', '/api/stock/import/preview', 'other'],
])('uploads of %s that drip beside each other, and are broken off, bring no warning of Node', async (_, url, field) => {
  const warnings: string[] = []
  const hear = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`)
  process.on('warning', hear)
  const headers = await loggedIn()
  const start = `POST ${url} HTTP/1.1\r\n${headers}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000`
  const part = `--b\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\nContent-Type: text/csv`
  const sockets = Array.from({ length: UPLOADS }, () => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(`${start}\r\n\r\n${part}\r\n\r\nimei\r\n`)
    return socket
  })
  for (let n = 0; n < 40; n++) {
    for (const socket of sockets) socket.write(`${n}\r\n`)
    await delay(PAUSE_MS)
  }
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => {
    const open = await new Promise<number>((resolve) => t.app.server.getConnections((_error, n) => resolve(n)))
    // The connection of `fetch` may still be open.
    expect(open).toBeLessThan(UPLOADS)
  })
  process.off('warning', hear)
  expect(warnings).toEqual([])
})
