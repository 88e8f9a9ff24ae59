import { type PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { single } from '../lists.ts'

/** A file for a ZIP. `isPacked` says that its content is compressed already, as in a PDF. */
export type ZipEntry = { name: string; content: Iterable<Buffer> | AsyncIterable<Buffer>; isPacked?: boolean }

/**
 * The pieces of a ZIP with these files, one file after another. A file is read only as fast as its pieces are taken. If
 * reading one fails, the error is thrown and the ZIP has no directory, so that no program takes it for a whole one. If
 * the caller stops early, the reading ends.
 */
export async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  zip.once('error', (error: Error) => output.destroy(error))
  const filling = fill(zip, output, entries).catch((error: Error) => output.destroy(error))
  try {
    // If the caller leaves, this loop destroys the output, and that ends the filling.
    for await (const piece of output) yield piece as Buffer
  } finally {
    await filling
  }
}

async function fill(zip: ZipFile, output: PassThrough, entries: AsyncIterable<ZipEntry>): Promise<void> {
  // yazl keeps each file's callback until the end. So one callback serves all files, and none holds a file's streams.
  const waiting: Readable[] = []
  const give = (to: (error: null, source: Readable) => void) => to(null, single(waiting.splice(0)))
  for await (const { name, content, isPacked = false } of entries) {
    if (output.destroyed) return
    const source = Readable.from(content)
    const stop = () => source.destroy()
    output.once('close', stop)
    waiting.push(source)
    zip.addReadStreamLazy(name, { compress: !isPacked }, give)
    keepNameAlone(zip)
    await finished(source).finally(() => output.off('close', stop))
  }
  zip.end()
}

/**
 * Copies the name of the newest file. yazl keeps it until the end, as a piece of a large buffer in which Node puts other
 * small ones too: some 20 KB would stay in memory for each file.
 */
function keepNameAlone(zip: ZipFile): void {
  const { entries } = zip as unknown as { entries: { utf8FileName: Buffer }[] }
  const entry = entries.at(-1)
  if (!entry) return
  const alone = Buffer.alloc(entry.utf8FileName.length)
  entry.utf8FileName.copy(alone)
  entry.utf8FileName = alone
}
