import type { Page } from '@playwright/test'
import { atRest, expect } from './browser-page.ts'
import { settled } from './screen-check.ts'

const REFUSAL = 'This read was refused.'

/** The names of records that a screen shows among other data. If they cannot be read, it shows the records' numbers. */
const NAMES = /^\/api\/((?:supplier|grade|vat|category|customer|product|make|colour))\/find$/

/** The addresses of the API from which a page reads, without the part after the question mark. */
export async function readsOf(page: Page, open: () => Promise<void>): Promise<Set<string>> {
  const reads = new Set<string>()
  const listen = (request: { url(): string }) => reads.add(new URL(request.url()).pathname)
  page.on('request', listen)
  await open()
  page.off('request', listen)
  return reads
}

/**
 * Opens a screen whose reads are refused, except those of the frame, and presses Try again until all is read. Returns
 * what is wrong: the screen does not say the refusal, or still says it after that.
 */
export async function openUnread(page: Page, path: string, frame: ReadonlySet<string>): Promise<string[]> {
  let isOver = false
  let refused = 0
  const mustRefuse = (method: string, { pathname }: URL) => {
    const area = NAMES.exec(pathname)?.[1]
    return !isOver && method === 'GET' && !frame.has(pathname) && (!area || path.startsWith(`/admin/${area}`))
  }
  await page.route('**/api/**', async (route) => {
    if (!mustRefuse(route.request().method(), new URL(route.request().url()))) return route.fallback()
    refused++
    await route.fulfill({ status: 422, json: { message: REFUSAL } })
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await atRest(page)
  isOver = true
  const said = page.getByText(REFUSAL)
  const problems = refused > 0 && (await said.count()) === 0 ? [`${path} does not say that a read was refused`] : []
  const again = page.getByRole('button', { name: 'Try again' })
  for (let left = await again.count(); left > 0; left--) {
    await again.first().click()
    await atRest(page)
    await settled(page)
  }
  if ((await said.count()) > 0) problems.push(`${path} still says a refusal after Try again`)
  await page.unrouteAll()
  return problems
}
