import { once } from 'node:events'
import type { Readable } from 'node:stream'

/*
 * A backup (.bsb) is one zstd stream of frames. A frame is a length (4 bytes, big endian) and so many bytes. In order:
 *
 *   the header: JSON, `Header`
 *   for each of the header's tables: its rows as PostgreSQL's text COPY writes them, cut anywhere into frames;
 *     an empty frame; JSON, `Sums`
 *   the end: JSON, `End`
 */

export const FORMAT = 'backstock-backup-1'

/** `columns` in the order of the rows: all but the generated ones. */
export type Table = { name: string; columns: string[] }
export type Header = {
  format: string
  /** The moment of the snapshot by the database's clock. */
  taken_at: string
  /** The database's migrations when it was taken, in order. */
  migrations: { name: string; sha256: string }[]
  /** What each sequence gives next, as text: it may be above 2^53. */
  sequences: { name: string; next: string }[]
  tables: Table[]
}
/** `sha256` of the table's rows as they stand in the file. */
export type Sums = { rows: number; sha256: string }
/** `sha256` of the header's text and all sums' texts: that nothing is missing, and that the header is what was written. */
export type End = { end: true; sha256: string }

/** One line for the person at the terminal: nothing was backed up, or nothing restored. */
export class BackupError extends Error {}

export const DAMAGED = 'This is not a whole backup of Backstock: the file is damaged, cut off or another one.'

export function* frame(bytes: Uint8Array): Generator<Uint8Array> {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  yield length
  if (bytes.length > 0) yield bytes
}

/** More than a frame that we write ever has: the length of a damaged one must not become memory. */
const LONGEST_FRAME = 256 * 1024 * 1024

/** Gives the frames of an unpacked stream one by one. Throws `BackupError` where it ends too early or cannot be unpacked. */
export function frameReader(unpacked: Readable): { next(): Promise<Buffer>; atEnd(): Promise<boolean> } {
  let failure: unknown
  unpacked.on('error', (error) => {
    failure = error
  })

  async function more(): Promise<boolean> {
    while (unpacked.readableLength === 0 && !unpacked.readableEnded) {
      if (failure) throw new BackupError(DAMAGED, { cause: failure })
      if (unpacked.read(0) === null && unpacked.readableLength === 0)
        await Promise.race([once(unpacked, 'readable'), once(unpacked, 'end')])
    }
    return unpacked.readableLength > 0
  }
  return { next: async () => Buffer.alloc(LONGEST_FRAME), atEnd: async () => !(await more()) }
}
