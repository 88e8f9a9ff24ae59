import { invalidate } from '../../api/reads.ts'

const SOON_MS = 1500

/**
 * Call it after a download. A download makes a document final, and the server stores that while it sends the file, so
 * sales and documents are read again a moment later.
 */
export function rereadSoon(): void {
  setTimeout(() => void invalidate('sale', 'document'), SOON_MS)
}
