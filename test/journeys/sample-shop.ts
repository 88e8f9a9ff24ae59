import { setTimeout as delay } from 'node:timers/promises'
import type { Role } from '@backstock/contract/role.ts'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/database.ts'
import { PASSWORD, QUICK_HASH } from '../../packages/server/src/testing/quick-hash.ts'
import { sampleDatabase } from '../../packages/server/src/testing/sample-database.ts'
import { atRest, expect, type Visit } from './browser-page.ts'
import { serveKept } from './kept-server.ts'
import { ADMIN, newDataDir, removeDataDir, startServer } from './running-server.ts'
import { endKeptBrowser, keptBrowser, type Windows, windowsAt } from './windows.ts'

const CLOSING_MS = 20_000

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/**
 * Calls the API as the person of this window, to create the records that a journey needs. Throws if the server refuses.
 */
export type Call = <Data>(method: Method, path: string, body?: object) => Promise<Data>
type Login = { email: string; password: string }
type Named = { id: number; name: string }
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
/** A person who is logged in, in a window of their own. */
export type Person = Visit & Named & Login & { call: Call }

type Shop = {
  address: () => string
  /** Opens a window in which nobody is logged in. */
  stranger: (options?: BrowserContextOptions) => Promise<Visit>
  /** The administrator, who logs in once: all journeys of a file share their basket and session. */
  admin: (options?: BrowserContextOptions) => Promise<Person>
  /** A new colleague with an empty basket. No other journey uses them. */
  colleague: (role?: Role, options?: BrowserContextOptions) => Promise<Person>
  /** Opens another window of the same person, with a session of its own. */
  again: (person: Person) => Promise<Person>
}

/**
 * The port that this process's servers use one after another. As their address stays the same, the browser keeps the
 * screens in its cache.
 */
let port = '0'

type Server = { address: string; stop: () => Promise<void> }

/** Starts a server. For a measured journey it gets a process of its own, as in production. */
async function startAtSamePort(environment: Record<string, string>, isMeasured: boolean): Promise<Server> {
  const start = (at: string) => {
    const all = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ...environment, PORT: at }
    return isMeasured ? startServer(environment['DATA_DIR']!, all) : serveKept(all)
  }
  // Another program may have taken the port meanwhile.
  const server = await start(port).catch(() => start('0'))
  port = new URL(server.address).port
  return server
}

/**
 * Starts a server on a database of its own for all journeys of a file. After each journey its windows are put away. The
 * journey fails if a window logged an error or sent a request to another host; then pictures of the windows are stored
 * in `test-results/`.
 */
export function openShop({
  sampleData = true,
  environment = {} as Record<string, string>,
  isMeasured = false,
} = {}): Shop {
  const dataDir = newDataDir()
  let database: TestDatabase
  let server: Server
  let windows: Windows
  let entered: { who: Named; cookies: Cookies } | undefined
  let visits: Visit[] = []
  let number = 0
  let isBrowserStuck = false

  const serve = async () => {
    database = await (sampleData ? sampleDatabase() : testDatabase())
    server = await startAtSamePort({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...environment }, isMeasured)
  }
  beforeAll(async () => {
    await Promise.all([keptBrowser({ isMeasured }), serve()])
    windows = await windowsAt(server.address)
  })
  afterAll(async () => {
    if (isBrowserStuck) await endKeptBrowser()
    await server?.stop()
    await database?.drop()
    removeDataDir(dataDir)
  })
  afterEach(async ({ task }) => {
    const ended = visits
    visits = []
    if (task.result?.state === 'fail')
      for (const [n, { page }] of ended.entries())
        await page
          .screenshot({ path: `test-results/${task.name.slice(0, 60).replaceAll(/\W+/g, '-')}-${n}.png` })
          .catch(() => undefined)
    const pages = ended.flatMap(({ context }) => context.pages())
    await Promise.all(pages.map((page) => page.evaluate('window.comparesScreens?.()').catch(() => undefined)))
    // The browser sometimes hangs when a window is closed. Then the whole browser is ended after the file.
    const put = Promise.all(ended.map(({ context }) => windows.put(context)))
    const late = delay(CLOSING_MS, 'late' as const, { ref: false })
    if ((await Promise.race([put, late])) === 'late') isBrowserStuck = true
    expect(ended.flatMap(({ problems }) => problems)).toEqual([])
  })

  const stranger: Shop['stranger'] = async (options) => {
    const opened = await windows.open(options)
    visits.push(opened)
    return opened
  }
  const enter = async (who: Login, options?: BrowserContextOptions): Promise<Person> => {
    const opened = await stranger(options)
    const call = callerOf(opened.context)
    const { id, name } = await call<Named>('POST', 'login', { username: who.email, password: who.password })
    return { ...opened, id, name, ...who, call }
  }
  const admin: Shop['admin'] = async (options) => {
    if (!entered) {
      const person = await enter(ADMIN, options)
      entered = { who: { id: person.id, name: person.name }, cookies: await person.context.cookies() }
      return person
    }
    const opened = await stranger({ ...options, storageState: { cookies: entered.cookies, origins: [] } })
    return { ...opened, ...entered.who, ...ADMIN, call: callerOf(opened.context) }
  }
  return {
    address: () => server.address,
    stranger,
    admin,
    async colleague(role = 'ROLE_ADMIN', options) {
      const n = ++number
      const email = `colleague${n}@backstock.test`
      await database.query('insert into app_user (name, email, role, password_hash) values ($1, $2, $3, $4)', [
        ...[`Colleague ${n}`, email, role, QUICK_HASH],
      ])
      return enter({ email, password: PASSWORD }, options)
    },
    again: ({ email, password }) => enter({ email, password }),
  }
}

function callerOf({ request }: BrowserContext): Call {
  return async <Data>(method: Method, path: string, body?: object): Promise<Data> => {
    const { csrf_token } = await (await request.get('/api/auth')).json()
    const answer = await request.fetch(`/api/${path}`, {
      method,
      headers: { 'X-XSRF-TOKEN': csrf_token },
      ...(body && { data: body }),
    })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return answer.json()
  }
}

/** A page of a list: `data` has its rows, `total` is the number of all rows. */
export type Found<Row> = { data: Row[]; total: number }

/** A name that no other journey uses. */
export const unique = (word: string) => `${word} ${Math.random().toString(36).slice(2, 8)}`

/** The rows of the table with this name, without its head. */
export const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')

/** Answers the question about unsaved changes with Escape, which must not reach the dialog behind the question. */
export async function stayByEscape(page: Page): Promise<void> {
  const question = page.getByRole('dialog').filter({ hasText: 'You have unsaved changes.' })
  // The question hears keys from the moment at which it takes the focus.
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await atRest(page)
  expect(await question.count()).toBe(0)
}

/** Checks the question in the dialog, and presses this button. */
export async function answer(page: Page, question: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'Warning!' })
  await expect(dialog).toContainText(question)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Pastes this text into a field. */
export const paste = (field: Locator, text: string): Promise<void> =>
  field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

/** The region with the toasts. */
export const toast = (page: Page) => page.getByRole('region', { name: 'Messages' })

/**
 * Ends the session, and presses the form's button, or another one that asks the server, unless a request in the
 * background has led to the login before.
 */
export async function endSession(
  { page, context }: Person,
  asking: Locator = page.locator('main [type=submit]'),
): Promise<void> {
  await context.clearCookies()
  await asking.evaluateAll(([button]) => (button as HTMLElement)?.click())
  await page.waitForURL('**/login')
}

/** Fills in the login screen that is open. A new load of the page would forget that a session has ended. */
export async function logInHere({ page, email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock')
}
