import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { openUnnamed } from '../../http/file-on-disk.ts'
import { invalid } from '../../http/refusal.ts'

/** An uploaded file on disk that nobody else sees; it is gone when it is closed or this process dies. */
export type Spool = {
  handle: FileHandle
  size: number
  sha256: string
  /** Of the text, found by reading all of it. */
  encoding: 'utf-8' | 'windows-1252'
}

/** Few enough to be parsed in some milliseconds, in which nobody else is answered. */
const CHUNK = 32 * 1024

const signatures: [bytes: number[], message: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'This is an Excel workbook or a ZIP, no CSV file. Save the sheet as CSV first.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'This is an old Excel workbook, no CSV file. Save the sheet as CSV first.'],
  [[0x1f, 0x8b], 'This file is compressed. Unpack it first.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF, no CSV file.'],
  [[0xff, 0xfe], 'This file is encoded as UTF-16. Save it as CSV UTF-8.'],
  [[0xfe, 0xff], 'This file is encoded as UTF-16. Save it as CSV UTF-8.'],
]

/**
 * Writes a stream to disk as it comes. What cannot be a CSV file is 422 under `csv`, once all of it has been read: the
 * sender is not cut off.
 */
export async function spool(stream: AsyncIterable<Buffer>): Promise<Spool> {
  const handle = await openUnnamed('import')
  try {
    const hash = createHash('sha256')
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let encoding: Spool['encoding'] = 'utf-8'
    let problem: string | undefined
    let fault: unknown
    let size = 0
    for await (const chunk of stream) {
      problem ??= (size === 0 ? signatureOf(chunk) : undefined) ?? (chunk.includes(0) ? NUL : undefined)
      size += chunk.length
      if (problem || fault) continue
      hash.update(chunk)
      if (encoding === 'utf-8' && !decodes(decoder, chunk)) encoding = 'windows-1252'
      // A full disk, as it may be.
      await handle.appendFile(chunk).catch((error: unknown) => {
        fault = error
      })
    }
    if (fault) throw fault
    if (encoding === 'utf-8' && !decodes(decoder)) encoding = 'windows-1252'
    if (!problem && size === 0) problem = 'This file is empty.'
    if (problem) throw invalid({ csv: problem })
    return { handle, size, sha256: hash.digest('hex'), encoding }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const NUL = 'This file has NUL characters: it is no CSV file, or it is encoded as UTF-16.'

function signatureOf(start: Buffer): string | undefined {
  return signatures.find(([bytes]) => bytes.every((byte, i) => start[i] === byte))?.[1]
}

function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

/** The file's bytes from `start` on, a piece at a time. */
export async function* piecesOf({ handle, size }: Spool, start = 0): AsyncGenerator<Buffer> {
  for (let position = start; position < size; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
