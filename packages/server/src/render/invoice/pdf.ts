import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { thread } from '../workers/thread.ts'
import type { Mark } from './texts.ts'

/** `data`: `InvoiceData` as JSON, as its version keeps it; read in the thread. `logo`: a PNG as a data URL. */
export type KeptInvoice = { number: string; data: string; logo: string | null }
export type ToRender = Omit<KeptInvoice, 'number'> & { lang: InvoiceLanguage; mark?: Mark }

const renderer = thread<ToRender, Uint8Array>(new URL('./worker.ts', import.meta.url), {
  timeoutMs: 60_000,
  idleMs: 30_000,
  memoryMb: 512,
})

/**
 * The invoice or credit note as PDF/A-3b, rendered in a thread of its own, one after the other. Rejects with an `Error` that
 * says what could not be printed, or after 60 s; a later try may go well.
 */
export async function renderInvoice(
  { number, data, logo }: KeptInvoice,
  lang: InvoiceLanguage,
  mark?: Mark,
): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = await renderer.run({ data, logo, lang, ...(mark && { mark }) })
    return Buffer.from(buffer, byteOffset, byteLength)
  } catch (error) {
    throw new Error(`Invoice ${number} could not be rendered: ${(error as Error).message}`, { cause: error })
  }
}
