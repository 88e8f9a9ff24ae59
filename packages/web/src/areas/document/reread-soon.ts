import { invalidate } from '../../api/reads.ts'

const SOON_MS = 1500

/**
 * Call it after a download. The server makes a downloaded document final while it sends the file, so the screens read
 * sales and documents again a moment later.
 */
export function rereadSoon(): void {
  setTimeout(() => void invalidate('sale', 'document'), SOON_MS)
}
