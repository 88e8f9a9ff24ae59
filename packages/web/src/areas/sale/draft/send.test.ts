import { afterEach, expect, test, vi } from 'vitest'
import { toastStore } from '../../../api/toast.ts'
import { draftSender } from './send.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a draft that is sent again keeps its key until anything in it changes, so that it is sold once', async () => {
  const sent: { key: string | undefined; form: Record<string, unknown> }[] = []
  const answers = [503, 201, 201, 201, 201]
  vi.stubGlobal('document', { cookie: '' })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal(
    'fetch',
    async (url: string, { headers, body }: { headers: Record<string, string>; body: FormData }) => {
      expect(url).toBe('/api/sale/create')
      sent.push({ key: headers['Idempotency-Key'], form: Object.fromEntries(body) })
      return Response.json({ data: { id: 7 } }, { status: answers.shift()! })
    },
  )
  const send = draftSender()
  const fields = { stock_items: [{ id: 1, sales_price: 100 }], customer_id: null, create_excel: false }
  await expect(send(fields)).rejects.toMatchObject({ status: 503 })
  // No toast: the form shows the error itself.
  expect(toastStore.read()).toEqual([])
  expect(await send({ ...fields })).toEqual({ id: 7 })
  await send({ ...fields, customer_id: 3 })
  await send(fields)
  await draftSender()(fields)
  const keys = sent.map(({ key }) => key)
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  // Each change gets a new key, also a change back to an earlier state: a sale may already exist under the earlier key.
  expect(new Set(keys).size).toBe(4)
  expect(sent[0]!.form).toEqual({
    stock_items: '[{"id":1,"sales_price":100}]',
    customer_id: '',
    create_excel: 'false',
  })
})
