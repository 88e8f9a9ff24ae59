/*
 * A backup (.bsb) is one zstd stream of frames. A frame is a length (4 bytes, big endian)
 * and as many bytes as it says. In order:
 *
 *   the header: JSON, `Header`
 *   for each of the header's tables: its rows as PostgreSQL's text COPY writes them, cut anywhere into frames;
 *     an empty frame; JSON, `Sums`
 *   the end: JSON, `End`
 */

export const FORMAT = 'backstock-backup-1'

/** A table in a backup. `columns` are in the order of the file; generated columns are left out. */
export type BackupTable = { name: string; columns: string[] }
export type Header = {
  format: string
  /** The moment of the snapshot, by the database's clock. */
  taken_at: string
  /** The migrations applied to the database, in order. */
  migrations: { name: string; sha256: string }[]
  /** The next value of each sequence, as text because it may exceed 2^53. */
  sequences: { name: string; next: string }[]
  tables: BackupTable[]
}
/** The number of a table's rows, and the SHA-256 of their bytes in the file. */
export type Sums = { rows: number; sha256: string }
/**
 * The SHA-256 of the bytes of the header and of all sums. It proves that nothing is missing and that the header is
 * unchanged.
 */
export type End = { end: true; sha256: string }

/** The error with which a backup or a restore ends without any result. Its message is one line for the person. */
export class BackupError extends Error {}

/** A frame with these bytes: their length and the bytes themselves. */
export function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
