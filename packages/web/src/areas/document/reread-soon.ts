import { invalidate } from '../../api/reads.ts'

const SOON_MS = 1500

/** A document that is downloaded leaves the house, which the server notes as it sends it: what shows that is read again. */
export function rereadSoon(): void {
  setTimeout(() => void invalidate('sale', 'document'), SOON_MS)
}
