import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { BackupError, type End, FORMAT, type Header, type Sums } from './format.ts'

export type OpenBackup = {
  header: Header
  /** The rows of the next table. Read them to their end. */
  rows(): AsyncGenerator<Buffer>
  /** The sums of the table that was just read. Throws if its rows do not match them. */
  sums(): Promise<Sums>
  /** Checks that the backup ends here and is complete. */
  end(): Promise<void>
  /** The error to throw if the data cannot be the data that were written. */
  damaged(cause: unknown): BackupError
  close(): void
}

/**
 * The longest frame that is read. Real frames are far shorter; the limit keeps a damaged length from filling the
 * memory.
 */
const LONGEST_FRAME = 64 * 1024 * 1024

/**
 * Opens a backup, to be read from its first table to its end. All its functions throw `BackupError` if the file has
 * changed since it was written.
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const damaged = (cause?: unknown) =>
    new BackupError(`${file} is damaged, cut off, or no backup of Backstock. Nothing was restored.`, { cause })
  const unpacked = createZstdDecompress()
  pipeline(createReadStream(file), unpacked, () => undefined)
  const chunks: AsyncIterator<Buffer> = unpacked[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function take(n: number): Promise<Buffer> {
    const parts = [held]
    for (let length = held.length; length < n; ) {
      const { value, done } = await chunks.next().catch((error: NodeJS.ErrnoException) => {
        throw error.syscall ? new BackupError(`${file} cannot be read: ${error.message}`) : damaged(error)
      })
      if (done) throw damaged()
      parts.push(value)
      length += value.length
    }
    const all = Buffer.concat(parts)
    held = all.subarray(n)
    return all.subarray(0, n)
  }

  async function frame(): Promise<Buffer> {
    const length = (await take(4)).readUInt32BE()
    if (length > LONGEST_FRAME) throw damaged()
    return take(length)
  }

  const whole = createHash('sha256')
  let table = createHash('sha256')
  async function text<Content>(): Promise<Content> {
    const bytes = await frame()
    whole.update(bytes)
    try {
      return JSON.parse(bytes.toString()) as Content
    } catch (error) {
      throw damaged(error)
    }
  }

  try {
    const header = await text<Header>()
    if (header.format !== FORMAT) throw damaged()
    return {
      header,
      async *rows() {
        table = createHash('sha256')
        for (let bytes = await frame(); bytes.length > 0; bytes = await frame()) {
          table.update(bytes)
          yield bytes
        }
      },
      async sums() {
        const sums = await text<Sums>()
        if (sums.sha256 !== table.digest('hex')) throw damaged()
        return sums
      },
      async end() {
        const sum = whole.copy().digest('hex')
        const { end, sha256 } = await text<End>()
        if (!end || sha256 !== sum) throw damaged()
      },
      damaged,
      close: () => unpacked.destroy(),
    }
  } catch (error) {
    unpacked.destroy()
    throw error
  }
}
