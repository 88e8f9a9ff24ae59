import { z } from 'zod'
import { PastedLines, StockRow } from './stock.ts'

/** Codes as they were scanned, typed or pasted, up to 5,000. Empty ones do not count. */
export const ScanFindInput = z.object({ codes: PastedLines })

/** The meaning of a code: one item, or none. `message` names another meaning, if known: an EID, a box's EAN. */
export const ScanFound = z.object({ code: z.string(), item: StockRow.nullable(), message: z.string().nullable() })
export type ScanFound = z.infer<typeof ScanFound>

/** A line for each code that is not empty, in the order of the codes. */
export const ScanFindAnswer = z.object({ success: z.literal(true), data: z.array(ScanFound) })
export type ScanFindAnswer = z.infer<typeof ScanFindAnswer>
