import { getDocumentProxy } from 'unpdf'
import { answerOnce } from '../workers/process.ts'
import type { PdfInspection } from './inspect-pdf.ts'

/** The level at which pdf.js prints nothing about faults in the file. */
const SILENT = 0

answerOnce(async (content): Promise<PdfInspection> => {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(content.buffer), { verbosity: SILENT, stopAtErrors: true })
    // The page is opened but not drawn: a few bytes of its drawing may unpack to gigabytes.
    await pdf.getPage(1)
    return { ok: true, pages: pdf.numPages }
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      return { ok: false, reason: 'The PDF is protected by a password.' }
    return { ok: false, reason: 'The PDF is damaged or has no page.' }
  }
})
