import { setTimeout as delay } from 'node:timers/promises'
import type { Role } from '@backstock/contract/role.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { expect, openBrowser, type Visit, visit } from './browser-page.ts'
import { ADMIN, newDataDir, type RunningServer, removeDataDir, startServer } from './running-server.ts'

const CLOSING_MS = 20_000

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Calls the API as the person of this window does, for what a journey needs to be there. Throws where it is refused. */
export type Call = <Data>(method: Method, path: string, body?: object) => Promise<Data>
type Login = { email: string; password: string }
type Named = { id: number; name: string }
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
/** Somebody who is logged in, in a window of their own. */
export type Person = Visit & Named & Login & { call: Call }

type Shop = {
  address: () => string
  /** A window in which nobody is logged in. */
  stranger: (options?: BrowserContextOptions) => Promise<Visit>
  /** The administrator, who has logged in once: basket and session are shared by all journeys of the file. */
  admin: (options?: BrowserContextOptions) => Promise<Person>
  /** A new colleague with an empty basket, who is nobody else's. */
  colleague: (role?: Role, options?: BrowserContextOptions) => Promise<Person>
  /** Another window of the same person, logged in by itself. */
  again: (person: Person) => Promise<Person>
}

/**
 * A running server and a browser for all journeys of a file. After each journey its windows are closed; it fails where
 * they had an error in the console or asked a third party. Where it fails, their pictures go to `test-results/`.
 */
export function openShop({ sampleData = true, environment = {} as Record<string, string> } = {}): Shop {
  const dataDir = newDataDir()
  let server: RunningServer
  let browser: Browser
  let adminCookies: Cookies | undefined
  let visits: Visit[] = []
  let number = 0

  beforeAll(async () => {
    const [started, opened] = await Promise.all([
      startServer(dataDir, { SAMPLE_DATA: sampleData ? '1' : '0', ...environment }),
      openBrowser(),
    ])
    server = started
    browser = opened
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
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
    // The browser has been seen to hang over closing a window; at the end it is ended whole.
    const closed = Promise.all(ended.map(({ context }) => context.close()))
    await Promise.race([closed, delay(CLOSING_MS, undefined, { ref: false })])
    expect(ended.flatMap(({ problems }) => problems)).toEqual([])
  })

  const stranger: Shop['stranger'] = async (options) => {
    const opened = await visit(browser, server.address, options)
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
    if (!adminCookies) {
      const person = await enter(ADMIN, options)
      adminCookies = await person.context.cookies()
      return person
    }
    const opened = await stranger({ ...options, storageState: { cookies: adminCookies, origins: [] } })
    const call = callerOf(opened.context)
    const { user } = await call<{ user: Named }>('GET', 'auth')
    return { ...opened, id: user.id, name: user.name, ...ADMIN, call }
  }
  return {
    address: () => server.address,
    stranger,
    admin,
    async colleague(role = 'ROLE_ADMIN', options) {
      const n = ++number
      const who = { email: `colleague${n}@backstock.test`, password: 'battery staple' }
      const { call } = await admin()
      await call('POST', 'user/create', { ...who, name: `Colleague ${n}`, role })
      return enter(who, options)
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

/** What a page of a list says: where its `data` are, and how many there are in all. */
export type Found<Row> = { data: Row[]; total: number }

/** Something that no other journey has. */
export const unique = (word: string) => `${word} ${Math.random().toString(36).slice(2, 8)}`

/** The rows of a table, without its head. */
export const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')

/** Answers the question on screen after having read it. */
export async function answer(page: Page, question: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'Warning!' })
  await expect(dialog).toContainText(question)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** The message that has come up in the corner. */
export const toast = (page: Page) => page.getByRole('region', { name: 'Messages' })
