import { type FileOnDisk, openUnnamed } from '../../../../http/file-on-disk.ts'
import { invalid } from '../../../../http/refusal.ts'
import { processForEachFile } from '../../../../render/workers/process.ts'
import { inTurns } from '../../../../render/workers/turns.ts'
import { MAX_RECORD } from '../csv-records.ts'
import { MAX_BYTES } from '../upload.ts'
import { TOO_MUCH } from './bad-workbook.ts'
import type { SheetChoice, SheetRead } from './workbook.ts'
import type { XlsxAnswer, XlsxTask } from './xlsx-worker.ts'

/**
 * A hundred thousand rows of 22 cells take 4 seconds and 120 MB; a million rows take ten times as long. There is memory
 * for one workbook at a time. People take turns, so that nobody has to wait for more than one workbook of another
 * person.
 */
const LIMITS = { cpuMs: 120_000, patienceMs: 300_000, memoryMb: 240 }
const read = processForEachFile<XlsxTask, XlsxAnswer>(new URL('./xlsx-worker.ts', import.meta.url), {
  ...LIMITS,
  turn: inTurns(LIMITS.memoryMb),
})

/**
 * Writes a sheet of an Excel workbook as a CSV file with commas, in UTF-8; the caller must close it. Each row is in the
 * line of its number. The workbook is read in a process of its own, when it is the turn of `person`. Throws 422 under
 * `csv` if the workbook cannot be read.
 */
export async function xlsxToCsv(
  workbook: FileOnDisk,
  choice: SheetChoice,
  person: number,
): Promise<SheetRead & { csv: FileOnDisk }> {
  const handle = await openUnnamed()
  try {
    const task = { ...choice, maxBytes: MAX_BYTES, maxRow: MAX_RECORD }
    const answer = await read(person, workbook, task, handle).catch(whyEnded)
    if ('refused' in answer) throw invalid({ csv: answer.refused })
    return { ...answer, csv: { ...workbook, handle, size: (await handle.stat()).size } }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The reason why the process has ended. It is the workbook's fault, unless the disk is full. */
function whyEnded(error: Error): { refused: string } {
  if (error.message.startsWith('ENOSPC')) throw Object.assign(error, { code: 'ENOSPC' })
  return { refused: TOO_MUCH }
}
