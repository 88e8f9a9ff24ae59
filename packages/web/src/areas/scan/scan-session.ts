import { readCode } from '@backstock/contract/scan-code.ts'
import type { ScanFindAnswer } from '@backstock/contract/stock-scan.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { api } from '../../api/client.ts'
import { showToast } from '../../api/toast.ts'
import { isTexts, keepText, readKept } from './kept-codes.ts'
import { itemsOf, scanList } from './scan-list.ts'
import { type QueueState, scanQueue } from './scan-queue.ts'
import { type Heard, hear } from './tones.ts'

/** A longer text is no code. */
const LONGEST = 1000
/** How many items one call reads. */
const MOST = 1000
/** A pasted list makes one tone: that of its worst result. The worst comes first here. */
const WORST: readonly Heard[] = ['unknown', 'refused', 'again', 'sellable']

/**
 * Codes that arrived together. One tone sounds when all have a result. Null for codes that were restored from storage,
 * which make no sound.
 */
type Together = { left: number; results: Set<Heard> } | null

const keyOf = (userId: number) => `scan ${userId}`

function kept(userId: number): string[] {
  const codes = readKept(keyOf(userId))
  return isTexts(codes) ? codes : []
}

const keep = (userId: number, codes: readonly string[]) =>
  keepText(keyOf(userId), codes.length === 0 ? null : JSON.stringify(codes))

/**
 * A person's scans in this window. Codes survive a reload. They are looked up in the order of the scans; if they come
 * fast, many in one call.
 */
export function scanSession(userId: number, onChange: () => void, onQueue: (state: QueueState) => void) {
  const list = scanList(onChange)
  const waiting: { id: number; together: Together }[] = []
  const save = () =>
    keep(
      userId,
      list.read().scans.map(({ given }) => given),
    )

  const queue = scanQueue(async (codes, _, signal) => {
    const { data } = await api.post<ScanFindAnswer>('stock/scan-find', { body: { codes }, silent: true, signal })
    const answered = waiting.splice(0, codes.length)
    const results = list.answer(
      answered.map(({ id }) => id),
      data,
    )
    for (const [n, { together }] of answered.entries()) tell(together, results[n] as Heard | null)
  }, onQueue)

  function tell(together: Together, result: Heard | null): void {
    if (!together) return
    if (result) together.results.add(result)
    together.left -= 1
    const worst = WORST.find((one) => together.results.has(one))
    if (together.left === 0 && worst) hear(worst)
  }

  function append(texts: readonly string[], isRestored: boolean): void {
    const read = texts.flatMap((text) => {
      const code = readCode(text)
      return code ? { text: text.slice(0, LONGEST), code } : []
    })
    const room = MAX_MANY - list.read().scans.length
    if (read.length > room) {
      hear('unknown')
      const message = `A list holds ${MAX_MANY.toLocaleString('en')} codes. Clear it to go on scanning.`
      showToast({ type: 'error', title: 'Not scanned', message, about: 'scan' })
      return
    }
    if (read.length === 0) return
    const together: Together = isRestored ? null : { left: read.length, results: new Set() }
    for (const { id } of list.add(read)) waiting.push({ id, together })
    save()
    queue.add(read.map(({ text }) => text))
  }

  /** Reads the items of the list again. */
  async function readItems(): Promise<void> {
    const codes = itemsOf(list.read().scans).map(({ id }) => `#${id}`)
    for (let at = 0; at < codes.length; at += MOST) {
      const body = { codes: codes.slice(at, at + MOST) }
      const { data } = await api.post<ScanFindAnswer>('stock/scan-find', { body, silent: true })
      list.refresh(new Map(data.flatMap(({ item }) => (item ? [[item.id, item] as const] : []))))
    }
  }

  return {
    read: list.read,
    readItems,
    retry: queue.retry,
    start: queue.start,
    stop: queue.stop,
    add: (texts: readonly string[]) => append(texts, false),
    restore: () => append(kept(userId), true),
    undo() {
      list.undo()
      save()
    },
    /** Empties the list. Returns a function that brings it back. */
    clear(): () => void {
      const texts = list.read().scans.map(({ given }) => given)
      list.clear()
      save()
      return () => append(texts, true)
    },
  }
}
