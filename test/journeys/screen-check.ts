import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { atRest, expect } from './browser-page.ts'

/** The tags of axe's rules for WCAG 2.2 A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** A rule that has none of these tags and runs with them: all content is inside a landmark. */
const MORE = { region: { enabled: true } }
/** The axe rules about colours, the only ones whose result depends on the theme. */
const COLOURS = ['color-contrast', 'link-in-text-block']
const MOST_SHIFT = 0.05

const bringsAxe = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
/**
 * The code of axe. AxeBuilder would send more than twice as much into each page, and return more than the violations.
 * The pages have no frames, and the tests do not need the HTML of the elements.
 */
const AXE = `${readFileSync(bringsAxe.resolve('axe-core/axe.min.js'), 'utf8')}; axe.configure({ noHtml: true })`

/** Records elements that move while a page loads. Call it before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) })
    }).observe({ type: 'layout-shift', buffered: true })`)
}

/** Opens a screen like a typed address, and waits until it is complete. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await atRest(page)
  await settled(page)
}

/** Waits until nothing loads or moves any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  // The test polls from outside. Playwright's own waiting inside the page needs eval, which the content security policy
  // forbids.
  const moving = `
    document.fonts.status !== 'loaded' ||
    document.getAnimations().some((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity)`
  await expect.poll(() => page.evaluate(moving), { intervals: [50] }).toBe(false)
}

/** The elements that moved while the page was loading, if they moved more than is allowed. */
export async function shifted(page: Page): Promise<string[]> {
  const shifts = (await page.evaluate('globalThis.shifts')) as { value: number; moved: string[] }[]
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  return sum > MOST_SHIFT ? [`moves by ${sum.toFixed(3)}: ${JSON.stringify(shifts)}`] : []
}

/** Says by how many px the page itself can be scrolled sideways; empty if it cannot be. */
export async function sideways(page: Page): Promise<string[]> {
  const beyond = await page.evaluate(`
    scrollTo(9999, scrollY)
    Math.max(scrollX, document.documentElement.scrollWidth - document.documentElement.clientWidth)`)
  return beyond === 0 ? [] : [`scrolls sideways by ${beyond} px`]
}

/** Tables that have columns out of sight, but whose container does not scroll or shows no shadow. */
export async function clipped(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('main table')].flatMap((table) => {
      const last = table.querySelector('tr :is(th, td):last-child')?.getBoundingClientRect()
      if (!last || last.width === 0) return []
      const cutting = []
      for (let one = table.parentElement; one; one = one.parentElement) {
        if (getComputedStyle(one).overflowX === 'visible') continue
        const { right } = one.getBoundingClientRect()
        if (last.right <= right + 1) continue
        if (one.scrollWidth > one.clientWidth && one.closest('[data-more-right]')) break
        cutting.push(table.ariaLabel + ' is cut by ' + Math.round(last.right - right) + ' px')
      }
      return cutting
    })`)
}

/** Remembers all present elements. Elements that appear or change from now on are the 'new' part. */
export async function rememberParts(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.known = new WeakSet(document.querySelectorAll('*'))
    globalThis.changed = new Set()
    globalThis.watching ??= new MutationObserver((all) => { for (const { target } of all) changed.add(target) })
    watching.observe(document.body, { subtree: true, attributes: true })`)
}

/**
 * A changed element counts only if it is small, such as a marked field, because a dialog also changes the frame of the
 * page.
 */
const NEW_PARTS = `[
  ...[...document.body.querySelectorAll('*')].filter((one) => !known.has(one) && known.has(one.parentElement)),
  ...[...changed].filter((one) => one.isConnected && known.has(one) && one.querySelectorAll('*').length < 10),
]`

type Part = 'whole' | 'new'

/** The violations of WCAG 2.2 A and AA that axe finds, and content outside of landmarks. */
export const barriers = (page: Page, part: Part = 'whole') => problemsOf(page, { type: 'tag', values: WCAG }, part)

/**
 * The violations in the light and the dark theme, beginning with the present one. The page is left in the other theme.
 */
export async function barriersInBothThemes(page: Page, part: Part = 'whole'): Promise<string[]> {
  const root = page.locator('html')
  const isDark = (await root.getAttribute('data-mantine-color-scheme')) === 'dark'
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const all = await barriers(page, part)
  await turn(page, second)
  const colours = await problemsOf(page, { type: 'rule', values: COLOURS }, part)
  return [...all.map((problem) => `${first}: ${problem}`), ...colours.map((problem) => `${second}: ${problem}`)]
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']
type ViolatingNode = Violations[number]['nodes'][number]

async function problemsOf(
  page: Page,
  runOnly: { type: 'tag' | 'rule'; values: string[] },
  part: Part,
): Promise<string[]> {
  const options = { runOnly, resultTypes: ['violations'], ...(runOnly.type === 'tag' && { rules: MORE }) }
  // Once it is loaded, axe stays in the page until the next navigation.
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(AXE)
  const where = part === 'whole' ? '[document]' : NEW_PARTS
  const run = `{
    const include = ${where}
    include.length === 0 ? [] : axe.run({ include }, ${JSON.stringify(options)}).then(({ violations }) => violations)
  }`
  const violations = await page.evaluate<Violations>(run)
  const problems: string[] = []
  for (const { id, nodes } of violations)
    for (const node of nodes)
      if (!(await isExcused(page, id, node)))
        problems.push(`${id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n')[1]?.trim()}`)
  return problems
}

async function isExcused(page: Page, rule: string, node: ViolatingNode): Promise<boolean> {
  if (rule === 'target-size') return isCoveredForAMoment(page, node)
  // An open dropdown lies beside all landmarks. It belongs to its field, which names it.
  const isDropdown = `document.querySelector(${JSON.stringify(node.target.join(' '))})?.closest('#layers') != null`
  return rule === 'region' && page.evaluate<boolean>(isDropdown)
}

/**
 * A target does not count as too small if the element over it or near it disappears when a person scrolls or closes it.
 */
async function isCoveredForAMoment(page: Page, { target, any, failureSummary }: ViolatingNode): Promise<boolean> {
  if (failureSummary?.includes('partially obscured')) return true
  const near = any.flatMap(({ relatedNodes = [] }) => relatedNodes.map((one) => one.target.join(' ')))
  return page.evaluate<boolean>(`{
    const standsStill = (selector) => {
      for (let one = document.querySelector(selector); one; one = one.parentElement)
        if (['sticky', 'fixed'].includes(getComputedStyle(one).position)) return true
      return false
    }
    !standsStill(${JSON.stringify(target.join(' '))}) && ${JSON.stringify(near)}.some(standsStill)
  }`)
}

async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  await settled(page)
}
