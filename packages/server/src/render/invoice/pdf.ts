import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { MadeXml } from '../e-invoice/e-invoice-xml.ts'
import { thread } from '../workers/thread.ts'
import type { Mark } from './texts.ts'

/**
 * The data of a version. `data` is `InvoiceData` as JSON, which the thread parses. `logo` is a PNG as a data URL. `cii`
 * is the XML to embed if it was sent before.
 */
export type KeptInvoice = { number: string; data: string; logo: string | null; cii?: string | undefined }
export type ToRender = Omit<KeptInvoice, 'number'> & { lang: InvoiceLanguage; mark?: Mark }
/**
 * The rendered document. `xml` is undefined for a draft, and if the data lack something for it. The PDF contains the
 * CII.
 */
export type Rendered = { pdf: Buffer; xml: MadeXml | undefined }
export type FromThread = { pdf: Uint8Array; xml: MadeXml | undefined }

const renderer = thread<ToRender, FromThread>(new URL('./worker.ts', import.meta.url), {
  // Only jobs wait for this thread, and no people. So it has a low priority, and 5,000 lines take long on a busy
  // machine.
  timeoutMs: 300_000,
  idleMs: 30_000,
  memoryMb: 512,
})

/**
 * Renders the invoice or credit note as PDF/A-3b and as XML, in a thread of its own, one after another. Rejects with an
 * `Error` that names the part which could not be printed, and after five minutes. Another attempt may succeed then.
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
