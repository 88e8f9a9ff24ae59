import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, logIn, openBrowserOfJourneys, visit } from '../journeys/browser-page.ts'
import { newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'
import { full, reached } from './figures.ts'

// Promise A9 of docs/promises.md: all screens in a real browser, with the sample shop.
let server: RunningServer
let browser: Browser
const folder = newDataDir()
beforeAll(async () => {
  // The server starts for the first time, as on a new machine: it brings PostgreSQL and makes the sample shop. Journeys
  // work on copies of a finished one.
  server = await startServer(folder, { SAMPLE_DATA: '1' })
  browser = await openBrowserOfJourneys()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  removeDataDir(folder)
})

/**
 * The paths of all screens: those of the areas with a list and a form, which the API's description names, and the
 * others.
 */
function screensOf(paths: Record<string, unknown>): string[] {
  const areas = Object.keys(paths).flatMap((path) => /^\/api\/([a-z-]+)\/create$/.exec(path)?.[1] ?? [])
  return [
    ...areas.map((area) => `/admin/${area}`),
    ...areas.map((area) => `/admin/${area}/edit/1`),
    ...areas.map((area) => `/admin/${area}/create`),
    ...[
      'dashboard',
      'quick-order',
      'scan',
      'company',
      'stock/import',
      'stock/import/history',
      'batch/add-to-batch',
    ].map((at) => `/admin/${at}`),
    '/error',
    '/error/500',
  ]
}

testInTurn('A9: no screen asks anybody else, or breaks its own content security policy', async () => {
  const { page, problems } = await visit(browser, server.address)
  await logIn(page)
  const { paths } = (await (await page.request.get('/api/openapi.json')).json()) as { paths: Record<string, unknown> }
  const all = screensOf(paths)
  expect(all.length).toBeGreaterThan(40)
  // The daily run opens only some screens, because journeys open the others.
  const screens = full ? all : all.filter((_, n) => n % 8 === 0)
  for (const screen of screens) {
    await page.goto(screen)
    await atRest(page)
  }
  expect(problems.filter((problem) => /a request to|Content Security Policy/i.test(problem))).toEqual([])
  reached('A9 in a browser', `${screens.length} screens: no request to others`, 'no third-party request')
})
