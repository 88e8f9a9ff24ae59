import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, catchAnswer, expect, hold, logIn, MOVING } from './browser-page.ts'
import { project } from './running-server.ts'
import { answer, openShop, rowsOf, toast } from './sample-shop.ts'
import { PHONE } from './screen-look.ts'
import { newItems } from './shop-records.ts'

const shop = openShop()

const KB = 1024
const isAsset = (url: string) => new URL(url).pathname.startsWith('/assets/')
const isFind = (area: string, query: RegExp) => (request: Request) =>
  new URL(request.url()).pathname === `/api/${area}/find` && query.test(new URL(request.url()).search)

/** The size of a built file in bytes on the wire. Fonts and pictures are compressed already. */
function weight(url: string): number {
  const file = readFileSync(path.join(project, 'packages/web/dist', new URL(url).pathname))
  return /\.(js|css)$/.test(url) ? gzipSync(file).length : file.length
}

/** Collects the files that the page loads from now on. */
function assetsOf(page: Page): Set<string> {
  const asked = new Set<string>()
  page.on('request', (request) => isAsset(request.url()) && asked.add(request.url()))
  return asked
}
/** Files that are loaded some seconds after the first screen. */
const LATER = /\/(?:quick-search|dialogs)-/
const scripts = (assets: Set<string>) => [...assets].filter((url) => url.endsWith('.js') && !LATER.test(url))
const sum = (urls: Iterable<string>) => [...urls].reduce((total, url) => total + weight(url), 0)

testInTurn('first loads are small and of few files, and nothing is fetched twice', async () => {
  const { page, context } = await shop.stranger(MOVING)
  const assets = assetsOf(page)
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeVisible()
  await atRest(page)
  expect(sum(scripts(assets)), 'login').toBeLessThanOrEqual(150 * KB)
  await logIn(page)
  const storageState = await context.storageState()

  const screens = {
    '/admin/stock': 240,
    '/admin/colour': 320,
    '/admin/stock/edit/1': 320,
    '/admin/stock/import': 320,
    '/admin/batch/edit/1': 320,
    '/admin/sale/edit/1?tab=summary': 320,
    '/admin/sale/create': 320,
    '/admin/quick-order': 320,
    '/admin/scan': 320,
    '/admin/dashboard': 320,
  }
  for (const [screen, most] of Object.entries(screens)) {
    const { page, context } = await shop.stranger({ ...MOVING, storageState })
    const asked = assetsOf(page)
    await page.goto(screen)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await atRest(page)
    expect(sum(scripts(asked)), screen).toBeLessThanOrEqual(most * KB)
    expect(scripts(asked).length, screen).toBeLessThanOrEqual(screen === '/admin/stock' ? 5 : 10)
    if (screen === '/admin/stock') {
      await page.reload()
      await expect(rowsOf(page, 'Stock Overview').first()).toBeVisible()
      expect((await transferred(page)).filter((url) => !LATER.test(url))).toEqual([])
    }
    await context.close()
  }
})

testInTurn('files with a hash in their name come packed, and are kept; all others are asked for again', async () => {
  const { page } = await shop.stranger()
  const assets = assetsOf(page)
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeVisible()
  const texts = [...assets].filter((url) => /\.(js|css)$/.test(url))
  expect(texts.length).toBeGreaterThan(3)
  for (const url of texts)
    for (const packing of ['br', 'gzip']) {
      const headers = (await page.request.get(url, { headers: { 'accept-encoding': packing } })).headers()
      expect(headers).toMatchObject({
        'content-encoding': packing,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      })
      expect(Number(headers['content-length']), 'packed once, by the build').toBeGreaterThan(0)
    }
  // After an upgrade, an old page would name files that are gone.
  for (const address of ['/', '/admin/stock', '/index.html', '/start.js', '/favicon.svg']) {
    const got = await page.request.get(address)
    expect([address, got.status(), got.headers()['cache-control']]).toEqual([address, 200, 'no-cache'])
  }
})

testInTurn('the page is sent again only if its content differs, whatever the time of its file', async () => {
  const { page } = await shop.stranger()
  const html = readFileSync(path.join(project, 'packages/web/dist/index.html'))
  const tag = `W/"${createHash('sha256').update(html).digest('base64url')}"`
  for (const address of ['/', '/admin/stock', '/index.html']) {
    const get = (headers = {}) => page.request.get(address, { headers })
    const first = await get()
    const { etag, 'last-modified': time } = first.headers()
    expect([first.status(), etag, time, await first.text()]).toEqual([200, tag, undefined, html.toString()])
    const same = await get({ 'if-none-match': tag })
    expect([same.status(), same.headers()]).toMatchObject([304, { etag: tag, 'cache-control': 'no-cache' }])
    expect((await get({ 'if-none-match': 'W/"other"' })).status()).toBe(200)
  }
})

/** The files with a hash in their name that were loaded again. */
function transferred(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter((entry) => entry.name.includes('/assets/') && entry.transferSize > 0)
      .map((entry) => entry.name),
  )
}

testInTurn('a list is one round of calls, and what the pointer rests on is there before the click', async () => {
  const { page } = await shop.admin(MOVING)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/auth' || pathname.endsWith('/find')) asked.push(pathname)
  })
  const answerAuth = await hold(page, '**/api/auth')
  const list = page.waitForRequest(isFind('stock', /status=In/))
  await page.goto('/admin/stock')
  await list
  answerAuth()
  const rows = rowsOf(page, 'Stock Overview')
  await expect(rows.first().getByRole('link')).toBeVisible()
  expect(asked.sort()).toEqual(['/api/auth', '/api/stock/find'])
  await page.unroute('**/api/auth')

  const next = page.getByRole('button', { name: 'Next page' })
  const secondPage = await catchAnswer(page, /\/api\/stock\/find\?(?:.*&)?page=2(?:&|$)/)
  await next.hover()
  const { data } = (await (await secondPage()).response.json()) as { data: { id: number }[] }
  const answerFinds = await hold(page, '**/api/stock/find*')
  await next.click()
  await expect(rows.first().getByRole('link')).toHaveAttribute('href', `/admin/stock/edit/${data[0]!.id}`)
  answerFinds()
  await page.unroute('**/api/stock/find*')

  const record = await catchAnswer(page, /\/api\/stock\/find\?(?:.*&)?id=\d+/)
  await rows.nth(2).getByRole('link').hover()
  await record()
  const answerRecord = await hold(page, '**/api/stock/find*')
  await rows.nth(2).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: `Stock Item # ${data[2]!.id}` })).toBeVisible()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  answerRecord()
})

testInTurn('a new sale asks for its items and their VAT while the code of its screen is still on the way', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.clock.install()
  await page.goto('/admin/stock')
  await page.getByRole('button', { name: 'Basket, 2 items' }).click()
  // Answers asked ahead count for two seconds. On a busy machine the code may come later, so the page's clock stands.
  await page.clock.pauseAt(Date.now() + 60_000)
  const sendCode = await hold(page, '**/assets/{create-page,forms}-*.js')
  const facts = await catchAnswer(page, '**/api/sale/tax-facts')
  const found = await catchAnswer(page, /\/api\/stock\/find\?.*ids=/)
  await page.getByRole('button', { name: 'Sale', exact: true }).click()
  await Promise.all([facts(), found()])
  const again: string[] = []
  page.on('request', (request) => {
    if (isFind('stock', /ids=/)(request) || request.url().endsWith('tax-facts')) again.push(request.url())
  })
  sendCode()
  await expect(async () => {
    await page.clock.runFor(20)
    expect(await rowsOf(page, 'Items of the sale').count()).toBe(2)
  }).toPass()
  await page.clock.resume()
  await expect(page.getByLabel('Reference number')).toHaveCount(0)
  expect(again).toEqual([])
})

testInTurn('on a phone the text of a list takes the place of its grey bars, beside ticks and without', async () => {
  const { page } = await shop.admin(PHONE)
  for (const [area, title] of [
    ['stock', 'Stock Overview'],
    ['make', 'Make'],
  ] as const) {
    const answerFinds = await hold(page, `**/api/${area}/find*`)
    await page.goto(`/admin/${area}`)
    const row = rowsOf(page, title).first()
    const left = async () => (await row.locator('td > div').last().boundingBox())!.x
    await expect(row.locator('.mantine-Skeleton-root').first()).toBeVisible()
    const before = await left()
    answerFinds()
    await expect(row.getByRole('link').first()).toBeVisible()
    expect(Math.abs((await left()) - before), title).toBeLessThan(8)
  }
})

testInTurn('a deletion shows at once, and what the server refuses comes back with its reason', async () => {
  const { page } = await shop.admin(MOVING)
  await page.goto('/admin/make?search=Apple')
  const row = rowsOf(page, 'Make').filter({ has: page.getByRole('button', { name: /^Delete #/ }) })
  const refuse = await hold(page, '**/api/make/*/delete')
  await row.getByRole('button', { name: /^Delete #/ }).click()
  await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
  await expect(row).toHaveCount(0)
  refuse()
  await expect(toast(page).getByText(/is used by \d+ products and cannot be deleted/)).toBeVisible()
  await expect(row).toHaveCount(1)
})
