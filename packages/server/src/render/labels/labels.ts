import type { Dpi, LabelCode, Paper } from '@backstock/contract/label-paper.ts'
import type { LabelLine } from '@backstock/contract/label-text.ts'
import { thread } from '../workers/thread.ts'
import { orTooLong } from '../workers/too-long.ts'
import { inTurns } from '../workers/turns.ts'

/** One label: the possible contents of its code, the best first, and the text beside it. */
export type Label = { codes: readonly string[]; lines: readonly LabelLine[] }

export type LabelSheet = { labels: readonly Label[]; paper: Paper; dpi: Dpi; code: LabelCode; first: number }

const renderer = () =>
  thread<LabelSheet, Uint8Array>(new URL('./worker.ts', import.meta.url), {
    timeoutMs: 120_000,
    idleMs: 30_000,
    memoryMb: 512,
  })
/** A few labels do not wait behind somebody's thousands. */
const FEW = 200
const [few, many] = [renderer(), renderer()]
/** And nobody for all the thousands of one person. */
const manyInTurns = inTurns(1)

/**
 * The labels as PDF, made in a thread of its own. Throws 503 after two minutes, and at once the reason for which they are
 * `unwanted`.
 */
export async function renderLabels(person: number, sheet: LabelSheet, unwanted: AbortSignal): Promise<Buffer> {
  const printed =
    sheet.labels.length > FEW
      ? manyInTurns(person, 1, () => many.run(sheet, unwanted), unwanted)
      : few.run(sheet, unwanted)
  const { buffer, byteOffset, byteLength } = await orTooLong(printed)
  return Buffer.from(buffer, byteOffset, byteLength)
}
