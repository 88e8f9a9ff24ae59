import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { isItsTurn } from '../../packages/server/src/testing/in-turn.ts'
import { full } from '../promises/figures.ts'
import { expect } from './browser-page.ts'
import {
  barriers,
  barriersInBothThemes,
  openScreen,
  rememberParts,
  settled,
  shifted,
  sideways,
  watchShifts,
} from './screen-check.ts'

const sourcesIn = (folder: string, pattern: RegExp) =>
  readdirSync(folder)
    .filter((file) => pattern.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))

const here = import.meta.dirname
/** The source of all lists of screens and access test files. */
export const accessTests = [
  ...sourcesIn(here, /^access-.*\.test\.ts$/),
  ...sourcesIn(path.join(here, 'screens'), /\.ts$/),
].join('\n')

/** The paths of the screens that represent others. */
export const REPRESENTATIVES = new Set([...accessTests.matchAll(/like: '(\/[^']+)'/g)].map(([, path]) => path!))

const DESK: BrowserContextOptions = { viewport: { width: 1400, height: 900 } }
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** A part of a screen that opens over it or unfolds in it. The test opens the layers of a screen one after another. */
export type Layer = {
  open: (page: Page) => Promise<unknown>
  /** Closes the layer. Without it, the next layer opens beside this one. */
  close?: (page: Page) => Promise<unknown>
  /** The status of a refusal that belongs to the layer, and that the browser therefore logs. */
  refused?: number
  /** Whether the layer depends on the day of the run so much that its words are not compared. */
  isOfToday?: true
}
export type Screen = {
  path: string
  layers?: Record<string, Layer>
  /**
   * The path of a screen that represents this one: the daily run checks accessibility only there, and the layout of
   * both.
   */
  like?: string
  /**
   * True if the screen represents its kind on a phone. The daily run checks the first such screen of a test on a phone,
   * with its layers.
   */
  onPhone?: true
  /** Whether its numbers depend on the day of the run, so that they are not compared. */
  isOfToday?: true
}

/** The paths of the screens in the menu. */
export async function menuOf(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  for (const group of await page.getByRole('navigation', { name: 'Main' }).getByRole('button').all())
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
  return links.evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
export const pressEscape = (page: Page) => page.keyboard.press('Escape')

export const isOnPhone = (page: Page) => page.viewportSize()!.width === PHONE.viewport!.width

/** Opens the filters of a list: on a phone all of them, otherwise those that are not in its bar. */
export async function openFilters(page: Page): Promise<void> {
  await press(page, isOnPhone(page) ? /^Filters/ : 'More filters')
  await expect(page.getByRole('dialog', { name: isOnPhone(page) ? 'Filters' : 'More filters' })).toBeVisible()
}

/** Closes a dialog or dropdown, and waits until it has disappeared. */
export const close = async (page: Page) => {
  await pressEscape(page)
  await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toHaveCount(0)
}

/**
 * The faults of these screens at a desk and on a phone. `comeIn` opens a window with the person logged in. Screens take
 * turns. If it is not the turn of a screen that represents others, it is checked without layers, at a desk and in one
 * theme.
 */
export async function problemsOf(
  given: readonly Screen[],
  comeIn: (options: BrowserContextOptions) => Promise<{ page: Page }>,
): Promise<string[]> {
  const hasItsTurn = ({ path }: Screen) => isItsTurn(path)
  const screens = given
    .filter((screen) => hasItsTurn(screen) || REPRESENTATIVES.has(screen.path))
    .map((screen): Screen => (hasItsTurn(screen) ? screen : { path: screen.path }))
  const [desk, phone] = await Promise.all([comeIn(DESK), comeIn(PHONE)])
  const atDesk = (screen: Screen) => {
    if (!full && screen.like) return nothing
    return hasItsTurn(screen) ? barriersInBothThemes : barriers
  }
  const onPhone = async (page: Page) => [...(await sideways(page)), ...(await barriers(page))]
  const first = screens.find((screen) => screen.onPhone)
  // The daily run does not load the other screens on a phone. Instead it makes the desktop window as narrow as a phone.
  const isNarrowed = (screen: Screen) => !full && screen !== first && hasItsTurn(screen)
  const found = await Promise.all([
    look(
      desk.page,
      screens,
      (screen) => async (page) => [
        ...(await atDesk(screen)(page)),
        ...(isNarrowed(screen) ? await sidewaysWhenNarrow(page) : []),
      ],
      // Only the new parts are checked, because the screen was checked before. The theme changes from screen to screen.
      (page) => (full ? barriersInBothThemes(page, 'whole') : barriers(page, 'new')),
    ),
    // A layer on a phone is much like one on a desktop, so only its width is checked. The screen itself is checked on
    // both.
    look(
      phone.page,
      screens.filter((screen) => full || screen === first),
      () => onPhone,
      sideways,
    ),
  ])
  return found.flat()
}

/** Makes the window as narrow as a phone, and returns the fault if the page can then be scrolled sideways. */
async function sidewaysWhenNarrow(page: Page): Promise<string[]> {
  const usual = page.viewportSize()!
  await page.setViewportSize(PHONE.viewport!)
  // After two frames, elements that measure themselves, such as tables, have been drawn again.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  await settled(page)
  const found = await sideways(page)
  await page.setViewportSize(usual)
  return found.map((problem) => `at ${PHONE.viewport!.width} px: ${problem}`)
}

type Check = (page: Page) => Promise<string[]>
const nothing: Check = async () => []

/** Opens each screen and all its layers, and returns their faults. */
async function look(
  page: Page,
  screens: readonly Screen[],
  checkOf: (screen: Screen) => Check,
  checkLayer: Check,
): Promise<string[]> {
  const found: string[] = []
  const width = page.viewportSize()?.width
  let place = ''
  let refused: number | undefined
  const note = (problem: string) => found.push(`${place} (${width} px): ${problem}`)
  page.on('console', (message) => {
    const text = message.text()
    const expected =
      text.includes('status of 401') ||
      (refused !== undefined && (text.includes(`status of ${refused}`) || /^[A-Z]+ \/api\S* failed: /.test(text)))
    if (message.type() === 'error' && !expected) note(text)
  })
  await watchShifts(page)
  for (const screen of screens) {
    const { path, layers = {} } = screen
    place = path
    refused = undefined
    await openScreen(page, path)
    for (const problem of [...(await shifted(page)), ...(await checkOf(screen)(page))]) note(problem)
    for (const [name, layer] of Object.entries(layers)) {
      place = `${path}, ${name}`
      // The browser may log a refusal after the next layer has opened, so the status is kept.
      refused = layer.refused ?? refused
      if (!full) await rememberParts(page)
      await layer.open(page)
      await settled(page)
      for (const problem of await checkLayer(page)) note(problem)
      await layer.close?.(page)
    }
  }
  return found
}
