import { z } from 'zod'
import { PastedLines, StockRow } from './stock.ts'

/** Up to 5,000 codes as a person scanned, typed or pasted them. Empty codes do not count. */
export const ScanFindInput = z.object({ codes: PastedLines })

/**
 * The meaning of a code: one item, or none. `message` names another meaning if there is one, such as an EID or the EAN
 * of a box.
 */
export const ScanFound = z.object({ code: z.string(), item: StockRow.nullable(), message: z.string().nullable() })
export type ScanFound = z.infer<typeof ScanFound>

/** One entry for each code that is not empty, in the order of the codes. */
export const ScanFindAnswer = z.object({ success: z.literal(true), data: z.array(ScanFound) })
export type ScanFindAnswer = z.infer<typeof ScanFindAnswer>
