import { at } from '../../../../lists.ts'

const CHUNK = 1024 * 1024
const FIRST = 4096

/**
 * Stores texts by their numbers, from 0 on, in buffers outside of the heap, because a workbook may have millions. No
 * text is longer than a megabyte.
 */
export function textPool() {
  const chunks: Buffer[] = []
  let used = CHUNK
  let starts = new Uint32Array(FIRST)
  let lengths = new Uint32Array(FIRST)
  let count = 0

  function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const larger = new Uint32Array(array.length * 2)
    larger.set(array)
    return larger
  }

  return {
    add(text: string): void {
      const length = Buffer.byteLength(text)
      // The comparison is `>=`, because an empty text at the end of a chunk would begin in a chunk that does not exist.
      if (used + length >= CHUNK) {
        chunks.push(Buffer.allocUnsafeSlow(CHUNK))
        used = 0
      }
      if (count === starts.length) [starts, lengths] = [grown(starts), grown(lengths)]
      at(chunks, chunks.length - 1).write(text, used)
      starts[count] = (chunks.length - 1) * CHUNK + used
      lengths[count] = length
      used += length
      count++
    },
    get(n: number): string | undefined {
      const [start, length] = [starts[n], lengths[n]]
      if (start === undefined || length === undefined || n >= count) return undefined
      const from = start % CHUNK
      return at(chunks, Math.floor(start / CHUNK)).toString('utf8', from, from + length)
    },
  }
}
