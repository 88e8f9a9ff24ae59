import { bytesOf, type FileOnDisk } from '../../http/file-on-disk.ts'
import { processForEachFile } from '../workers/process.ts'

export type PdfInspection = { ok: true; pages: number } | { ok: false; reason: string }

/** A valid PDF of 20 MB takes 130 MB. */
const inspect = processForEachFile<null, PdfInspection>(new URL('./inspect-worker.ts', import.meta.url), {
  cpuMs: 5_000,
  memoryMb: 180,
})

/**
 * Checks a PDF that this person has uploaded: opens it and its first page, in a process of its own. Checking only the
 * file's beginning would let HTML pass. The promise never rejects; the reason for a refusal is a sentence for the
 * person.
 */
export async function inspectPdf(person: number, file: FileOnDisk): Promise<PdfInspection> {
  const start = await bytesOf(file.handle, 0, 1024)
  if (!start.includes('%PDF-')) return { ok: false, reason: 'The file is not a PDF.' }
  try {
    return await inspect(person, file, null)
  } catch {
    return { ok: false, reason: 'The PDF needs too much time or memory to open.' }
  }
}
