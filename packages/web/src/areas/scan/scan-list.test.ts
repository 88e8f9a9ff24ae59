import { readCode } from '@backstock/contract/scan-code.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../api/client.ts'
import { removeToast, toastStore } from '../../api/toast.ts'
import { itemsOf, type Scan, scanList, unknownOf } from './scan-list.ts'
import { scanSession } from './scan-session.ts'
import { whyOf, wordOf } from './scan-words.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const { id } of toastStore.read()) removeToast(id)
})

/** The stock: A and B are codes of item 1, C is item 2, which is sold. All other codes are unknown. */
const ITEMS: Record<string, { id: number; status: string }> = {
  A: { id: 1, status: 'In Stock' },
  B: { id: 1, status: 'In Stock' },
  C: { id: 2, status: 'Sold' },
}
const look = (given: string) => ({ code: given, item: (ITEMS[given] as StockRow | undefined) ?? null, message: null })
const read = (given: readonly string[]) => given.map((text) => ({ text, code: readCode(text)! }))

function scanned(given: readonly string[]) {
  const list = scanList()
  const added = list.add(read(given))
  const results = list.answer(
    added.map(({ id }) => id),
    given.map(look),
  )
  return { list, results }
}

test('each phone and each code of none counts once, by whichever of its codes', () => {
  const { list, results } = scanned(['A', 'x', 'B', 'C', 'X', 'A'])
  expect(results).toEqual(['sellable', 'unknown', 'again', 'refused', 'again', 'again'])
  expect(list.read().counts).toEqual({ found: 2, sellable: 1, unknown: 1, again: 3 })
  expect(itemsOf(list.read().scans).map(({ id }) => id)).toEqual([1, 2])
  expect(unknownOf(list.read().scans)).toEqual(['x'])
})

test('a scan that was undone before its answer came counts nowhere', () => {
  const list = scanList()
  const [a, x] = list.add(read(['A', 'x']))
  list.undo()
  expect(list.answer([a!.id, x!.id], ['A', 'x'].map(look))).toEqual(['sellable', null])
  expect(list.read()).toMatchObject({ scans: [{ code: 'A' }], counts: { found: 1, unknown: 0 } })
})

test('an item that has changed since is shown as it is now', () => {
  const { list } = scanned(['A', 'B', 'C'])
  list.refresh(new Map([[1, { id: 1, status: 'Sold' } as StockRow]]))
  expect(list.read().scans.map(({ result }) => result)).toEqual(['refused', 'again', 'refused'])
  expect(list.read().counts).toEqual({ found: 2, sellable: 0, unknown: 0, again: 1 })
})

test('a list holds 10,000 codes: those for which it has no room are refused with a message', () => {
  vi.stubGlobal('localStorage', { getItem: () => 'off' })
  vi.spyOn(api, 'post').mockReturnValue(new Promise(() => {}))
  const session = scanSession(
    5,
    () => {},
    () => {},
  )
  const held = () => [session.read().scans.length, session.read().scans.at(-1)?.code]
  const codes = Array.from({ length: MAX_MANY }, (_, n) => `C-${n}`)
  session.add(codes.slice(0, -1))
  session.add(['one', 'two'])
  expect(held()).toEqual([9_999, 'C-9998'])
  const message = 'A list holds 10,000 codes. Clear it to go on scanning.'
  expect(toastStore.read()).toMatchObject([{ type: 'error', title: 'Not scanned', message, told: 1 }])
  session.add(['one'])
  expect(held()).toEqual([10_000, 'one'])
  session.add(['two'])
  expect(held()).toEqual([10_000, 'one'])
  session.stop()
})

const Codes = fc.array(fc.constantFrom('A', 'B', 'C', 'x', 'X', 'y'), { maxLength: 20 })

test('every scan is counted once, and undone it is as if it had never been', () => {
  fc.assert(
    fc.property(Codes, Codes, (kept, undone) => {
      const { list } = scanned([...kept, ...undone])
      const { found, unknown, again } = list.read().counts
      for (const _ of undone) list.undo()
      expect(found + unknown + again).toBe(kept.length + undone.length)
      expect(list.read()).toEqual(scanned(kept).list.read())
      const more = list.add(read(undone))
      const ids = more.map(({ id }) => id)
      expect(list.answer(ids, undone.map(look))).toEqual(scanned([...kept, ...undone]).results.slice(kept.length))
    }),
  )
})

test('each scan says its result, and why its item cannot be sold or in which batch it is', () => {
  const words = (result: Scan['result'], item: Partial<StockRow> | null, message: string | null = null) => {
    const scan = { id: 1, code: 'A', result, message, item: item && { batch_id: null, ...item } } as Scan
    return [wordOf(scan), whyOf(scan)]
  }
  const batch = { batch_id: 5, batch_name: 'May' }
  expect([
    words('waiting', null),
    words('sellable', { status: 'In Stock' }),
    words('sellable', { status: 'In Batch', ...batch }),
    words('sellable', { status: 'In Batch', ...batch, is_batch_locked: true }),
    words('refused', { status: 'Inbound' }),
    words('refused', { status: 'Sold', ...batch }),
    words('refused', { status: 'Returned to Supplier' }),
    words('refused', { status: 'Deleted' }),
    words('again', { status: 'In Stock' }),
    words('unknown', null),
    words('unknown', null, 'It is no IMEI.'),
  ]).toEqual([
    ['Looking…', null],
    ['Can be sold', null],
    ['Can be sold', 'In batch #5 - May.'],
    ['Can be sold', 'In batch #5 - May, which is locked.'],
    ['Cannot be sold', 'It is Inbound: receive it first.'],
    ['Cannot be sold', 'It is sold already.'],
    ['Cannot be sold', 'It went back to its supplier.'],
    ['Cannot be sold', 'It has been deleted.'],
    ['Scanned again', null],
    ['Not found', 'No item has this code.'],
    ['Not found', 'It is no IMEI.'],
  ])
})
