import type { Hundredths } from '@backstock/contract/money.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { thread } from '../workers/thread.ts'

/**
 * A sold item. `net` is in hundredths, and so is `price`, which is as typed: gross if the sale's prices include VAT.
 */
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
 * Makes the spreadsheet (.xlsx) of a sale, in a thread of its own: a row for each item, then the totals. Identifiers
 * are texts; prices and rates are numbers. A text is stored as text, so a spreadsheet never runs it as a formula.
 */
export async function renderSaleSheet(data: SheetData): Promise<Buffer> {
  return Buffer.from(await renderer.run(data))
}
