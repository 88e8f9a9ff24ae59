import { setFlagsFromString } from 'node:v8'

/**
 * Collects garbage once the heap has doubled. Left alone the heap grows up to fourfold first, and an import, whose rows
 * are garbage as soon as they are written, takes twice the memory. This is set here and not on the command line, so
 * that it holds however the server is started. The command line's size for young objects is for this heap alone, which
 * has been made by now: threads' heaps have limits of their own, and would go over them.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--max-semi-space-size=0')
}
