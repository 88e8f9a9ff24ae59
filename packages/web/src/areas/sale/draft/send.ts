import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BatchRow } from '@backstock/contract/batch.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { api } from '../../../api/client.ts'
import type { SaleFigures } from '../figures.tsx'
import { sameKey } from '../same-key.ts'
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

/**
 * Returns a function that sends a draft. Every attempt has the same idempotency key until something in the draft
 * changes, so that the sale is made once.
 */
export function draftSender(): (fields: Record<string, unknown>) => Promise<Sale> {
  const keyOf = sameKey()
  return async (fields) => {
    const call = { body: formOf(fields), idempotent: keyOf(JSON.stringify(fields)), tellsTrouble: true }
    return (await api.post<WriteAnswer<Sale>>('sale/create', call)).data
  }
}

/** The fields as form data: a list as JSON, null as an empty field. */
function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.append(name, Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''))
  return form
}
