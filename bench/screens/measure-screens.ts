import type { Browser, CDPSession, Page } from '@playwright/test'
import { MOVING, openBrowser, visit } from '../../test/journeys/browser-page.ts'
import type { Bench } from '../bench.ts'
import { median } from '../measure.ts'
import { ms } from '../row.ts'
import { send } from '../workloads/records.ts'
import { ACTIONS, type Action, LOADS, type Load } from './actions.ts'
import { captured, type Plain, startPlain, withSwap } from './plain.ts'
import { installStopwatch, quiet, readStopwatch, type Seen, startStopwatch } from './stopwatch.ts'

const ROUNDS = 10
/** The factors by which the CPU is slowed. */
export const SPEEDS = [1, 4] as const
const KINDS = ['plain', 'real'] as const
type Kind = (typeof KINDS)[number]

/** The pause that ends a measurement, so that work after the paint, such as a delayed refetch, is over. */
const QUIET_MS = { real: 600, plain: 100 }

/** The medians at one speed of the CPU. */
export type Figures = { ms: number; lowest: number; highest: number; longTasks: number; serverMs: number | null }
export type ScreenTimes = {
  name: string
  title: string
  asked?: number
  unslowed: Record<Kind, Figures>
  slowed: Record<Kind, Figures>
}

/** A page of one kind, in a browser of its own, so that its work does not slow the other kind. */
type Stage = { page: Page; devtools: CDPSession; prepare(): Promise<unknown> }

/** Measures all actions, or those with these names. */
export async function measureScreens(bench: Bench, names: readonly string[]): Promise<ScreenTimes[]> {
  const all = [...ACTIONS, ...LOADS]
  for (const name of names) {
    if (all.some((one) => one.name === name)) continue
    throw new Error(`There is no action ${name}; there are ${all.map((one) => one.name).join(', ')}`)
  }
  const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name))
  const plain = await startPlain(bench.server.target)
  const browsers = { real: await openBrowser(), plain: await openBrowser() }
  try {
    const found: ScreenTimes[] = []
    for (const one of chosen) {
      bench.say(`S21 ${one.name} …`)
      const times = await measure(bench, browsers, plain, one)
      bench.say(inWords(times))
      found.push(times)
    }
    return found
  } finally {
    for (const kind of KINDS) await browsers[kind].close()
    plain.stop()
  }
}

async function measure(
  bench: Bench,
  browsers: Record<Kind, Browser>,
  plain: Plain,
  one: Action | Load,
): Promise<ScreenTimes> {
  const isLoad = 'cache' in one
  const watched = isLoad ? one.shown : null
  const real = await open(browsers.real, bench.server.target, watched)
  await logIn(real, bench)
  if (isLoad) await captureLoad(real.page, plain, one)
  else {
    if (one.basket !== undefined) await fillBasket(bench, one.basket)
    await captureAction(real.page, plain, one, bench)
  }
  const shown = await open(browsers.plain, plain.target, watched)
  const stages: Record<Kind, Stage> = {
    real: { ...real, prepare: () => (isLoad ? leave(real, one) : one.start(real.page, bench)) },
    plain: { ...shown, prepare: () => (isLoad ? leave(shown, one) : shown.page.goto(`/${one.name}`)) },
  }
  const heard = SPEEDS.map((): Record<Kind, Seen[]> => ({ plain: [], real: [] }))
  // The first round is not counted, because code is compiled in it.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [n, speed] of SPEEDS.entries())
      for (const kind of round % 2 ? KINDS.toReversed() : KINDS) {
        const stage = stages[kind]
        await stage.prepare()
        await stage.page.mouse.move(2, 2)
        await stage.page.evaluate(quiet, QUIET_MS[kind])
        const seen = await (isLoad
          ? timeLoad(stage, speed, kind === 'real' ? one.address : `/${one.name}`)
          : timeAction(stage, speed, one, bench))
        if (round > 0) heard[n]![kind].push(seen)
      }
  await real.page.context().close()
  await shown.page.context().close()
  const [unslowed, slowed] = heard.map(({ plain, real }) => ({ plain: figures(plain), real: figures(real) }))
  return {
    ...{ name: one.name, title: one.title, unslowed: unslowed!, slowed: slowed! },
    ...(one.asked !== undefined && { asked: one.asked }),
  }
}

async function open(browser: Browser, address: string, fromLoad: string | null) {
  const { page, context } = await visit(browser, address, MOVING)
  await page.addInitScript(installStopwatch, fromLoad)
  return { page, devtools: await context.newCDPSession(page) }
}

async function logIn({ page }: { page: Page }, { server, sessions }: Bench): Promise<void> {
  const cookies = sessions[0]!.cookie.split('; ').map((cookie) => {
    const at = cookie.indexOf('=')
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: server.target }
  })
  await page.context().addCookies(cookies)
}

async function fillBasket({ load, sides, inStock }: Bench, items: number): Promise<void> {
  const ids = inStock.slice(0, items).map(({ id }) => id)
  await load.run({
    ...sides.server,
    operations: [[send('PUT', '/api/user/:me/basket', { items: ids })]],
    clients: 1,
  })
}

async function captureLoad(page: Page, plain: Plain, { name, address }: Load): Promise<void> {
  await page.goto(address)
  await page.evaluate(quiet, QUIET_MS.real)
  plain.serve(`/${name}`, await page.evaluate(captured, null))
}

async function captureAction(page: Page, plain: Plain, action: Action, bench: Bench): Promise<void> {
  await action.start(page, bench)
  await page.evaluate(quiet, QUIET_MS.real)
  const before = await page.evaluate(captured, null)
  await act(page, action, bench)
  await page.locator(action.shown).first().waitFor({ state: 'attached' })
  await page.evaluate(quiet, QUIET_MS.real)
  const html = await page.evaluate(captured, action.region)
  const event = action.type ? 'input' : action.click ? 'click' : 'popstate'
  const typed = action.type ? textOf(action.type, bench).length : 0
  plain.serve(`/${action.name}`, withSwap(before, { event, typed, region: action.region, html }))
}

const textOf = ({ text }: NonNullable<Action['type']>, bench: Bench) => (typeof text === 'string' ? text : text(bench))

/** Acts like a person: the pointer arrives and clicks at once. */
async function act(page: Page, { click, type }: Action, bench: Bench): Promise<void> {
  if (type) {
    await page.locator(type.into).focus()
    await page.keyboard.type(textOf(type, bench))
  } else if (click) {
    const target = page.locator(click)
    await target.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await target.boundingBox())!
    await page.mouse.click(x + width / 2, y + height / 2)
  } else await page.evaluate(() => history.back())
}

const inWords = ({ unslowed, slowed }: ScreenTimes) =>
  [unslowed, slowed]
    .map(({ real, plain }) => `${ms(real.ms)} (${ms(real.lowest)} to ${ms(real.highest)}), plain ${ms(plain.ms)}`)
    .join('; slowed ')

const slow = ({ devtools }: Stage, rate: number) => devtools.send('Emulation.setCPUThrottlingRate', { rate })

async function timeAction(stage: Stage, speed: number, action: Action, bench: Bench): Promise<Seen> {
  const event = action.type ? 'keydown' : action.click ? 'click' : 'popstate'
  await slow(stage, speed)
  await stage.page.evaluate(startStopwatch, { event, shown: action.shown })
  await act(stage.page, action, bench)
  return stage.page.evaluate(readStopwatch).finally(() => slow(stage, 1))
}

/** Opens a bare page of the same server, so that leaving the last screen is not part of the next load. */
async function leave({ page, devtools }: Omit<Stage, 'prepare'>, { cache }: Load): Promise<void> {
  await page.goto('/healthz')
  if (!cache) await devtools.send('Network.clearBrowserCache')
}

async function timeLoad(stage: Stage, speed: number, address: string): Promise<Seen> {
  await slow(stage, speed)
  await stage.page.goto(address, { waitUntil: 'commit' })
  return stage.page.evaluate(readStopwatch).finally(() => slow(stage, 1))
}

function figures(seen: readonly Seen[]): Figures {
  const times = seen.map(({ ms }) => ms)
  const served = seen.flatMap(({ serverMs }) => (serverMs === null ? [] : [serverMs]))
  return {
    ...{ ms: median(times), lowest: Math.min(...times), highest: Math.max(...times) },
    ...{
      longTasks: median(seen.map(({ longTasks }) => longTasks)),
      serverMs: served.length ? median(served) : null,
    },
  }
}
