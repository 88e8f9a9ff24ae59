import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openBrowser, visit } from '../journeys/browser-page.ts'
import { newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'
import { full, reached } from './figures.ts'

// Quality, 5, A9: the whole application, in a real browser, with the sample shop in it.
let server: RunningServer
let browser: Browser
const folder = newDataDir()
beforeAll(async () => {
  server = await startServer(folder, { SAMPLE_DATA: '1' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  removeDataDir(folder)
})

const areas = [
  'stock',
  'batch',
  'sale',
  'user',
  'customer',
  'partner',
  'supplier',
  'product',
  'make',
  'colour',
  'category',
  'vat',
]
const all = [
  ...areas.map((area) => `/admin/${area}`),
  ...areas.map((area) => `/admin/${area}/edit/1`),
  ...['stock', 'customer', 'product', 'sale', 'batch'].map((area) => `/admin/${area}/create`),
  ...['dashboard', 'quick-order', 'company', 'stock/import', 'stock/import/history', 'batch/add-to-batch'].map(
    (at) => `/admin/${at}`,
  ),
  '/error',
  '/error/500',
]

/** Daily only some: the journeys pass the others. */
const screens = full ? all : all.filter((_, n) => n % 4 === 0)

test('A9: no screen asks anybody else, or breaks its own content security policy', async () => {
  const { page, problems } = await visit(browser, server.address)
  await logIn(page)
  for (const screen of screens) {
    await page.goto(screen)
    await page.waitForLoadState('networkidle')
  }
  expect(problems.filter((problem) => /a request to|Content Security Policy/i.test(problem))).toEqual([])
  reached('A9 in a browser', `${screens.length} screens: no request to others`, 'no third-party request')
})
