import { thread } from '../workers/thread.ts'

/** A column. `kind` says how its values are given: `money` in hundredths, `percent` in percent, `day` as yyyy-mm-dd. */
export type BookColumn = { heading: string; width: number; kind?: 'money' | 'percent' | 'number' | 'day' }
export type BookCell = string | number | null
export type BookSheet = {
  name: string
  columns: BookColumn[]
  /** The rows in slices, each as JSON: a hundred texts are copied into the thread quickly, a million cells are not. */
  slices: string[]
}

/** Rows as a slice of a sheet. */
export const slice = (rows: readonly BookCell[][]): string => JSON.stringify(rows)

const renderer = thread<BookSheet[], Uint8Array>(new URL('./workbook-worker.ts', import.meta.url), {
  timeoutMs: 60_000,
  idleMs: 10_000,
  memoryMb: 512,
})

/**
 * Makes an .xlsx file with several sheets, in a thread of its own. A text is stored as text, so a spreadsheet never
 * runs it as a formula. If `unwanted` is aborted, throws its reason at once.
 */
export async function renderWorkbook(sheets: BookSheet[], unwanted?: AbortSignal): Promise<Buffer> {
  return Buffer.from(await renderer.run(sheets, unwanted))
}
