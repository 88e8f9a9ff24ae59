import { plainIdentifier } from './plain-text.ts'

/** The most characters of a pasted line. A longer line is prose, in which no identifier is looked for. */
export const LONGEST_LINE = 1000
export const isLongLine = (line: string) => line.length > LONGEST_LINE

/** The number of characters of a line that a message quotes. */
const TOLD = 60
export const LONG_LINE = `More than ${LONGEST_LINE.toLocaleString('en')} characters: paste one identifier on each line.`

/** The message for a line that is too long: the line's beginning and the fault. */
export const longLineMessage = (line: string) => `${plainIdentifier(line.slice(0, TOLD).toWellFormed())}… ${LONG_LINE}`
