import { bytesOf, type FileOnDisk } from '../../http/file-on-disk.ts'
import { processForEachFile } from '../workers/process.ts'

export type PdfInspection = { ok: true; pages: number } | { ok: false; reason: string }

/** A good one of 20 MB takes 130. */
const inspect = processForEachFile<null, PdfInspection>(new URL('./inspect-worker.ts', import.meta.url), {
  cpuMs: 5_000,
  memoryMb: 180,
})

/**
 * Opens a PDF that this person has uploaded and its first page, in a process of its own: a file's beginning alone lets
 * HTML through. Never rejects; the reason is a sentence for the person.
 */
export async function inspectPdf(person: number, file: FileOnDisk): Promise<PdfInspection> {
  const start = await bytesOf(file.handle, 0, 1024)
  if (!start.includes('%PDF-')) return { ok: false, reason: 'The file is not a PDF.' }
  try {
    return await inspect(person, file, null)
  } catch {
    return { ok: false, reason: 'The PDF takes too much to open.' }
  }
}
