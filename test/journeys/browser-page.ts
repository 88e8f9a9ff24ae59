import {
  type APIResponse,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  expect as expectSoon,
  type Page,
  type Request,
} from '@playwright/test'
import { browserPath, launchArguments } from '../browser.ts'
import { COMPARES, FRESH_SCREENS } from './fresh-screens.ts'
import { ADMIN } from './running-server.ts'
import { SHOWN_WRITES } from './shown-writes.ts'

/**
 * How long journeys wait for anything that must come, also for invoices and imports. It is not a promise: it is as long
 * as a busy machine may take, and costs time only if a test fails.
 */
const PATIENCE_MS = 60_000

/** Playwright's `expect`, which waits this long. */
export const expect = expectSoon.configure({ timeout: PATIENCE_MS })

/** Opens a browser with the usual settings. The caller closes it. */
export function openBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: [...launchArguments(), ...more] })
}

/**
 * Opens a browser for journeys. It does not optimise scripts, because journeys leave each page after a second or two,
 * and optimising would take longer than it saves. Do not measure times in it.
 */
export const openBrowserOfJourneys = () => openBrowser('--js-flags=--no-opt --no-maglev')

export type Visit = {
  page: Page
  context: BrowserContext
  /** Errors in the page since it was opened. Those that the browser logs for refusals and outages are left out. */
  problems: string[]
}

/** The setting that most people have: things slide and fade. */
export const MOVING: BrowserContextOptions = { reducedMotion: 'no-preference' }

/**
 * Opens a new window at this address, and watches its console, its requests, and what it shows during and after writes.
 * Nothing slides or fades, unless `options` say so.
 */
export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: DESK,
    acceptDownloads: true,
    reducedMotion: 'reduce',
    ...options,
  })
  await context.addInitScript(SHOWN_WRITES)
  await context.addInitScript(FRESH_SCREENS)
  return openPage(context, address)
}

export const DESK = { width: 1400, height: 900 }

/** Opens another page with the cookies and storage of this context. */
export async function openPage(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage()
  // The context has this limit too, so that requests without a page wait as long.
  context.setDefaultTimeout(PATIENCE_MS)
  countRequests(page)
  routeAtOnce(page)
  return { page, context, problems: watch(page, address) }
}

/**
 * Lets `page.route` end only once the page's requests are caught. The browser confirms that it catches them a moment
 * before it does, and a request in this moment would pass unseen: no route would get it, and no listener would hear of it.
 */
function routeAtOnce(page: Page): void {
  const route = page.route.bind(page)
  const probe = '/healthz?is-caught'
  const isCaught = () =>
    page.evaluate(`fetch('${probe}', { cache: 'no-store' }).then(({ status }) => status === 204)`).catch(() => false)
  page.route = async (...which) => {
    const routed = await route(...which)
    // A page that is opened after this has all of its requests caught.
    if (page.url() === 'about:blank') return routed
    await route(`**${probe}`, (caught) => caught.fulfill({ status: 204 }))
    await expect.poll(isCaught, { intervals: [10, 20, 50] }).toBe(true)
    await page.unroute(`**${probe}`)
    return routed
  }
}

/** The number of requests that each page has begun, and of those that have ended. */
const requestsOf = new WeakMap<Page, { begun: number; ended: number }>()

function countRequests(page: Page): void {
  const count = { begun: 0, ended: 0 }
  requestsOf.set(page, count)
  page.on('request', () => count.begun++)
  page.on('requestfinished', () => count.ended++)
  page.on('requestfailed', () => count.ended++)
}

/** Waits until a page has all answers to its requests, and is idle. */
export async function atRest(page: Page): Promise<void> {
  const count = requestsOf.get(page)
  if (!count) throw new Error('The page was not opened by `openPage`.')
  for (let begun = -1; begun !== count.begun; ) {
    await expect.poll(() => count.begun - count.ended, { intervals: [10, 20, 50] }).toBe(0)
    begun = count.begun
    await page.evaluate(IDLE)
  }
}
// Twice, because an answer is drawn after the first idle moment. On a machine with too much to do, a browser may find
// no idle moment at all.
const IDLE = `new Promise((idle) => {
  const limit = { timeout: 10_000 }
  requestIdleCallback(() => requestIdleCallback(idle, limit), limit)
})`

/**
 * Cuts the connection of a page. The browser takes up the cut a moment after it has confirmed it. A request that is made
 * sooner still gets its answer, so this waits until one fails.
 */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  const isReached = () => fetch('/healthz', { cache: 'no-store' }).then(Boolean, () => false)
  await expect.poll(() => page.evaluate(isReached), { intervals: [10, 20, 50] }).toBe(false)
}

/** Collects errors in the console, and requests to other hosts. */
function watch(page: Page, address: string): string[] {
  const problems: string[] = []
  const compared = new Set<string>()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // The browser and the application both log each refused request. Refusals with these statuses are expected.
    const expected = /status of (401|403|409|412|415|422)|ERR_INTERNET_DISCONNECTED|^[A-Z]+ \/api\S* failed: /.test(
      message.text(),
    )
    if (message.type() === 'error' && !expected && !compared.has(message.location().url)) problems.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (request.headers()[COMPARES]) compared.add(url)
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) problems.push(`a request to ${url}`)
  })
  return problems
}

/** Runs a journey. If it fails, a picture of the screen is stored in `test-results/`. */
export async function withPicture(name: string, page: Page, journey: () => Promise<void>): Promise<void> {
  try {
    await journey()
  } catch (error) {
    await page.screenshot({ path: `test-results/${name}.png`, fullPage: true }).catch(() => undefined)
    throw error
  }
}

/** Logs in through the login screen, and waits for the stock list. */
export async function logIn(page: Page, { email, password } = ADMIN): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock')
}

/**
 * Holds back the page's requests to this address, so that a test sees the screen while the screen waits. The returned
 * function lets the requests go.
 */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/**
 * The next answer of the server to a request of the page to this address. The answer passes through the test, because
 * Playwright's `waitForResponse` sometimes does not tell of a response. The returned function waits for it.
 */
export async function catchAnswer(page: Page, address: string | RegExp) {
  const caught = Promise.withResolvers<{ request: Request; response: APIResponse }>()
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response })
      caught.resolve({ request: route.request(), response })
    },
    { times: 1 },
  )
  return () => caught.promise
}
