import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect garbage once the heap has doubled. By default the heap grows up to fourfold first, and an import,
 * whose rows are garbage as soon as they are written, takes twice the memory. This is set here and not on the command
 * line, so that it holds however the server is started. The second setting is for threads. The command line sets a size
 * for young objects, which the main heap has already. With that size, the heaps of threads would exceed their own
 * limits.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--max-semi-space-size=0')
}
