import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BulkDone, BulkPreview, BulkPreviewAnswer } from '@backstock/contract/bulk-change.ts'
import { api, idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'

/** A bulk edit that a person wants. */
type WantedEdit = { items: readonly number[]; changes: object }
/** `preview` is the preview that the person has confirmed. */
type Done = { answer: WriteAnswer<BulkDone>; preview: BulkPreview }
export type SendAct = (edit: WantedEdit, mayGo: (preview: BulkPreview) => boolean) => Promise<Done | null>

/**
 * Whether this error says for sure that nothing was written. If the answer got lost, or the bulk edit still runs,
 * something may have been written.
 */
const isSettled = ({ status, retryAfter }: ApiError) => [400, 404, 409, 422].includes(status) && retryAfter === null

/**
 * Returns a function that sends a bulk edit as its preview shows it. If `mayGo` rejects the preview, nothing is sent
 * and the result is null. If it is unknown whether the server wrote the last bulk edit, the same edit is sent again
 * under the same key: a new preview would find nothing left to change, and the undo would be lost. Throws ApiError.
 */
export function actSender(): SendAct {
  let open: { edit: string; act: object; key: string; preview: BulkPreview } | undefined
  return async (edit, mayGo) => {
    const call = { silent: true, tellsTrouble: true }
    const text = JSON.stringify(edit)
    if (open?.edit !== text) {
      const { data: preview } = await api.post<BulkPreviewAnswer>('stock/bulk/preview', { ...call, body: edit })
      if (!mayGo(preview)) return null
      open = { edit: text, act: { ...edit, token: preview.token }, key: idempotencyKey(), preview }
    }
    const { act, key, preview } = open
    try {
      const answer = await api.post<WriteAnswer<BulkDone>>('stock/bulk', { ...call, body: act, idempotent: key })
      open = undefined
      return { answer, preview }
    } catch (error) {
      if (error instanceof ApiError && isSettled(error)) open = undefined
      throw error
    }
  }
}
