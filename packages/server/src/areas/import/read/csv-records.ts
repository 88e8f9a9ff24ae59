import { invalid, type Refusal } from '../../../http/refusal.ts'

/** A record of a CSV file, which may be empty. `row` is its number in a spreadsheet, counted from 1. */
export type CsvRecord = {
  row: number
  cells: string[]
  /** The indexes of the cells that contain line breaks. */
  broken: number[]
}

/**
 * The most characters of a record. This is enough for a header with all names that a shop may have, or for a row with a
 * hundred long notes.
 */
export const MAX_RECORD = 1_048_576

const refuse = (message: string): Refusal => invalid({ csv: message })

/**
 * Cuts the text of a CSV file into records, piece by piece. If a cell begins with a quotation mark, it ends at the next
 * one that is not doubled, and the delimiter or the end of the line must follow. Anywhere else, a quotation mark is an
 * ordinary character. Blanks before a cell and after its closing mark are ignored. Throws 422 under `csv`.
 *
 * This is a parser of our own, because suppliers write quotation marks within a cell (`6.1" display`), while text after
 * a closing mark means that rows would be lost. See docs/decisions/2026-11-22-csv-reader.md.
 */
export function csvRecords(delimiter: string, maxColumns: number) {
  const plainEnd = new RegExp(`[${delimiter}\r\n]`, 'g')
  const isBlank = (character: string) => BLANKS.includes(character) && character !== delimiter
  let at: 'start' | 'plain' | 'quoted' | 'closed' | 'after' = 'start'
  let record: CsvRecord = { row: 1, cells: [], broken: [] }
  let cell = ''
  let wasQuoted = false
  let size = 0
  let afterReturn = false

  function endCell(): void {
    if (wasQuoted && /[\r\n]/.test(cell)) record.broken.push(record.cells.length)
    record.cells.push(cell)
    if (record.cells.length > maxColumns)
      throw refuse(`Row ${record.row} has more than ${maxColumns.toLocaleString('en')} columns.`)
    cell = ''
    wasQuoted = false
    at = 'start'
  }

  function endRecord(): CsvRecord {
    endCell()
    const ended = record
    record = { row: ended.row + 1, cells: [], broken: [] }
    size = 0
    return ended
  }

  function take(text: string, from: number, to: number): void {
    size += to - from
    if (size > MAX_RECORD)
      throw refuse(
        `Row ${record.row} is longer than ${MAX_RECORD.toLocaleString('en')} characters.${wasQuoted ? ' Check whether a quotation mark is never closed.' : ''}`,
      )
    cell += text.slice(from, to)
  }

  /** Handles the sign that ends a cell. Returns the record if the sign ends it too. */
  function end(mark: string): CsvRecord | undefined {
    if (mark === delimiter) {
      endCell()
      return undefined
    }
    afterReturn = mark === '\r'
    return endRecord()
  }

  return {
    *push(text: string): Generator<CsvRecord> {
      let i = 0
      while (i < text.length) {
        if (afterReturn) {
          afterReturn = false
          if (text[i] === '\n') i++
        } else if (at === 'start') {
          if (isBlank(text.charAt(i))) i++
          else if (text[i] === '"') {
            at = 'quoted'
            wasQuoted = true
            i++
          } else at = 'plain'
        } else if (at === 'plain') {
          plainEnd.lastIndex = i
          const stop = plainEnd.exec(text)?.index ?? text.length
          take(text, i, stop)
          i = stop
          if (i === text.length) break
          const ended = end(text.charAt(i++))
          if (ended) yield ended
        } else if (at === 'quoted') {
          const stop = text.indexOf('"', i)
          take(text, i, stop === -1 ? text.length : stop)
          i = stop === -1 ? text.length : stop + 1
          if (stop !== -1) at = 'closed'
        } else if (text[i] === '"' && at === 'closed') {
          take(text, i, i + 1)
          at = 'quoted'
          i++
        } else if (isBlank(text.charAt(i))) {
          at = 'after'
          i++
        } else if (text[i] === delimiter || text[i] === '\r' || text[i] === '\n') {
          const ended = end(text.charAt(i++))
          if (ended) yield ended
        } else {
          throw refuse(
            `In row ${record.row} a quotation mark is opened, and the cell goes on after the closing one. A quotation mark inside a cell must be written twice.`,
          )
        }
      }
    },
    *end(): Generator<CsvRecord> {
      if (at === 'quoted') throw refuse(`In row ${record.row} a quotation mark is opened and never closed.`)
      if (at !== 'start' || record.cells.length > 0) yield endRecord()
    },
  }
}

const BLANKS = [' ', '\t', '\u00a0']
