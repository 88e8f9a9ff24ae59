import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { api, idempotencyKey } from '../../api/client.ts'

/** Sends a draft. As long as nothing in it changes, every attempt has the same key, so that the sale is made once. */
export function draftSender(): (fields: Record<string, unknown>) => Promise<Sale> {
  let sent: { text: string; key: string } | undefined
  return async (fields) => {
    const text = JSON.stringify(fields)
    if (sent?.text !== text) sent = { text, key: idempotencyKey() }
    const call = { body: formOf(fields), idempotent: sent.key, tellsTrouble: true }
    return (await api.post<WriteAnswer<Sale>>('sale/create', call)).data
  }
}

/** The fields of a form, as they are sent: lists as JSON, nothing as an empty field. */
function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.append(name, Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''))
  return form
}
