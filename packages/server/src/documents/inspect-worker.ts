import { getDocumentProxy } from 'unpdf'
import type { PdfInspection } from './inspect-pdf.ts'
import { limitMemory } from './limit-memory.ts'
import { answerWith } from './thread-answer.ts'

/** pdf.js then prints nothing about what it finds wrong. */
const SILENT = 0

limitMemory(Number(process.argv[2]))
answerWith(async (bytes: Uint8Array): Promise<PdfInspection> => {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      verbosity: SILENT,
      stopAtErrors: true,
    })
    try {
      // Not its drawing: a few bytes of that may unpack to gigabytes.
      await pdf.getPage(1)
      return { ok: true, pages: pdf.numPages }
    } finally {
      await pdf.loadingTask.destroy()
    }
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      return { ok: false, reason: 'The PDF is protected by a password.' }
    return { ok: false, reason: 'The PDF is damaged or has no page.' }
  }
})
