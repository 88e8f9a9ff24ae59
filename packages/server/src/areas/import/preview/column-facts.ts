import { identifierOfCell, isShortened, isWeakSerial } from '@backstock/contract/identifier-cell.ts'
import { compactIdentifier, isWholeImei, withLostZero } from '@backstock/contract/imei.ts'
import {
  ambiguousMark,
  bothDays,
  decimalOf,
  firstOfDate,
  shareLook,
  ticks,
} from '@backstock/contract/import-columns.ts'
import { spreadsheetError } from '@backstock/contract/spreadsheet-error.ts'
import type { DecimalMark, SettingsColumn } from '../../../db/preview-columns.ts'

const SAMPLES = 3
const SAMPLE_LENGTH = 100

/** Limits for a column of yes and no: the most characters of a cell, and the most different cells. */
const LONGEST_WORD = 12
const MOST_WORDS = 50

/** The facts about a column that its cells show. */
export type ColumnFacts = Required<
  Pick<SettingsColumn, 'decimal' | 'threePlaces' | 'dates' | 'hasBothDays' | 'areImeis' | 'ticks' | 'areShares'>
>

/** Looks at the cells of a column, one after the other, and then tells its facts. `today` is a date of the company. */
export function columnLook(today: string) {
  let mark: SettingsColumn['decimal'] = null
  let dates: SettingsColumn['dates'] = null
  let hasBothDays = false
  let hasOtherForms = false
  const threePlaces = new Set<DecimalMark>()
  const numbers = imeiCounter()
  const words = new Set<string>()
  const shares = shareLook()
  return {
    add(cell: string): void {
      numbers.add(cell)
      shares.add(cell)
      if (cell.length <= LONGEST_WORD && words.size <= MOST_WORDS) words.add(cell)
      if (isFigure(cell)) {
        mark = bothSay(mark, decimalOf([cell]))
        const ofThree = threePlaces.size < 2 ? ambiguousMark(cell) : null
        if (ofThree) threePlaces.add(ofThree)
      }
      if (isDate(cell)) {
        dates = bothSay(dates, firstOfDate(cell, today))
        hasBothDays ||= bothDays(cell) !== undefined
        hasOtherForms ||= /^\s*\d{4}/.test(cell)
      }
    },
    facts: (): ColumnFacts => ({
      decimal: mark,
      threePlaces: [...threePlaces],
      // Only some of the dates have the month first in text. A spreadsheet of another country may have turned the
      // others around, so a person must decide.
      dates: dates === 'month' && hasOtherForms ? 'mixed' : dates,
      hasBothDays,
      areImeis: numbers.areImeis(),
      ticks: words.size <= MOST_WORDS && ticks(words),
      areShares: shares.areShares(),
    }),
  }
}

/** A few different cells of a column. */
export function samplesOf(rows: readonly (readonly string[])[], n: number): string[] {
  const found = new Set<string>()
  for (const row of rows) {
    const cell = row[n]?.trim()
    if (cell) found.add([...cell].slice(0, SAMPLE_LENGTH).join(''))
    if (found.size === SAMPLES) break
  }
  return [...found]
}

/**
 * The number of IMEIs that prove a column of IMEIs. By chance, one in ten numbers of 14 or 15 digits looks like an
 * IMEI; three of them hardly ever do.
 */
const BY_CHANCE = 3
const MOST = 0.8
/** The most other cells that are counted. A column with more hardly holds IMEIs. */
const ENOUGH = 1000
/** The most characters of a number, with its marks and blanks. */
const LONGEST_NUMBER = 40

/**
 * Counts the cells of a column, and decides whether it holds IMEIs: nearly all numbers of the right length are IMEIs,
 * and so are most cells, or at least three.
 */
function imeiCounter() {
  let others = 0
  let digits = 0
  let imeis = 0
  return {
    add(cell: string): void {
      const isShort = cell.length <= LONGEST_NUMBER
      const number = isShort && cell.length >= 14 ? compactIdentifier(identifierOfCell(cell)) : ''
      if (/^(?:\d{15}|1\d{13})$/.test(number)) {
        digits++
        if (isWholeImei(number) || withLostZero(number)) imeis++
      } else if (others < ENOUGH && isShort && isSerial(cell)) others++
    },
    areImeis: () => imeis > 0 && imeis >= digits * MOST && (imeis >= (digits + others) * MOST || imeis >= BY_CHANCE),
  }
}

/**
 * Whether a cell may be a serial number: it has a digit and no blank, and is no count, no error and no shortened
 * number. Other cells do not help to recognise their column.
 */
const isSerial = (cell: string) =>
  /\d/.test(cell) &&
  !/\s/.test(cell.trim()) &&
  !isWeakSerial(cell) &&
  !isShortened(cell) &&
  spreadsheetError(cell) === null

/** Whether a cell may show which mark comes before hundredths. */
const isFigure = (cell: string) => cell.length <= 40 && /\d[.,' ]\d/.test(cell)

/** Whether a cell may show that the day or the month comes first. */
const isDate = (cell: string) => cell.length <= 40 && /^\s*\d{1,4}([-/.])\d{1,2}\1\d/.test(cell)

/** The common answer of two cells or columns: null if neither has an answer, `mixed` if the answers differ. */
function bothSay<Says>(one: Says | 'mixed' | null, other: Says | 'mixed' | null): Says | 'mixed' | null {
  return one === null || one === other ? other : other === null ? one : 'mixed'
}
