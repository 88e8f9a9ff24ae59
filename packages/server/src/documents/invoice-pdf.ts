import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { InvoiceData } from './invoice-data.ts'
import { thread } from './thread.ts'

const renderer = thread<{ data: InvoiceData; lang: InvoiceLanguage }, Uint8Array>(
  new URL('./invoice-worker.ts', import.meta.url),
  { timeoutMs: 60_000, idleMs: 30_000, memoryMb: 512 },
)

/**
 * The invoice as PDF/A-3b, rendered in a thread of its own, one after the other. Rejects with an `Error` that says what
 * could not be printed, or after 60 s; a later try may go well.
 */
export async function renderInvoice(data: InvoiceData, lang: InvoiceLanguage): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = await renderer.run({ data, lang })
    return Buffer.from(buffer, byteOffset, byteLength)
  } catch (error) {
    throw new Error(`Invoice ${data.number} could not be rendered: ${(error as Error).message}`, { cause: error })
  }
}
