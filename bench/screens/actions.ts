import type { Page } from '@playwright/test'
import type { Bench } from '../bench.ts'

/** An action of a person who waits for its result. */
export type Action = {
  name: string
  title: string
  /** The requirement: the longest time in ms, with a slowed CPU. */
  asked?: number
  /** The number of items in the basket. */
  basket?: number
  /** Brings the real screens to the state in which the action starts. */
  start(page: Page, bench: Bench): Promise<unknown>
  /** The elements that the person clicks or types into, as selectors of Playwright. */
  click?: string
  type?: { into: string; text: string | ((bench: Bench) => string) }
  /**
   * The action ends when an element that matches this selector has a new text. React must write that text: a box that
   * the browser ticks itself does not count.
   */
  shown: string
  /** The selector of the part of the screen that the action changes. */
  region: string
}
/** A load of a page. It ends when an element matches `shown`. */
export type Load = { name: string; title: string; asked?: number; address: string; cache: boolean; shown: string }

const rowsShown = (row = 'tr:first-child') => `table[aria-label="Stock Overview"][aria-busy="false"] tbody ${row}`
const TENTH = 'tr:nth-child(10)'

async function list(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/stock${query}`, { waitUntil: 'commit' })
  await page.locator(rowsShown()).waitFor()
}

/** Goes to a page of the list that was not shown before, without loading the screens again. */
let listPage = 1
async function anotherPage(page: Page): Promise<void> {
  if (!page.url().includes('/admin/stock')) await list(page)
  await page.evaluate((address) => history.pushState(null, '', address), `/admin/stock?page=${++listPage}`)
}

async function untick(page: Page, query: string, row: string): Promise<void> {
  if (!page.url().endsWith(query)) await list(page, query)
  const box = page.locator(`${row} input`)
  if (await box.isChecked()) await box.click()
}

const SOLD = 100

export const ACTIONS: readonly Action[] = [
  {
    ...{ name: 'next', title: 'Next page of the list', asked: 200, start: anotherPage },
    ...{ click: 'role=button[name="Next page"]', shown: rowsShown(), region: 'tbody' },
  },
  {
    ...{ name: 'sorted', title: 'The list sorted by price', asked: 200 },
    // The action starts on the second page of a list that was used already.
    start: async (page) => {
      await list(page)
      await page.locator('role=button[name="Next page"]').click()
    },
    ...{ click: 'th:last-child button', shown: rowsShown(), region: 'tbody' },
  },
  {
    ...{ name: 'filter', title: 'A search typed into the list', start: (page) => list(page) },
    type: { into: 'role=searchbox', text: 'sony' },
    // Waits for the new number of hits, because the first row may be the same as before.
    ...{ shown: `main:has(${rowsShown()}) header [aria-live]`, region: 'main' },
  },
  {
    ...{ name: 'record', title: 'A record from the list', asked: 300, start: anotherPage },
    ...{ click: 'tbody tr:nth-child(3) a', shown: 'main form', region: 'main' },
  },
  {
    ...{ name: 'back', title: 'Back to the list' },
    start: async (page) => {
      await anotherPage(page)
      await page.locator('tbody tr:nth-child(3) a').click()
      await page.locator('main form').waitFor()
    },
    ...{ shown: rowsShown(TENTH), region: 'main' },
  },
  {
    ...{ name: 'sale', title: `New sale with ${SOLD} lines`, basket: SOLD },
    start: async (page) => {
      await list(page)
      await page.locator('role=button[name="Basket, 100 items"]').click()
    },
    click: 'role=button[name="Sale"]',
    ...{ shown: `main tbody tr:nth-child(${SOLD}) input`, region: 'main' },
  },
  {
    ...{ name: 'price', title: 'A price typed there, to the sum', basket: SOLD },
    start: async (page) => {
      if (!page.url().includes('/sale/create')) await page.goto('/admin/sale/create')
      await page.locator('main tbody tr:first-child input').fill('')
    },
    type: { into: 'main tbody tr:first-child input', text: '7' },
    ...{ shown: 'main div:has(> button) > dl', region: 'main div:has(> button) > dl' },
  },
  ...[
    { rows: 10, asked: 60, row: 5 },
    { rows: 250, asked: 120, row: 120 },
  ].map(({ rows, asked, row }): Action => {
    const line = `tbody tr:nth-child(${row})`
    return {
      ...{ name: `tick${rows}`, title: `A tick among ${rows} rows`, asked, basket: 0 },
      start: (page) => untick(page, `?per_page=${rows}`, line),
      // The browser ticks the box itself. The row's attribute shows that React has drawn the tick.
      ...{ click: `${line} input`, shown: `${line}[data-ticked]`, region: line },
    }
  }),
  {
    ...{ name: 'quick', title: "Quick search's first hits" },
    start: async (page) => {
      await list(page)
      await page.keyboard.press('Control+k')
    },
    type: { into: 'role=combobox[name="Quick search"]', text: ({ inStock }) => inStock[0]!.imei.slice(-8) },
    ...{ shown: '[role="option"] mark', region: '[role="listbox"][aria-label="Results"]' },
  },
]

const load = { address: '/admin/stock', shown: rowsShown() }
export const LOADS: readonly Load[] = [
  { ...load, name: 'cold', title: 'First rows after a load, nothing cached', asked: 1200, cache: false },
  { ...load, name: 'warm', title: 'First rows after a load, files cached', cache: true },
]
