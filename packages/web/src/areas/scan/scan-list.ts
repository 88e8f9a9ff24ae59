import { getFrom, zip } from '@backstock/contract/lists.ts'
import { codeKey, type ScannedCode } from '@backstock/contract/scan-code.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { ScanFound } from '@backstock/contract/stock-scan.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'

/** The result of a scan. 'again' means that this code, or another code of the same phone, was scanned before. */
export type ScanResult = 'waiting' | 'sellable' | 'refused' | 'unknown' | 'again'

export type Scan = {
  /** Grows with each scan. */
  id: number
  /** The text that the scanner sent. */
  given: string
  /** The text that the screen shows. */
  code: string
  result: ScanResult
  item: StockRow | null
  /** The server's message about a code that no item has. */
  message: string | null
}

/**
 * `found` scans have an item, and `sellable` of them can be sold; `unknown` scans have no item; `again` were scanned
 * before. found + unknown + again are all scans with a result.
 */
export type ScanCounts = { found: number; sellable: number; unknown: number; again: number }
export type ScanState = { scans: readonly Scan[]; counts: ScanCounts }

const NOTHING: ScanState = { scans: [], counts: { found: 0, sellable: 0, unknown: 0, again: 0 } }

const counted = ({ found, sellable, unknown, again }: ScanCounts, result: ScanResult, by: 1 | -1): ScanCounts => ({
  found: found + (result === 'sellable' || result === 'refused' ? by : 0),
  sellable: sellable + (result === 'sellable' ? by : 0),
  unknown: unknown + (result === 'unknown' ? by : 0),
  again: again + (result === 'again' ? by : 0),
})

/**
 * The list of scanned codes, oldest first, with the result of each. Results arrive in the order of the scans, so the
 * scans without a result are always the newest.
 */
export function scanList(onChange: () => void = () => {}) {
  let state = NOTHING
  let lastId = 0
  const codes = new Map<number, ScannedCode>()
  /** The first scan of each phone, and of each code that no phone has. */
  const first = new Map<string, number>()
  const keyOf = ({ id, item }: Scan) => (item ? `#${item.id}` : `?${codeKey(getFrom(codes, id))}`)
  const change = (next: ScanState) => {
    state = next
    onChange()
  }

  function resultOf(scan: Scan): ScanResult {
    const key = keyOf(scan)
    if (first.has(key)) return 'again'
    first.set(key, scan.id)
    if (!scan.item) return 'unknown'
    return isSellable(scan.item.status) ? 'sellable' : 'refused'
  }

  return {
    read: () => state,

    /** Appends codes whose results will arrive later. */
    add(given: readonly { text: string; code: ScannedCode }[]): readonly Scan[] {
      const added = given.map(({ text, code }): Scan => {
        const id = ++lastId
        codes.set(id, code)
        return { id, given: text, code: code.code, result: 'waiting', item: null, message: null }
      })
      change({ ...state, scans: [...state.scans, ...added] })
      return added
    },

    /**
     * Stores the results of these scans, in their order. In the returned list, null stands for a scan that was undone
     * meanwhile.
     */
    answer(ids: readonly number[], found: readonly ScanFound[]): (ScanResult | null)[] {
      const scans = [...state.scans]
      const at = new Map(scans.map((scan, n) => [scan.id, { scan, n }]))
      let { counts } = state
      const results = zip(ids, found).map(([id, { item, message }]) => {
        const place = at.get(id)
        if (place === undefined) return null
        const scan = { ...place.scan, item, message }
        const result = resultOf(scan)
        scans[place.n] = { ...scan, result }
        counts = counted(counts, result, 1)
        return result
      })
      change({ scans, counts })
      return results
    },

    /** Removes the newest scan. */
    undo(): void {
      const scan = state.scans.at(-1)
      if (!scan) return
      if (scan.result !== 'waiting' && first.get(keyOf(scan)) === scan.id) first.delete(keyOf(scan))
      codes.delete(scan.id)
      change({ scans: state.scans.slice(0, -1), counts: counted(state.counts, scan.result, -1) })
    },

    /** Updates the items, without looking their codes up again. */
    refresh(items: ReadonlyMap<number, StockRow>): void {
      let { counts } = state
      const scans = state.scans.map((scan) => {
        const item = scan.item && items.get(scan.item.id)
        if (!item) return scan
        const result = scan.result === 'again' ? 'again' : isSellable(item.status) ? 'sellable' : 'refused'
        counts = counted(counted(counts, scan.result, -1), result, 1)
        return { ...scan, item, result } satisfies Scan
      })
      change({ scans, counts })
    },

    clear(): void {
      first.clear()
      codes.clear()
      change(NOTHING)
    },
  }
}

/** The items of the scans, each once, in the order of the scans. */
export const itemsOf = (scans: readonly Scan[]): StockRow[] =>
  scans.flatMap(({ item, result }) => (item && result !== 'again' ? item : []))

/** The codes without an item, each once, as the scanner sent them. */
export const unknownOf = (scans: readonly Scan[]): string[] =>
  scans.flatMap(({ given, result }) => (result === 'unknown' ? given : []))
