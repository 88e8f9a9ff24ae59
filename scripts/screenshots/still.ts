import type { Page } from '@playwright/test'

/** All pictures look as if they were taken on this day. */
const DAY_OF_PICTURES = '2026-11-23'

/**
 * Moves all days on screen, as if today were the day of the pictures. The sample shop has data of the last weeks, so
 * every picture would change from day to day otherwise.
 */
export async function keepDaysStill(page: Page): Promise<void> {
  await page.evaluate(`{
    const DAY = 86_400_000
    const days = Math.round((Date.parse('${DAY_OF_PICTURES}') - Math.floor(Date.now() / DAY) * DAY) / DAY)
    const moved = (y, m, d) => new Date(Date.UTC(+y, m - 1, +d) + days * DAY).toISOString().slice(0, 10)
    const still = (text) =>
      text
        .replace(/\\b(20\\d\\d)-(\\d\\d)-(\\d\\d)\\b/g, (_, y, m, d) => moved(y, m, d))
        .replace(/\\b(\\d\\d)\\/(\\d\\d)\\/(20\\d\\d)\\b/g, (_, d, m, y) => moved(y, m, d).split('-').reverse().join('/'))
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = still(texts.currentNode.nodeValue)
      if (text !== texts.currentNode.nodeValue) texts.currentNode.nodeValue = text
    }
    for (const input of document.querySelectorAll('input')) input.value = still(input.value)
  }`)
}
