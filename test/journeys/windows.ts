import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { DESK, openBrowser, openBrowserOfJourneys, openPage, type Visit, visit } from './browser-page.ts'

/** A page of the server on which no script runs. */
const STILL = '/healthz'

/** The options of a window that no journey has used before, so that nothing is in its cache. */
export const NEW_WINDOW: BrowserContextOptions = { reducedMotion: 'reduce' }

/**
 * The browser of this process. Later files use what it has loaded and compiled, because all servers have the same
 * address.
 */
let kept: { browser: Browser; windows?: Windows } | undefined

/** Opens the browser that all files of this process share, unless it is open already. */
export async function keptBrowser({ isMeasured = false } = {}): Promise<Browser> {
  if (!kept?.browser.isConnected()) kept = { browser: await (isMeasured ? openBrowser() : openBrowserOfJourneys()) }
  return kept.browser
}

/** The windows of the kept browser for this address. Windows for another address are closed. */
export async function windowsAt(address: string): Promise<Windows> {
  const browser = await keptBrowser()
  if (kept!.windows?.address !== address) {
    await kept!.windows?.close()
    kept!.windows = new Windows(browser, address)
  }
  return kept!.windows!
}

/** Ends the whole browser. The next file opens a new one. */
export async function endKeptBrowser(): Promise<void> {
  const ending = kept?.browser
  kept = undefined
  await ending?.close()
}

/**
 * Windows that journeys use one after another. Loaded and compiled code stays in them; cookies, storage and pages do
 * not. A window with special options, other than size and touch, is used by one journey only.
 */
export class Windows {
  readonly address: string
  readonly #browser: Browser
  #free: BrowserContext[] = []
  /** Each window has a page that stays open, because its process would end with its last page. */
  readonly #staying = new Map<BrowserContext, Page>()
  /** The windows that can be used again, and whether each has a touch screen. */
  readonly #reusable = new Map<BrowserContext, boolean>()

  constructor(browser: Browser, address: string) {
    this.#browser = browser
    this.address = address
  }

  async open(options: BrowserContextOptions = {}): Promise<Visit> {
    const { viewport = DESK, storageState, hasTouch = false, ...others } = options
    if (Object.keys(others).length > 0) return visit(this.#browser, this.address, options)
    const used = this.#free.find((context) => this.#reusable.get(context) === hasTouch)
    this.#free = this.#free.filter((context) => context !== used)
    if (!used) {
      const opened = await visit(this.#browser, this.address, options)
      this.#reusable.set(opened.context, hasTouch)
      opened.context.once('close', () => this.#reusable.delete(opened.context))
      return opened
    }
    if (typeof storageState === 'object') await used.addCookies(storageState.cookies)
    const opened = await openPage(used, this.address)
    await opened.page.setViewportSize(viewport ?? DESK)
    return opened
  }

  async close(): Promise<void> {
    await Promise.all(this.#free.map((context) => context.close()))
  }

  /** Clears everything that the journey has left in the window. */
  async put(context: BrowserContext): Promise<void> {
    if (!this.#reusable.has(context)) return context.close()
    const staying = this.#staying.get(context) ?? (await context.newPage())
    this.#staying.set(context, staying)
    await Promise.all(context.pages().map((page) => page !== staying && page.close()))
    await Promise.all([context.setOffline(false), context.clearCookies(), context.clearPermissions()])
    if (staying.url() === 'about:blank') await staying.goto(STILL)
    // A clock that a journey has faked cannot be restored, so such a window is closed.
    if (!(await staying.evaluate('/native code/.test(setTimeout)'))) return context.close()
    await staying.evaluate('localStorage.clear()')
    this.#free.push(context)
  }
}
