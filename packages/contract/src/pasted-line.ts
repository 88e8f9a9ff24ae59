import { plainIdentifier } from './plain-text.ts'

/** The longest pasted line. A longer one is prose, and nothing in it is looked for. */
export const LONGEST_LINE = 1000
export const isLongLine = (line: string) => line.length > LONGEST_LINE

/** A message quotes so many characters of it. */
const TOLD = 60
export const LONG_LINE = `More than ${LONGEST_LINE.toLocaleString('en')} characters: paste one identifier on each line.`

/** The message for such a line: its beginning, and the fault. */
export const longLineMessage = (line: string) => `${plainIdentifier(line.slice(0, TOLD).toWellFormed())}… ${LONG_LINE}`
