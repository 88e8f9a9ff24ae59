import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { KeptItem, Received, Undone } from '@backstock/contract/bulk-edit.ts'
import { someSentences } from '@backstock/contract/some-of.ts'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { tellFailure } from '../../api/tell-failure.ts'
import { showToast } from '../../api/toast.ts'

const NAMED = 5

/** The first of these items and why each was left as it is: `#5: Anna changed it since; it is Sold.` */
const namesOf = (kept: readonly KeptItem[]) =>
  someSentences(
    kept.map(({ id, reason }) => `#${id}: ${reason}`),
    NAMED,
  )

/** Everything that shows or counts items is out of date: read it again. */
export const readAgain = () => invalidate('stock', 'stock/check', 'stock/bulk', 'batch', 'basket', 'dashboard')

/** Undoes a bulk edit. The toast names the items that could not be changed back. */
export async function undoBulk(id: number): Promise<void> {
  const path = `stock/bulk/${id}/undo`
  const answer = await api
    .post<WriteAnswer<Undone>>(path, { silent: true, tellsTrouble: true })
    .catch((error) => tellFailure(error))
  if (answer) {
    const { title, message, data } = answer
    const about = `undo ${id}`
    showToast({ type: answer.type, title, message: `${message} ${namesOf(data.kept)}`.trim(), about })
  }
  await readAgain()
}

/** Receives items. The toast has an Undo button, and names the items that were not received. */
export async function receive(path: string, key: string, body: object = {}): Promise<Received | null> {
  const call = { body, silent: true, tellsTrouble: true, idempotent: key }
  const answer = await api.post<WriteAnswer<Received>>(path, call).catch((error) => tellFailure(error))
  if (answer) {
    const { type, title, message, data } = answer
    showToast({
      type,
      title,
      message: `${message} ${namesOf(data.kept)}`.trim(),
      action: { text: 'Undo', run: () => void undoBulk(data.bulk_id) },
      about: path,
    })
  }
  await readAgain()
  return answer?.data ?? null
}
