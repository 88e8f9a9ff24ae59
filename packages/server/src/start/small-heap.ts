import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect garbage once the heap has doubled. By default the heap grows up to fourfold first, and an import,
 * whose rows are garbage as soon as they are written, takes twice the memory. It is set here and not on the command
 * line, so that it holds however the server is started. The second setting is for threads: the size for young objects
 * on the command line is for the main heap only, which exists already; with it, the heaps of threads would exceed their
 * own limits.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--max-semi-space-size=0')
}
