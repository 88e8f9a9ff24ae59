import { WorkTimeout } from './in-turns.ts'
import { separateProcess } from './separate-process.ts'

export type PdfInspection = { ok: true; pages: number } | { ok: false; reason: string }

const inspector = separateProcess<Uint8Array, PdfInspection>(new URL('./inspect-worker.ts', import.meta.url), {
  timeoutMs: 5_000,
  idleMs: 30_000,
  memoryMb: 300,
})

/**
 * Opens an uploaded PDF and its first page, in a process of its own: a file's beginning alone lets HTML through. Never
 * rejects; the reason is a sentence for the person who uploaded it.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<PdfInspection> {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).includes('%PDF-'))
    return { ok: false, reason: 'The file is not a PDF.' }
  try {
    return await inspector.run(bytes)
  } catch (error) {
    if (error instanceof WorkTimeout) return { ok: false, reason: 'The PDF takes too long to open.' }
    return { ok: false, reason: 'The PDF cannot be opened.' }
  }
}
