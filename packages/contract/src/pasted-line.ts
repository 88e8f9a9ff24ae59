import { plainIdentifier } from './plain-text.ts'

/** What people paste as one line; more is some text, and nothing of it is looked for. */
export const LONGEST_LINE = 1000
export const isLongLine = (line: string) => line.length > LONGEST_LINE

/** So much of it is told. */
const TOLD = 60
export const LONG_LINE = `More than ${LONGEST_LINE.toLocaleString('en')} characters: paste one identifier on each line.`

/** What is told of such a line in place of itself: how it begins, and what is wrong with it. */
export const longLineMessage = (line: string) => `${plainIdentifier(line.slice(0, TOLD).toWellFormed())}… ${LONG_LINE}`
