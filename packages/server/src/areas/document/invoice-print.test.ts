import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { textOf } from '../../testing/printed-invoice.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  t = await testApp()
  client = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-print-'))
})
afterAll(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})

async function soldInvoice(): Promise<{ id: number; text: () => Promise<string> }> {
  const ids = await stockItems(t.db, shop, 3, { vat_id: shop.vat.standard })
  const stock_items = ids.map((id) => ({ id, sales_price: 10_000 }))
  const { body } = await client.post('/api/sale/create', { stock_items, customer_id: shop.customer })
  const { id } = body.data
  const text = async () => {
    await runSaleJobs(t, dataDir)
    return (await textOf((await client.get(`/api/sale/${id}/invoice`)).raw)).join(' ')
  }
  return { id, text }
}

test('an invoice bears the registration and groups lines as the company had it when it was made', async () => {
  const plain = await soldInvoice()
  await client.post('/api/company/edit', { registration: 'CRO 123456', group_invoice_lines: true })
  const grouped = await soldInvoice()
  const said = await grouped.text()
  for (const part of ['CRO 123456', 'Payable within 14 days', 'Net amount', '300.00']) expect(said).toContain(part)
  expect(said).not.toContain('IMEI / serial number')
  const before = await plain.text()
  expect(before).toContain('IMEI / serial number')
  for (const part of ['CRO 123456', 'Net amount']) expect(before).not.toContain(part)
})
