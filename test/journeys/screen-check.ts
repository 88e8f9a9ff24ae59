import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const MOST_SHIFT = 0.05

/** Keeps what moves while the page loads; call it before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) })
    }).observe({ type: 'layout-shift', buffered: true })`)
}

/** Waits until nothing more comes and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const moving = `
    document.fonts.status !== 'loaded' ||
    document.getAnimations().some((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity)`
  await expect.poll(() => page.evaluate(moving)).toBe(false)
}

/** What has moved while the page was loaded, where it was more than one may bear. */
export async function shifted(page: Page): Promise<string[]> {
  const shifts = (await page.evaluate('globalThis.shifts')) as { value: number; moved: string[] }[]
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  return sum > MOST_SHIFT ? [`moves by ${sum.toFixed(3)}: ${JSON.stringify(shifts)}`] : []
}

/** Whether the page itself can be scrolled sideways. */
export async function sideways(page: Page): Promise<string[]> {
  const beyond = await page.evaluate(`
    scrollTo(9999, scrollY)
    Math.max(scrollX, document.documentElement.scrollWidth - document.documentElement.clientWidth)`)
  return beyond === 0 ? [] : [`scrolls sideways by ${beyond} px`]
}

/** What axe finds against WCAG 2.2 A and AA. A target that a dropdown covers in part for a moment is none too small. */
export async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n')[1]?.trim()}`)
      .filter((problem) => !problem.includes('partially obscured')),
  )
}

/** The same, in the light and in the dark. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    await settled(page)
    found.push(...(await barriers(page)).map((problem) => `${colorScheme}: ${problem}`))
  }
  return found
}
