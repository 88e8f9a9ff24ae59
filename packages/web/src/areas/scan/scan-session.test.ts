import { StockRow } from '@backstock/contract/stock.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { blank } from '../../testing/blank.ts'
import { scanSession } from './scan-session.ts'
import { setHeard } from './tones.ts'

/** The codes of each request, and the pitches of the tones, in their order. */
let asked: string[][] = []
let heard: number[] = []
let kept = new Map<string, string>()
const statuses = new Map<number, StockStatus>()

const storage = (of: Map<string, string>) => ({
  getItem: (name: string) => of.get(name) ?? null,
  setItem: (name: string, text: string) => void of.set(name, text),
  removeItem: (name: string) => void of.delete(name),
})

/** Fakes the sound of a browser, whose clock stands still. */
class FakedAudio {
  currentTime = 0
  state = 'running'
  destination = {}
  close = async () => {}
  createGain = () => ({
    gain: { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} },
    connect: () => {},
  })
  createOscillator = () => {
    const tone = {
      frequency: { value: 0 },
      connect: (to: object) => to,
      start: () => void heard.push(tone.frequency.value),
      stop: () => {},
    }
    return tone
  }
}

beforeEach(() => {
  ;[asked, heard, kept] = [[], [], new Map()]
  statuses.clear()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', storage(new Map()))
  vi.stubGlobal('sessionStorage', storage(kept))
  vi.stubGlobal('AudioContext', FakedAudio)
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { codes } = JSON.parse(body as string) as { codes: string[] }
    asked.push(codes)
    return Response.json({ data: codes.map((code) => ({ code, item: itemOf(code), message: null })) })
  })
})
afterEach(() => {
  setHeard(false)
  vi.unstubAllGlobals()
})

const ITEM = blank(StockRow)
/** The codes `#1`, `#2` and so on name items; all others are unknown. */
function itemOf(code: string): StockRow | null {
  if (!code.startsWith('#')) return null
  const id = Number(code.slice(1))
  return { ...ITEM, id, status: statuses.get(id) ?? 'In Stock' }
}

const opened = () =>
  scanSession(
    5,
    () => {},
    () => {},
  )
type Session = ReturnType<typeof opened>
const resultsOf = (session: Session) => session.read().scans.map(({ given, result }) => `${given} ${result}`)
const answered = (session: Session) =>
  vi.waitFor(() => expect(session.read().scans.every(({ result }) => result !== 'waiting')).toBe(true))

const [HIGH, MIDDLE, LOW, DOUBLE] = [1320, 520, 170, 880]
test.each([
  [['#1', '#2'], [HIGH]],
  [
    ['#1', '#1'],
    [DOUBLE, DOUBLE],
  ],
  [['#1', '#1', '#8'], [MIDDLE]],
  [['X', '#8', '#1', '#1'], [LOW]],
])('codes that come together make one tone, that of the worst result: %j', async (codes, tones) => {
  statuses.set(8, 'Sold')
  const session = opened()
  session.add(codes)
  await answered(session)
  expect(heard).toEqual(tones)
})

test('codes that come one after the other make a tone each, until the last one would sound too late', async () => {
  const session = opened()
  for (let n = 0; n < 3; n++) session.add([`X${n}`])
  await answered(session)
  expect(heard).toEqual([LOW, LOW, LOW])
  // Each takes 325 ms, so 93 tones fill 30 seconds.
  for (let n = 3; n < 200; n++) session.add([`X${n}`])
  await answered(session)
  expect(heard).toHaveLength(93)
})

test('scans are there after a reload, in their order and without a sound; those that were taken back are not', async () => {
  const session = opened()
  for (const code of ['#1', 'X', '#2', 'GONE']) session.add([code])
  await answered(session)
  session.undo()
  const before = heard.length
  const again = opened()
  again.restore()
  await answered(again)
  expect(resultsOf(again)).toEqual(['#1 sellable', 'X unknown', '#2 sellable'])
  expect(heard).toHaveLength(before)

  const back = again.clear()
  const empty = opened()
  empty.restore()
  expect(empty.read().scans).toEqual([])
  expect(kept.size).toBe(0)
  back()
  await answered(again)
  expect(resultsOf(again)).toEqual(['#1 sellable', 'X unknown', '#2 sellable'])
  expect(heard).toHaveLength(before)
  const third = opened()
  third.restore()
  expect(third.read().scans).toHaveLength(3)
})

test('the browser keeps the scans of each person apart, and what it has kept wrongly counts as nothing', () => {
  opened().add(['#1'])
  const other = scanSession(
    6,
    () => {},
    () => {},
  )
  other.restore()
  expect(other.read().scans).toEqual([])
  for (const text of ['{', '{"codes":[]}', '[1]']) {
    kept.set('scan 5', text)
    const session = opened()
    session.restore()
    expect(session.read().scans).toEqual([])
  }
})

test('more items than one request may ask for are all read again', async () => {
  const session = opened()
  session.add(Array.from({ length: 1_001 }, (_, n) => `#${n + 1}`))
  await answered(session)
  expect(session.read().counts).toMatchObject({ found: 1_001, sellable: 1_001 })
  for (const id of [1, 1_000, 1_001]) statuses.set(id, 'Sold')
  asked = []
  await session.readItems()
  expect(asked.map(({ length }) => length)).toEqual([1_000, 1])
  expect(session.read().counts).toMatchObject({ found: 1_001, sellable: 998 })
})

test('a text that is too long for a code is kept and looked up as far as it may be one', async () => {
  const session = opened()
  session.add(['y'.repeat(1_001), ' ', ''])
  await answered(session)
  expect(asked).toEqual([['y'.repeat(1_000)]])
})
