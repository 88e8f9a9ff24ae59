// How a supplier's CSV file may be written. Screens offer it, so there are no schemas here.

/** Of one byte for each letter, or of several: what was read by one of them can be read by another, byte for byte. */
export const BYTE_ENCODINGS = ['utf-8', 'windows-1252', 'windows-1250', 'windows-1253'] as const
/** All that can be read. From and to UTF-16 a file is read anew. */
export const ENCODINGS = [...BYTE_ENCODINGS, 'utf-16le', 'utf-16be'] as const
/** What may stand between the cells. */
export const SEPARATORS = [',', ';', '\t', '|'] as const
