import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from './testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const POLICY = [
  `default-src 'self';base-uri 'self';font-src 'self';form-action 'self';frame-ancestors 'none'`,
  `img-src 'self' data: blob:;object-src 'none';script-src 'self' 'wasm-unsafe-eval';script-src-attr 'none'`,
  `style-src 'self' 'unsafe-inline'`,
  `worker-src 'self';connect-src 'self'`,
]

test('a browser loads only from named places, and stays on HTTPS if people reach the server by HTTPS', async () => {
  const headersOf = ({ headers }: { headers: Record<string, unknown> }) => [
    headers['content-security-policy'],
    headers['strict-transport-security'],
  ]
  expect(headersOf(await t.app.inject('/healthz'))).toEqual([POLICY.join(';'), undefined])
  const secure = await testApp({ publicUrl: 'https://shop.test' })
  const answer = await secure.app.inject('/healthz')
  await secure.close()
  const upgrading = POLICY.toSpliced(-1, 0, 'upgrade-insecure-requests').join(';')
  expect(headersOf(answer)).toEqual([upgrading, 'max-age=31536000; includeSubDomains'])
})

test('a long answer is packed if the client can unpack it; a short one and a file of stock are not', async () => {
  const user = await t.user()
  const packing = async (url: string, accepted: string) => {
    const { headers } = await t.app.inject({ url, headers: { 'accept-encoding': accepted } })
    return headers['content-encoding']
  }
  expect(await packing('/metrics', 'gzip, deflate, br')).toBe('gzip')
  expect(await packing('/metrics', 'identity')).toBeUndefined()
  expect(await packing('/healthz', 'gzip')).toBeUndefined()
  const file = await user.get('/api/stock/export/csv', { 'accept-encoding': 'gzip' })
  expect([file.status, file.headers['content-encoding']]).toEqual([200, undefined])
})
