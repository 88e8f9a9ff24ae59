import { thread } from '../workers/thread.ts'

/** How a column's values are written: `money` is in hundredths, `percent` in percent, `day` as `yyyy-mm-dd`. */
export type BookColumn = { heading: string; width: number; kind?: 'money' | 'percent' | 'number' | 'day' }
export type BookCell = string | number | null
export type BookSheet = {
  name: string
  columns: BookColumn[]
  /** Rows in slices, each as JSON: a hundred texts are copied into the thread at once, a million cells are not. */
  slices: string[]
}

/** Rows as a sheet takes them. */
export const slice = (rows: readonly BookCell[][]): string => JSON.stringify(rows)

const renderer = thread<BookSheet[], Uint8Array>(new URL('./workbook-worker.ts', import.meta.url), {
  timeoutMs: 60_000,
  idleMs: 10_000,
  memoryMb: 512,
})

/**
 * An .xlsx file of several sheets, made in a thread of its own. Text is stored as text: a spreadsheet runs none of it.
 * Throws at once the reason for which it is `unwanted`.
 */
export async function renderWorkbook(sheets: BookSheet[], unwanted?: AbortSignal): Promise<Buffer> {
  return Buffer.from(await renderer.run(sheets, unwanted))
}
