import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { continuedDraft, dropDraft, hasSameItems, keepDraft, readDraft, readDrafts } from './draft-store.ts'

const ADA = 7
const BOB = 17
const DAY_MS = 24 * 60 * 60 * 1000

/** The part of a browser's storage that drafts need. */
function storageOf(stored: Map<string, string>) {
  return {
    get length() {
      return stored.size
    },
    key: (n: number) => [...stored.keys()][n] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', storageOf(stored))
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (days: number) => vi.setSystemTime(Date.now() + days * DAY_MS)
const namesOf = (group: string, userId: number) => readDrafts(group, userId).map(({ name }) => name)

test('each draft is its person’s, under its own name, and the newest comes first', () => {
  keepDraft('sale 1', ADA, { n: 1 })
  pass(1)
  keepDraft('sale 2', ADA, { n: 2 })
  keepDraft('sale 1', BOB, { n: 3 })
  keepDraft('return 1', ADA, { n: 4 })
  keepDraft('sales', ADA, { n: 5 })
  expect(namesOf('sale', ADA)).toEqual(['sale 2', 'sale 1'])
  expect(namesOf('sale', BOB)).toEqual(['sale 1'])
  expect(readDraft('sale 1', ADA)).toMatchObject({ n: 1 })
  expect(readDraft('sale 1', BOB)).toMatchObject({ n: 3 })
  pass(1)
  keepDraft('sale 1', ADA, { n: 6 })
  expect(namesOf('sale', ADA)).toEqual(['sale 1', 'sale 2'])
  dropDraft('sale 1', ADA)
  expect(readDraft('sale 1', ADA)).toBeNull()
  expect(namesOf('sale', ADA)).toEqual(['sale 2'])
  expect(namesOf('sale', BOB)).toEqual(['sale 1'])
})

test('a draft ends 30 days after its last change, and the next draft takes it away', () => {
  keepDraft('sale 1', ADA, { n: 1 })
  keepDraft('sale 2', BOB, { n: 2 })
  pass(20)
  keepDraft('sale 1', ADA, { n: 3 })
  pass(29)
  expect(readDraft('sale 1', ADA)).toMatchObject({ n: 3 })
  expect(namesOf('sale', BOB)).toEqual([])
  pass(1)
  expect(readDraft('sale 1', ADA)).toBeNull()
  expect(stored.size).toBe(2)
  keepDraft('return 1', ADA, {})
  expect([...stored.keys()]).toEqual(['draft return 1 7'])
})

test('a person has the 20 newest drafts, and takes none from others', () => {
  keepDraft('sale 1', BOB, {})
  for (let n = 1; n <= 25; n++) {
    vi.setSystemTime(Date.now() + 1000)
    keepDraft(`correction ${n}`, ADA, {})
  }
  expect(readDrafts('correction', ADA)).toHaveLength(20)
  expect(namesOf('correction', ADA)).toContain('correction 6')
  expect(readDraft('sale 1', BOB)).not.toBeNull()
  // An old draft that is changed is new again.
  keepDraft('correction 6', ADA, { n: 1 })
  vi.setSystemTime(Date.now() + 1000)
  keepDraft('correction 26', ADA, {})
  expect(readDraft('correction 6', ADA)).toMatchObject({ n: 1 })
  expect(readDraft('correction 7', ADA)).toBeNull()
})

test('a draft of version 1.0.0 has no date: it comes back, and ends 30 days after the first one that has', () => {
  stored.set('draft sale 7', JSON.stringify({ n: 1 }))
  stored.set('draft return 7', 'no JSON')
  stored.set('storageData', '{}')
  expect(readDrafts('sale', ADA)).toEqual([{ name: 'sale', draft: { n: 1 } }])
  expect(readDrafts('return', ADA)).toEqual([])
  keepDraft('sale 2', ADA, {})
  pass(31)
  expect(readDrafts('sale', ADA)).toEqual([])
  keepDraft('sale 3', ADA, {})
  expect([...stored.keys()].toSorted()).toEqual(['draft sale 3 7', 'storageData'])
})

test('a browser that refuses to keep anything has no drafts, and says so when one is kept', () => {
  const refuse = () => {
    throw new DOMException('Access is denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { length: 0, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse })
  expect(readDraft('sale 1', ADA)).toBeNull()
  expect(readDrafts('sale', ADA)).toEqual([])
  expect(() => keepDraft('sale 1', ADA, {})).toThrow('Access is denied')
})

const named = (...lists: number[][]) => lists.map((draft) => ({ name: draft.join(' '), draft }))
const continued = (items: number[], ...drafts: number[][]) =>
  continuedDraft(named(...drafts), (its) => its, items)?.draft

test('a form continues the draft that has most of its items, if half of the draft’s items are there', () => {
  expect(continued([1, 2, 3], [1, 2, 3])).toEqual([1, 2, 3])
  // An item came, and one has gone.
  expect(continued([1, 2, 3, 4], [1])).toEqual([1])
  expect(continued([2, 3], [1, 2, 3])).toEqual([1, 2, 3])
  expect(continued([1, 2], [1, 2, 3, 4])).toEqual([1, 2, 3, 4])
  // One of many is another sale.
  expect(continued([1], [1, 2, 3])).toBeUndefined()
  expect(continued([4], [1, 2, 3])).toBeUndefined()
  expect(continued([1], [])).toBeUndefined()
  expect(continued([], [])).toBeUndefined()
  expect(continued([1, 2, 3], [1], [1, 2], [3])).toEqual([1, 2])
  expect(continued([1], [1, 2], [1])).toEqual([1])
})

test('two lists have the same items in whatever order', () => {
  expect(hasSameItems([1, 2], [2, 1])).toBe(true)
  expect(hasSameItems([], [])).toBe(true)
  expect(hasSameItems([1, 2], [1])).toBe(false)
  expect(hasSameItems([1], [1, 2])).toBe(false)
  expect(hasSameItems([1, 2], [1, 3])).toBe(false)
})

test('a browser that lets nobody read its storage has no drafts', () => {
  keepDraft('sale 1', ADA, { n: 1 })
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { ...storageOf(stored), key: refuse, getItem: refuse })
  expect([readDraft('sale 1', ADA), readDrafts('sale', ADA)]).toEqual([null, []])
})
