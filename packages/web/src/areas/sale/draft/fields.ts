import type { BatchRow } from '@backstock/contract/batch.ts'
import type { SaleFigures } from '../figures.tsx'
import type { DraftCustomer } from './customer.tsx'
import { type Draft, type DraftLine, priceOf } from './lines.ts'
import type { DraftOptions } from './options.tsx'

type WholeDraft = {
  draft: Draft
  selling: readonly DraftLine[]
  totals: SaleFigures
  customer: DraftCustomer
  batch: BatchRow | null
  options: DraftOptions
  excel: boolean
}

/** The fields of the request that makes a sale of a draft. */
export function saleFields({ draft, selling, totals, customer, batch, options, excel }: WholeDraft) {
  const { includeVat, reference_number, delete_batch, ...others } = options
  return {
    stock_items: selling.map((line) => ({
      id: line.id,
      sales_price: priceOf(line),
      ...(line.wanted && { vat_treatment: line.wanted }),
    })),
    ...(customer.isNew ? customer.typed : { customer_id: customer.id }),
    total_purchase_price: totals.purchase,
    total_sales_price: totals.net,
    total_sales_price_vat: totals.gross,
    batch_id: batch?.id ?? null,
    salesPrice: draft.onePrice,
    includeVat: String(includeVat),
    reference_number,
    ...others,
    create_excel: excel,
    delete_batch: batch !== null && !batch.is_locked && delete_batch,
  }
}
