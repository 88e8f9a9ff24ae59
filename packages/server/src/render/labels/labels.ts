import type { Dpi, LabelCode, Paper } from '@backstock/contract/label-paper.ts'
import type { LabelLine } from '@backstock/contract/label-text.ts'
import { thread } from '../workers/thread.ts'
import { orTooLong } from '../workers/too-long.ts'
import { inTurns } from '../workers/turns.ts'

/** A label: the texts that its code may hold, best first, and the lines beside it. */
export type Label = { codes: readonly string[]; lines: readonly LabelLine[] }

export type LabelSheet = { labels: readonly Label[]; paper: Paper; dpi: Dpi; code: LabelCode; first: number }

const renderer = () =>
  thread<LabelSheet, Uint8Array>(new URL('./worker.ts', import.meta.url), {
    timeoutMs: 120_000,
    idleMs: 30_000,
    memoryMb: 512,
  })
/** Up to this many labels are made in a thread of their own, so that they do not wait behind thousands. */
const FEW = 200
const [few, many] = [renderer(), renderer()]
/** People take turns with many labels, so that nobody waits for all those of another person. */
const manyInTurns = inTurns(1)

/**
 * Makes a PDF with labels, in a thread. Throws 503 after two minutes. If `unwanted` is aborted, throws its reason at
 * once.
 */
export async function renderLabels(person: number, sheet: LabelSheet, unwanted: AbortSignal): Promise<Buffer> {
  const printed =
    sheet.labels.length > FEW
      ? manyInTurns(person, 1, () => many.run(sheet, unwanted), unwanted)
      : few.run(sheet, unwanted)
  const { buffer, byteOffset, byteLength } = await orTooLong(printed)
  return Buffer.from(buffer, byteOffset, byteLength)
}
