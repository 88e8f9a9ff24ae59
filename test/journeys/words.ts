import type { Page } from '@playwright/test'
import { atRest } from './browser-page.ts'
import { openScreen, settled } from './screen-check.ts'
import type { Screen } from './screen-look.ts'
import { openUnread, readsOf } from './unread.ts'

/** The rows of a table that are compared, with its head. Later ones say the same in the same columns. */
const ROWS = 3

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
/** Words that depend on the day of the run, as the sample shop counts its days back from it, on the version or the test. */
const CHANGING: readonly [RegExp, string][] = [
  [/© 20\d\d Backstock [\d.]+/g, '© Backstock'],
  [/\bL\d{4}\b/g, 'LOT'],
  [/\bcolleague ?\d+\b/gi, 'COLLEAGUE'],
  [/\b[0-9a-f]{6}…[0-9a-f]{6}\b/g, 'CHECKSUM'],
  [/\b20\d\d-\d{5}\b/g, 'YEAR-NUMBER'],
  [/20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?/g, 'DATE'],
  [/\b\d\d\/\d\d\/20\d\d(?:,? \d\d:\d\d(?::\d\d)?)?/g, 'DATE'],
  [new RegExp(`(?:\\b\\d{1,2} )?\\b(?:${MONTHS})(?: 20\\d\\d)?`, 'g'), 'DATE'],
  [/\b(?:\d+|an?|a few) (?:second|minute|hour|day|week|month|year)s?\b/g, 'AGE'],
  [/this (?:week|month) .*/g, 'SUMS'],
  [/ \(ended\)/g, ''],
  [/\b(Sample (?:invoices|credit notes)) 20\d\d/g, '$1 YEAR'],
  // DATEV lacks the accounts of what was booked in the last month.
  [/text: "?(The file for DATE to DATE needs the consultant number), .*$/g, 'text: $1 and ACCOUNTS'],
]
/** The manual's pages, which have tests of their own. */
const MANUAL = /^\/admin\/help\/./
/** Lines that come and go with the moment, or with the year. */
const PASSING = /^ *- (?:img|region "Messages"|option "20\d\d"(?: \[selected\])?)$/

/**
 * Each screen, and each layer on it, as a screen reader has it: a line for each thing with its role, name, state and
 * value. A screen has the lines that the frame around it does not have, a layer those that it adds. Each screen is
 * opened with its reads refused at first, so its lines also tell if Try again did not bring all.
 */
export async function wordsOf(page: Page, screens: readonly Screen[]): Promise<string> {
  const said: string[] = []
  const reads = await readsOf(page, () => openScreen(page, '/admin/help'))
  const frame = (await linesOf(page)).filter((_, n, all) => n < all.indexOf('- main:'))
  for (const { path, layers = {}, isOfToday = false } of screens) {
    if (MANUAL.test(path)) continue
    const problems = await openUnread(page, path, reads)
    said.push(...problems)
    let before = await linesOf(page)
    const own = added(frame, before)
    const name = path.replaceAll(/20\d\d-\d\d-\d\d/g, 'DATE')
    said.push(`## ${name}`, ...(isOfToday ? own.map(withoutFigures) : own), '')
    for (const [opened, layer] of Object.entries(layers)) {
      await layer.open(page)
      await settled(page)
      const now = await linesOf(page)
      if (!layer.isOfToday) said.push(`## ${name}, ${opened}`, ...added(before, now), '')
      before = now
      await layer.close?.(page)
    }
  }
  return said.join('\n')
}

/** The line without its figures. A percentage of nothing is a dash. */
const withoutFigures = (line: string) => line.replaceAll(/\d[\d,.]*%(?=[ "])/g, '-').replaceAll(/\d[\d,.]*/g, '#')

/** React shows a part that was loaded late up to 300 ms later, so nothing changes any more after this time. */
const QUIET = `new Promise((quiet) => {
  const wait = () => setTimeout(quiet, 400)
  let waiting = wait()
  const again = () => {
    clearTimeout(waiting)
    waiting = wait()
  }
  new MutationObserver(again).observe(document, { subtree: true, childList: true, characterData: true })
})`

/** Reads the page when it has got all answers and has drawn them. */
async function linesOf(page: Page): Promise<string[]> {
  await atRest(page)
  await page.evaluate(QUIET)
  await atRest(page)
  const snapshot = await page.locator('body').ariaSnapshot()
  return withoutRepeats(snapshot.split('\n')).map((line) =>
    CHANGING.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), line),
  )
}

const depthOf = (line: string) => line.search(/\S/)

/** Leaves out the rows of a table after the first ones, what passes, and text that its link or button has. */
function withoutRepeats(lines: readonly string[]): string[] {
  const kept: string[] = []
  const rows = new Map<number, number>()
  let hidden = Number.POSITIVE_INFINITY
  for (const line of lines) {
    const depth = depthOf(line)
    if (depth > hidden) continue
    hidden = Number.POSITIVE_INFINITY
    for (const deeper of rows.keys()) if (deeper > depth) rows.delete(deeper)
    if (/^ *- row\b/.test(line)) {
      const count = (rows.get(depth) ?? 0) + 1
      rows.set(depth, count)
      if (count > ROWS) hidden = depth
    }
    if (hidden === depth || PASSING.test(line) || isOfParent(line, kept)) continue
    kept.push(line)
  }
  return kept
}

/** Whether the line is text that the name of the link or button above it already has. */
function isOfParent(line: string, above: readonly string[]): boolean {
  const text = /^ *- text: "?(.*?)"?$/.exec(line)?.[1]
  const parent = text === undefined ? undefined : above.findLast((one) => depthOf(one) < depthOf(line))
  return parent !== undefined && /^ *- '?(?:link|button|cell|row) /.test(parent) && parent.includes(text!)
}

/** The lines of `now` that `before` does not have, each as often as it is new. */
function added(before: readonly string[], now: readonly string[]): string[] {
  const known = new Map<string, number>()
  for (const line of before) known.set(line, (known.get(line) ?? 0) + 1)
  return now.filter((line) => {
    const left = known.get(line) ?? 0
    known.set(line, left - 1)
    return left <= 0
  })
}
