import { getDocumentProxy } from 'unpdf'
import { answerOnce } from '../workers/process.ts'
import type { PdfInspection } from './inspect-pdf.ts'

/** pdf.js then prints nothing about faults in the file. */
const SILENT = 0

answerOnce(async (content): Promise<PdfInspection> => {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(content.buffer), { verbosity: SILENT, stopAtErrors: true })
    // Not its drawing: a few bytes of that may unpack to gigabytes.
    await pdf.getPage(1)
    return { ok: true, pages: pdf.numPages }
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      return { ok: false, reason: 'The PDF is protected by a password.' }
    return { ok: false, reason: 'The PDF is damaged or has no page.' }
  }
})
