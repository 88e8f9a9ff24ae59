import { writeSync } from 'node:fs'
import { answerWithFiles } from '../../../../render/workers/process.ts'
import { BadWorkbook, DAMAGED } from './bad-workbook.ts'
import { readWorkbook, type SheetChoice, type SheetRead } from './workbook.ts'

export type XlsxTask = SheetChoice & { maxBytes: number; maxRow: number }
export type XlsxAnswer = SheetRead | { refused: string }

/** The number of characters that are written at once. */
const PIECE = 256 * 1024

answerWithFiles<XlsxTask, XlsxAnswer>(async ({ content, result }, task) => {
  try {
    const { add, end } = csvWriter(result, task)
    const read = await readWorkbook(content, task, add)
    end()
    return read
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    return { refused: error instanceof BadWorkbook ? error.message : DAMAGED }
  }
})

/** Makes a writer that writes rows as CSV, each in the line of its number. */
function csvWriter(fd: number, { maxBytes, maxRow }: XlsxTask) {
  let text = ''
  let lines = 0
  let bytes = 0
  function flush(): void {
    const piece = Buffer.from(text)
    bytes += piece.length
    if (bytes > maxBytes)
      throw new BadWorkbook(`A sheet may have at most ${Math.floor(maxBytes / 1024 / 1024)} MB of text.`)
    for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at)
    text = ''
  }
  return {
    add(row: number, cells: readonly string[]): void {
      const line = cells.map((cell) => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')
      if (line.length > maxRow)
        throw new BadWorkbook(`Row ${row} is longer than ${maxRow.toLocaleString('en')} characters.`)
      text += `${'\n'.repeat(row - 1 - lines)}${line}\n`
      lines = row
      if (text.length > PIECE) flush()
    },
    end: flush,
  }
}
