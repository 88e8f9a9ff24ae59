import { Readable } from 'node:stream'
import { type FileOnDisk, toDisk } from '../http/file-on-disk.ts'

/** Calls `work` with these bytes as an uploaded file. */
export async function asUploaded<Result>(
  content: Buffer,
  work: (file: FileOnDisk) => Promise<Result>,
): Promise<Result> {
  const file = await toDisk(Readable.from([content], { objectMode: false }))
  return work(file).finally(() => file.handle.close())
}
