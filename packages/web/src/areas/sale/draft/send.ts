import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { api } from '../../../api/client.ts'
import { sameKey } from '../../../api/same-key.ts'

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
