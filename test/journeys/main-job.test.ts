import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { formatMoney } from '@backstock/contract/money.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import type { Browser, Page } from '@playwright/test'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expect as expectPage, logIn, MOVING, openBrowserOfJourneys, visit, withPicture } from './browser-page.ts'
import { newDataDir, type RunningServer, removeDataDir, startServer } from './running-server.ts'
import { imeiOf, salesPriceOf, supplierFile } from './supplier-file.ts'

const GOOD = 2000
const SOLD = Array.from({ length: 30 }, (_, n) => n * 61)
const BUYER = { first: 'Παναγιώτα', last: 'Wiśniewska-Żółć' }

let dataDir: string
let server: RunningServer
let browser: Browser
beforeAll(async () => {
  dataDir = newDataDir()
  server = await startServer(dataDir)
  browser = await openBrowserOfJourneys()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  removeDataDir(dataDir)
})

test("a supplier's CSV becomes stock, and stock becomes an invoiced sale that survives a crash", async () => {
  const { page, context, problems } = await visit(browser, server.address, MOVING)
  let saleId = 0
  await withPicture('main-job', page, async () => {
    await logIn(page)
    await addVatAndSupplier(page)
    await importFile(page)
    await readHistory(page)
    await collect(page)
    saleId = await sell(page)
    await checkDocuments(page, saleId, await checkTotals(page))
    await checkMail()
  })

  // From now on no server answers the requests of this page.
  expect(problems).toEqual([])
  await server.kill()
  await context.close()
  server = await startServer(dataDir)
  const after = await visit(browser, server.address, MOVING)
  await logIn(after.page)
  await after.page.goto(`/admin/sale/edit/${saleId}?tab=summary`)
  await checkDocuments(after.page, saleId, await checkTotals(after.page))
  await checkMail()
  await after.page.goto('/admin/stock')
  await expectPage(after.page.getByText(`of ${(GOOD - SOLD.length).toLocaleString('en')} entries`)).toBeVisible()
  expect(after.problems).toEqual([])
})

async function addVatAndSupplier(page: Page): Promise<void> {
  await page.goto('/admin/vat/create')
  await page.getByLabel('Name').fill('Standard')
  await page.getByLabel('Rate').fill('23')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/vat')
  await page.goto('/admin/supplier/create')
  await page.getByLabel('Company name').fill('Pallet Traders')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/supplier')
}

async function importFile(page: Page): Promise<void> {
  await page.goto('/admin/stock/import')
  const start = page.getByRole('button', { name: 'Import', exact: true })
  await expectPage(start).toBeDisabled()
  await page
    .getByLabel('Choose a CSV or Excel file')
    .setInputFiles({ name: 'pallet 17.csv', mimeType: 'text/csv', buffer: supplierFile(GOOD) })
  await expectPage(page.getByRole('radio', { name: 'Semicolon (;)' })).toBeChecked()
  await start.click()
  await expectPage(page.getByRole('progressbar')).toBeVisible()
  await expectPage(page.getByText(/2,001 of 2,001 processed: 2,000/)).toBeVisible()
}

async function readHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click()
  const entry = page.getByRole('button', { name: /Processed/ })
  await expectPage(entry).toContainText(/Processed\D*2,001/)
  await expectPage(entry).toContainText(/Success\D*2,000/)
  await expectPage(entry).toContainText(/Failed\D*1\b/)
  await entry.click()
  await expectPage(page.getByText('Errors occurred during import:')).toBeVisible()
  await expectPage(page.getByText(/A spreadsheet has shortened this IMEI to 3,56E\+14/)).toBeVisible()
  await expectPage(page.getByText(/Nobody Knows Ltd/)).toBeVisible()
}

async function collect(page: Page): Promise<void> {
  await page.goto('/admin/quick-order')
  await page.getByRole('textbox', { name: 'IMEIs or serial numbers' }).fill(SOLD.map(imeiOf).join('\n'))
  await page.getByRole('button', { name: /Add to basket/ }).click()
  await expectPage(page.getByRole('button', { name: 'Basket, 30 items' })).toBeVisible()
}

async function sell(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Basket, 30 items' }).click()
  await page.getByRole('button', { name: 'Sale', exact: true }).click()
  await page.waitForURL('**/admin/sale/create')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByText('New customer', { exact: true }).click()
  await page.getByRole('textbox', { name: 'First name' }).fill(BUYER.first)
  await page.getByRole('textbox', { name: 'Last name' }).fill(BUYER.last)
  await page.getByRole('textbox', { name: 'Email' }).fill('buyer@example.test')
  await page.getByRole('textbox', { name: 'Address line 1' }).fill('ul. Długa 5')
  await page.getByRole('textbox', { name: 'Postal code' }).fill('90-001')
  await page.getByRole('textbox', { name: 'City' }).fill('Łódź')
  await page.getByRole('combobox', { name: 'Country' }).fill('Poland')
  await page.getByRole('option', { name: 'Poland' }).click()
  await expectPage(page.getByRole('checkbox', { name: 'Create Excel' })).toBeChecked()
  await page.getByRole('button', { name: 'Create Sale (30)' }).dblclick()
  await page.waitForURL(/\/admin\/sale\/edit\/\d+/)
  await expectPage(page.getByRole('button', { name: 'Basket, 0 items' })).toBeVisible()
  return Number(/edit\/(\d+)/.exec(page.url())![1])
}

type Expected = { net: string; gross: string }

async function checkTotals(page: Page): Promise<Expected> {
  const lines = SOLD.map((n) => ({ price: salesPriceOf(n), rate: 2300, treatment: 'standard' as const }))
  const totals = saleTotals(lines, false)
  const net = formatMoney(totals.total_sales_price)
  const gross = formatMoney(totals.total_sales_price_vat)
  await expectPage(page.getByText(net).first()).toBeVisible()
  await expectPage(page.getByText(gross).first()).toBeVisible()
  return { net, gross }
}

async function checkDocuments(page: Page, saleId: number, { net, gross }: Expected): Promise<void> {
  const get = async (what: string) => {
    const answer = await page.request.get(`/api/sale/${saleId}/${what}`)
    return { status: answer.status(), body: await answer.body() }
  }
  await expectPage.poll(async () => (await get('invoice')).status).toBe(200)
  await expectPage.poll(async () => (await get('excel')).status).toBe(200)
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: (await get('invoice')).body }).toString()
  for (const n of SOLD) expect(text).toContain(imeiOf(n))
  for (const expected of [`${BUYER.first} ${BUYER.last}`, 'Łódź', net, gross, `${new Date().getUTCFullYear()}-00001`])
    expect(text).toContain(expected)
  expect((await get('excel')).body.subarray(0, 2).toString()).toBe('PK')
}

/** Checks that one mail was sent, with the invoice attached. */
async function checkMail(): Promise<void> {
  const folder = path.join(dataDir, 'mail')
  const mails = () => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.name.endsWith('.eml'))
  await expectPage.poll(() => mails().length).toBe(1)
  const mail = await PostalMime.parse(readFileSync(path.join(folder, mails()[0]!.name)))
  expect(mail.to).toEqual([{ name: `${BUYER.first} ${BUYER.last}`, address: 'buyer@example.test' }])
  expect(mail.attachments.map((attachment) => attachment.mimeType)).toContain('application/pdf')
}
