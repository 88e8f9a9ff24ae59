import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { BothXml } from '../e-invoice/e-invoice-xml.ts'
import { thread } from '../workers/thread.ts'
import type { Mark } from './texts.ts'

/**
 * `data`: `InvoiceData` as JSON, as its version keeps it; the thread parses it. `logo`: a PNG as a data URL. `cii`:
 * the XML to embed, if it was sent before.
 */
export type KeptInvoice = { number: string; data: string; logo: string | null; cii?: string | undefined }
export type ToRender = Omit<KeptInvoice, 'number'> & { lang: InvoiceLanguage; mark?: Mark }
/** `xml`: undefined for a draft, and if the data lack something for it. The PDF has the CII inside. */
export type Rendered = { pdf: Buffer; xml: BothXml | undefined }
export type FromThread = { pdf: Uint8Array; xml: BothXml | undefined }

const renderer = thread<ToRender, FromThread>(new URL('./worker.ts', import.meta.url), {
  // A job waits for it, and no person: its thread has a low priority, and 5,000 lines take long on a busy machine.
  timeoutMs: 300_000,
  idleMs: 30_000,
  memoryMb: 512,
})

/**
 * The invoice or credit note as PDF/A-3b and as XML, rendered in a thread of its own, one after the other. Rejects
 * with an `Error` that names the part that could not be printed, or after five minutes; a later try may succeed.
 */
export async function renderInvoice(
  { number, ...kept }: KeptInvoice,
  lang: InvoiceLanguage,
  mark?: Mark,
): Promise<Rendered> {
  try {
    const { pdf, xml } = await renderer.run({ ...kept, lang, ...(mark && { mark }) })
    return { pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), xml }
  } catch (error) {
    throw new Error(`Invoice ${number} could not be rendered: ${(error as Error).message}`, { cause: error })
  }
}
