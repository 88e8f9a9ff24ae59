import type { Page } from '@playwright/test'

/** The pitches of the tones for an item that can be sold, one that cannot, an unknown code and one that came again. */
export const [HIGH, MIDDLE, LOW, DOUBLE] = [1320, 520, 170, 880]

/** Records the pitches of the tones, in their order. Call it before the page is opened. */
export async function listen(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(`
    globalThis.heard = []
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (at) {
      heard.push(this.frequency.value)
      start.call(this, at)
    }`)
  return () => page.evaluate<number[]>('heard')
}
