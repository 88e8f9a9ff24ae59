import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  expect as expectSoon,
  type Page,
} from '@playwright/test'
import { browserPath, launchArguments } from '../browser.ts'
import { ADMIN } from './running-server.ts'

/**
 * How long journeys wait for anything that must come, invoices and imports too. It promises nothing: it is as long
 * as a machine with much else to do may take, and costs time only if a test fails.
 */
const PATIENCE_MS = 60_000

/** Playwright's, with that patience. */
export const expect = expectSoon.configure({ timeout: PATIENCE_MS })

/** A browser as a person has it; close it at the end. */
export function openBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: [...launchArguments(), ...more] })
}

/**
 * The same for journeys, whose pages are left after a second or two: it does not optimize scripts, since that costs
 * more than they gain by then. Not for measured journeys.
 */
export const openBrowserOfJourneys = () => openBrowser('--js-flags=--no-opt --no-maglev')

export type Visit = {
  page: Page
  context: BrowserContext
  /** Faults in the page meanwhile, without the browser's own lines about refusals and outages. */
  problems: string[]
}

/** As most people have it. */
export const MOVING: BrowserContextOptions = { reducedMotion: 'no-preference' }

/**
 * A fresh window at this address, with its console and its requests watched. Still, unless asked: nothing slides or
 * fades.
 */
export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: DESK,
    acceptDownloads: true,
    reducedMotion: 'reduce',
    ...options,
  })
  return openPage(context, address)
}

export const DESK = { width: 1400, height: 900 }

/** Another page of the same cookies and storage. */
export async function openPage(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage()
  // Set on the context too, so that requests without a page wait as long.
  context.setDefaultTimeout(PATIENCE_MS)
  countRequests(page)
  return { page, context, problems: watch(page, address) }
}

/** How many requests each page has begun, and how many of them have ended. */
const requestsOf = new WeakMap<Page, { begun: number; ended: number }>()

function countRequests(page: Page): void {
  const count = { begun: 0, ended: 0 }
  requestsOf.set(page, count)
  page.on('request', () => count.begun++)
  page.on('requestfinished', () => count.ended++)
  page.on('requestfailed', () => count.ended++)
}

/** Waits until a page of ours has all that it asked for, and has nothing to do any more that could ask for more. */
export async function atRest(page: Page): Promise<void> {
  const count = requestsOf.get(page)
  if (!count) throw new Error('The page was not opened by `openPage`.')
  for (let begun = -1; begun !== count.begun; ) {
    await expect.poll(() => count.begun - count.ended, { intervals: [10, 20, 50] }).toBe(0)
    begun = count.begun
    await page.evaluate(IDLE)
  }
}
// Twice: an answer is drawn after the first.
const IDLE = 'new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle)))'

/** Collects errors in the console and requests to anybody else. */
function watch(page: Page, address: string): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // The application logs each refused request, and so does the browser; of these any other status is a problem.
    const expected = /status of (401|403|409|412|415|422)|ERR_INTERNET_DISCONNECTED|^[A-Z]+ \/api\S* failed: /.test(
      message.text(),
    )
    if (message.type() === 'error' && !expected) problems.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) problems.push(`a request to ${url}`)
  })
  return problems
}

/** Runs a journey; if it fails, a picture of the screen goes to `test-results/`. */
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
 * Holds the page's requests to this address until the returned function is called, so that a test sees the screen
 * meanwhile.
 */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
