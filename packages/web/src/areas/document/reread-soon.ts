import { invalidate } from '../../api/reads.ts'

const SOON_MS = 1500

/**
 * A download makes a document final, and the server notes this as it sends the file: reads that show it are
 * repeated.
 */
export function rereadSoon(): void {
  setTimeout(() => void invalidate('sale', 'document'), SOON_MS)
}
