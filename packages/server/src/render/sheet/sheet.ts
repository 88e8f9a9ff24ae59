import type { Hundredths } from '@backstock/contract/money.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { thread } from '../workers/thread.ts'

/** One item sold. `net` in hundredths; `price` as typed: gross if the sale's prices include VAT. */
export type SheetLine = {
  position: number
  product: string
  make: string | null
  model: string | null
  capacity: string | null
  colour: string | null
  imei: string | null
  serial_number: string | null
  grade: string | null
  net: Hundredths
  price: Hundredths
  vat_rate: RateHundredths
}

export type SheetData = {
  sale_id: number
  prices_include_vat: boolean
  lines: SheetLine[]
  total_net: Hundredths
  total_gross: Hundredths
}

const renderer = thread<SheetData, Uint8Array>(new URL('./worker.ts', import.meta.url), {
  timeoutMs: 60_000,
  idleMs: 30_000,
  memoryMb: 512,
})

/**
 * The sale as an .xlsx sheet, made in a thread of its own: one row for each item, then the totals. Identifiers are
 * text, prices and rates numbers. Text is stored as text: a spreadsheet runs none of it as a formula.
 */
export async function renderSaleSheet(data: SheetData): Promise<Buffer> {
  return Buffer.from(await renderer.run(data))
}
