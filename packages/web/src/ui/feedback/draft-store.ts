/** Drafts that people have left in this browser, each under a name and its person's id. */

const LIFE_MS = 30 * 24 * 60 * 60 * 1000
const MOST = 20

export type NamedDraft<Draft> = { name: string; draft: Draft }

type Kept = { key: string; draft: object; keptAt: number; isDated: boolean }

const START = 'draft '
const keyOf = (name: string, userId: number) => `${START}${name} ${userId}`

const isOf = (userId: number) => (key: string) => key.endsWith(` ${userId}`)

function draftKeys(): string[] {
  const keys = Array.from({ length: localStorage.length }, (_, n) => localStorage.key(n) ?? '')
  return keys.filter((key) => key.startsWith(START))
}

/** Null if there is no draft, or if it has ended. Version 1.0.0 did not date its drafts; they count as new. */
function readKey(key: string): Kept | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof draft !== 'object' || draft === null) return null
    const isDated = typeof draft.keptAt === 'number'
    const keptAt = isDated ? draft.keptAt : Date.now()
    return Date.now() - keptAt < LIFE_MS ? { key, draft, keptAt, isDated } : null
  } catch {
    return null
  }
}

const write = (key: string, draft: object) =>
  localStorage.setItem(key, JSON.stringify({ ...draft, keptAt: Date.now() }))

/** The draft that this person left under this name less than 30 days ago; null if there is none. */
export const readDraft = <Draft>(name: string, userId: number): Draft | null =>
  (readKey(keyOf(name, userId))?.draft ?? null) as Draft | null

/** This person's drafts whose name is `group`, or begins with it and a space. The newest comes first. */
export function readDrafts<Draft>(group: string, userId: number): NamedDraft<Draft>[] {
  try {
    return draftKeys()
      .filter(isOf(userId))
      .flatMap((key) => readKey(key) ?? [])
      .toSorted((a, b) => b.keptAt - a.keptAt)
      .map(({ key, draft }) => ({ name: key.slice(START.length, -` ${userId}`.length), draft: draft as Draft }))
      .filter(({ name }) => name === group || name.startsWith(`${group} `))
  } catch {
    // The browser refuses to keep anything.
    return []
  }
}

/**
 * Keeps a draft for 30 days from now. Each person's newest 20 drafts stay. Throws if the browser refuses to keep it.
 */
export function keepDraft(name: string, userId: number, draft: object): void {
  const key = keyOf(name, userId)
  if (localStorage.getItem(key) === null) makeRoom(userId)
  write(key, draft)
}

export const dropDraft = (name: string, userId: number): void => localStorage.removeItem(keyOf(name, userId))

/** Deletes the drafts that have ended, and this person's oldest, so that there is room for one more. */
function makeRoom(userId: number): void {
  const kept = draftKeys().flatMap((key) => {
    const found = readKey(key)
    if (!found) localStorage.removeItem(key)
    return found ?? []
  })
  for (const { key, draft, isDated } of kept) if (!isDated) write(key, draft)
  const own = kept.filter(({ key }) => isOf(userId)(key)).toSorted((a, b) => b.keptAt - a.keptAt)
  for (const { key } of own.slice(MOST - 1)) localStorage.removeItem(key)
}

/**
 * The draft that a form with these items continues: at least half of the draft's items must be among them. If there are
 * several, it is the draft that has most of them. Undefined if there is none.
 */
export function continuedDraft<Draft, Item>(
  drafts: readonly NamedDraft<Draft>[],
  itemsOf: (draft: Draft) => readonly Item[],
  items: readonly Item[],
): NamedDraft<Draft> | undefined {
  const here = new Set(items)
  return drafts
    .map((named) => {
      const its = itemsOf(named.draft)
      return { named, all: its.length, common: its.filter((item) => here.has(item)).length }
    })
    .filter(({ all, common }) => common > 0 && common * 2 >= all)
    .toSorted((a, b) => b.common - a.common || a.all - b.all)
    .at(0)?.named
}

/** Whether two lists have the same items, in any order. Neither names an item twice. */
export function hasSameItems<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  const items = new Set(one)
  return other.length === items.size && other.every((item) => items.has(item))
}
