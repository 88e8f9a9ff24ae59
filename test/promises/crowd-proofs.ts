import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { expect } from 'vitest'
import { type Crowd, isBusy } from './crowd.ts'
import type { LoadShop } from './load-shop.ts'

type Value = string | number | boolean | null
type Change = { attributeName: string; from: Value; to: Value; from_id?: number | null; to_id?: number | null }
type Entry = {
  id: number
  item: number
  bulk_id: number | null
  import_id: number | null
  sale_id: number | null
  changes: Change[]
}

/** The fields whose changes are followed through the log; for the batch its id. */
const FOLLOWED = {
  status: 'status',
  batch: 'batch_id',
  sales_price: 'sales_price',
  purchase_price: 'purchase_price',
  location: 'location',
  engineer_notes: 'engineer_notes',
} as const
type Followed = keyof typeof FOLLOWED
const isFollowed = (name: string): name is Followed => name in FOLLOWED
type State = Record<Followed, Value>

/** The state of every item, and the number of the newest log entry. */
export type Before = { states: Map<number, State>; newest: number }
export async function stateOf(shop: LoadShop): Promise<Before> {
  const [log] = await shop.rows<{ newest: number }>('select max(id)::int as newest from log')
  return { states: await statesOf(shop), newest: log!.newest }
}

async function statesOf({ rows }: LoadShop): Promise<Map<number, State>> {
  const columns = Object.entries(FOLLOWED).map(([name, column]) => `${column} as ${name}`)
  const all = await rows<State & { id: number }>(`select id, ${columns.join(', ')} from stock`)
  return new Map(all.map(({ id, ...state }) => [id, state]))
}

const fromOf = ({ attributeName, from, from_id }: Change) => (attributeName === 'batch' ? (from_id ?? null) : from)
const toOf = ({ attributeName, to, to_id }: Change) => (attributeName === 'batch' ? (to_id ?? null) : to)

/**
 * The changes of an item's status that are allowed: those by hand in the specification's table, and those by sales,
 * batches, returns and deletions. An undo may also restore the status from before the change.
 */
const MOVES: Record<StockStatus, StockStatus[]> = {
  Inbound: ['In Stock', 'Deleted'],
  'In Stock': ['In Batch', 'Sold', 'Deleted'],
  'In Batch': ['In Stock', 'Sold', 'Deleted'],
  Sold: ['In Stock', 'In Batch', 'Inbound', 'Deleted'],
  'Returned to Supplier': [],
  Deleted: ['In Stock', 'In Batch'],
}

/** All changes of each item in the log since entry `since`, in their order. */
async function entriesOf({ rows }: LoadShop, since: number): Promise<Map<number, Entry[]>> {
  const all = await rows<Entry>(
    `select id::int, loggable_id as item, bulk_id, import_id,
       case content ->> 'type' when 'item_sold' then (content -> 'data' ->> 'sale_id')::int end as sale_id,
       case content ->> 'type' when 'model_update' then content -> 'data' else '[]' end as changes
     from log where loggable_type = 'Stock' and id > $1 order by id`,
    [since],
  )
  return Map.groupBy(all, ({ item }) => item)
}

/**
 * Promises D1, D5, D8 and D9: the log entries of each item lead without a gap from its first state to its present one.
 * Each change is allowed. Each sale of the item has an entry, with the price that the item had then.
 */
async function expectWholeLog(crowd: Crowd, before: Map<number, State>, log: Map<number, Entry[]>): Promise<void> {
  const { shop, undone } = crowd
  const after = await statesOf(shop)
  const lines = await shop.rows<{ sale: number; item: number; price: number }>(
    `select sale_id as sale, stock_id as item, coalesce(sales_price_vat, sales_price) as price from sale_item`,
  )
  const priceOf = new Map(lines.map(({ sale, item, price }) => [`${sale} ${item}`, price]))
  const undoneImports = new Set(crowd.imports)
  const wrong: string[] = []
  const sold = new Set<string>()
  for (const [item, entries] of log) {
    const state = { ...before.get(item) } as Partial<State>
    const acts = new Set<number>()
    for (const { id, changes, bulk_id, import_id, sale_id } of entries) {
      const isUndo = (bulk_id !== null && acts.has(bulk_id)) || (import_id !== null && undoneImports.has(import_id))
      if (bulk_id !== null) acts.add(bulk_id)
      if (sale_id !== null) {
        const line = `${sale_id} ${item}`
        const price = priceOf.get(line)
        if (state.status === 'Sold') wrong.push(`#${item}, entry ${id}: sold to sale #${sale_id} while it was sold`)
        // A sale that has lost an item gets it back at the agreed price when it is resubmitted.
        if (price === undefined || (!sold.has(line) && price !== state.sales_price))
          wrong.push(`#${item} was sold at ${price} on sale #${sale_id}, its price was ${state.sales_price}`)
        sold.add(line)
      }
      for (const change of changes) {
        const { attributeName: name } = change
        if (!isFollowed(name)) continue
        const [from, to] = [fromOf(change), toOf(change)]
        if ((state[name] ?? null) !== from)
          wrong.push(`#${item}, entry ${id}: ${name} was ${state[name]}, not ${from} (to ${to})`)
        if (name === 'status' && from !== null && to !== null && !isUndo)
          if (!MOVES[from as StockStatus].includes(to as StockStatus))
            wrong.push(`#${item}, entry ${id}: ${from} to ${to}`)
        state[name] = to
      }
    }
    const now = after.get(item)
    for (const name of Object.keys(FOLLOWED).filter(isFollowed))
      if (now && now[name] !== (state[name] ?? null))
        wrong.push(`#${item}: ${name} is ${now[name]}, its log says ${state[name]}`)
  }
  expect(wrong).toEqual([])
  expect(sold.size).toBe(lines.length)
  expect(undone.size).toBeGreaterThan(0)
}

/** The changes of an entry and the same the other way round, as texts that can be compared. */
const changesOf = ({ changes }: Entry) =>
  JSON.stringify(changes.map((change) => [change.attributeName, fromOf(change), toOf(change)]).toSorted())
const reversedOf = ({ changes }: Entry) =>
  JSON.stringify(changes.map((change) => [change.attributeName, toOf(change), fromOf(change)]).toSorted())

/**
 * The entries without bulk edits and imports that were undone, and without their undos: an undo restores the values
 * and the time of the last change. If another entry is between the two, both stay.
 */
function withoutUndone(entries: readonly Entry[]): Entry[] {
  const left: Entry[] = []
  for (const entry of entries) {
    const last = left.at(-1)
    const isUndoOfEdit = entry.bulk_id !== null && last?.bulk_id === entry.bulk_id
    const isUndoOfImport =
      entry.import_id !== null && last?.import_id === entry.import_id && changesOf(entry) === reversedOf(last)
    if (isUndoOfEdit || isUndoOfImport) left.pop()
    else left.push(entry)
  }
  return left
}

/**
 * Each bulk edit happened once. An undo restores the values from before the bulk edit, and only if nobody has changed
 * the item since. A bulk edit of items as they were seen found them unchanged.
 */
async function expectExactActs({ shop, acts, seen, undone }: Crowd, log: Map<number, Entry[]>): Promise<void> {
  type Act = { id: number; items: number[]; found: string[]; given: (string | null)[] | null }
  const rows = await shop.rows<Act>(
    'select id, items, found::text[], given_back::text[] as given from bulk_edit order by id',
  )
  expect(rows.map(({ id, items }) => ({ id, changed: items.length }))).toEqual(acts.toSorted((a, b) => a.id - b.id))
  const wrong: string[] = []
  for (const { id, items, found, given } of rows) {
    const told = undone.get(id)
    const kept = new Map(told?.kept.map((one) => [one.id, one.reason]))
    if (Boolean(told) !== Boolean(given)) wrong.push(`bulk edit #${id}: undone ${given}, but told ${told}`)
    if (told && told.restored + kept.size !== items.length)
      wrong.push(`bulk edit #${id}: ${told.restored}, ${kept.size}`)
    for (const [n, item] of items.entries()) {
      const time = seen.get(id)?.get(item)
      if (time !== undefined && Date.parse(time) !== Date.parse(found[n]!))
        wrong.push(`bulk edit #${id} found item #${item} of ${found[n]}, it was seen of ${time}`)
      const entries = log.get(item)!.filter(({ changes }) => changes.length > 0)
      const [first, second, ...more] = entries.filter(({ bulk_id }) => bulk_id === id)
      const isRestored = Boolean(told) && !kept.has(item)
      if (!first || more.length || Boolean(second) !== isRestored || Boolean(given?.[n]) !== isRestored) {
        wrong.push(`bulk edit #${id}: ${entries.length} entries of item #${item}, restored ${isRestored}`)
        continue
      }
      if (!second) continue
      const between = withoutUndone(entries.slice(entries.indexOf(first) + 1, entries.indexOf(second)))
      if (between.length) wrong.push(`the undo of #${id} went over entry ${between[0]!.id} of item #${item}`)
      const [backwards, givenBack] = [reversedOf(first), changesOf(second)]
      if (backwards !== givenBack) wrong.push(`bulk edit #${id}, item #${item}: ${backwards}, ${givenBack}`)
    }
  }
  expect(wrong).toEqual([])
}

/** Promise D3: a request that was sent several times under one key has one effect and one answer. */
async function expectOnce({ shop, keys, sales, imports }: Crowd): Promise<void> {
  for (const [key, { act, answers }] of keys)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size, `${act} ${key}`).toBe(1)
  const ids = async (sql: string) => (await shop.rows<{ id: number }>(sql)).map(({ id }) => id)
  const sorted = (given: number[]) => given.toSorted((a, b) => a - b)
  expect(await ids('select id from sale order by id')).toEqual(sorted(sales.map(({ id }) => id)))
  expect(await ids('select id from import order by id offset 1')).toEqual(sorted(imports))
}

/** Promise D4: nothing joins or leaves a batch between the log entry that locks it and the one that unlocks it. */
async function expectLockedBatchesKept({ shop }: Crowd, log: Map<number, Entry[]>): Promise<number> {
  const locks = await shop.rows<{ id: number; batch: number; to: boolean }>(
    `select log.id::int, loggable_id as batch, (change -> 'to')::boolean as "to"
     from log, jsonb_array_elements(content -> 'data') change
     where loggable_type = 'Batch' and content ->> 'type' = 'model_update'
       and change ->> 'attributeName' = 'is_locked' order by log.id`,
  )
  const byBatch = Map.groupBy(locks, ({ batch }) => batch)
  const isLocked = (batch: number, at: number) => byBatch.get(batch)?.findLast(({ id }) => id < at)?.to === true
  const broken = [...log.values()].flat().filter(({ id, changes }) =>
    changes.some((change) => {
      if (change.attributeName !== 'batch') return false
      return [change.from_id, change.to_id].some((batch) => batch != null && isLocked(batch, id))
    }),
  )
  expect(broken).toEqual([])
  return locks.filter(({ to }) => to).length
}

/** Promise D6: an item that somebody has added is in the basket, unless it can no longer be sold. */
async function expectBasketsKept({ shop, baskets, quiet }: Crowd, log: Map<number, Entry[]>): Promise<number> {
  const rows = await shop.rows<{ user_id: number; items: number[] }>('select user_id, items from basket')
  const held = new Map(rows.map(({ user_id, items }) => [user_id, new Set(items)]))
  const isQuiet = new Set(quiet.map(({ id }) => id))
  const hasMoved = (item: number) =>
    log.get(item)?.some(({ changes }) => changes.some(({ attributeName }) => attributeName === 'status'))
  const lost = [...baskets].flatMap(([person, added]) =>
    [...added].filter((item) => !held.get(person)?.has(item) && (isQuiet.has(item) || !hasMoved(item))),
  )
  expect(lost).toEqual([])
  return [...baskets.values()].reduce((sum, { size }) => sum + size, 0)
}

/** Promises D10 and D8: document numbers have neither gaps nor duplicates, and no log entry was changed. */
async function expectNumbersAndLog({ shop }: Crowd): Promise<number> {
  const series = await shop.rows<{ series: string; n: number; last: number }>(
    'select series, count(distinct number)::int as n, max(number)::int as last from document group by series',
  )
  for (const { series: name, n, last } of series) expect({ name, n }).toEqual({ name, n: last })
  const [log] = await shop.rows(
    `select n_tup_upd::int as updated, n_tup_del::int as deleted from pg_stat_user_tables where relname = 'log'`,
  )
  expect(log).toEqual({ updated: 0, deleted: 0 })
  return series.reduce((sum, { n }) => sum + n, 0)
}

/** There was no internal error. A request that waited too long was asked to try again. */
function expectNoFault({ heard }: Crowd): void {
  const wrong = heard.filter(({ answer }) => answer.status >= 500 && !(answer.status === 503 && isBusy(answer)))
  expect(wrong.map(({ act, answer: { status, body } }) => ({ act, status, body }))).toEqual([])
  const others = heard.filter(({ answer: { status } }) => ![200, 201, 202, 404, 409, 412, 422, 503].includes(status))
  expect(others.map(({ act, answer: { status, body } }) => ({ act, status, body }))).toEqual([])
}

/**
 * Checks all these promises after the crowd has worked. `before` is the state before it began. Returns counts for the
 * report.
 */
export async function expectAllKept(crowd: Crowd, { states, newest }: Before) {
  const log = await entriesOf(crowd.shop, newest)
  expectNoFault(crowd)
  await expectWholeLog(crowd, states, log)
  await expectExactActs(crowd, log)
  await expectOnce(crowd)
  const locks = await expectLockedBatchesKept(crowd, log)
  const inBaskets = await expectBasketsKept(crowd, log)
  const numbers = await expectNumbersAndLog(crowd)
  return { locks, inBaskets, numbers, entries: [...log.values()].flat().length }
}
