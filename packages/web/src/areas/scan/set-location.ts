import type { BulkPreview } from '@backstock/contract/bulk-change.ts'
import { showToast } from '../../api/toast.ts'
import type { SendAct } from '../bulk/act-sender.ts'
import { readAgain, undoBulk } from '../bulk/bulk.ts'

const count = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/** The reasons why some items stay as they are, the most frequent one first. */
const whyNot = ({ refused }: BulkPreview) => refused.map(({ reason }) => reason).join(' ')

/** Shows a toast that says why there is nothing to write. */
function tellNothing(preview: BulkPreview): void {
  const there = preview.unchanged > 0 ? `${count(preview.unchanged)} had this location already. ` : ''
  showToast({ type: 'info', message: (there + whyNot(preview)).trim(), about: 'stock/bulk' })
}

/**
 * Writes the location of these items in one bulk edit. The toast has an Undo button. `onWritten` is called afterwards,
 * and again after an undo. Throws an ApiError if the server refuses.
 */
export async function setLocation(
  items: readonly number[],
  location: string,
  send: SendAct,
  onWritten: () => Promise<void>,
): Promise<void> {
  const done = await send({ items, changes: { location } }, (preview) => {
    if (preview.will_change === 0) tellNothing(preview)
    return preview.will_change > 0
  })
  if (!done) return
  const { title, data } = done.answer
  const stayed = data.left_out > 0 ? ` Left as they are: ${count(data.left_out)}. ${whyNot(done.preview)}` : ''
  const undo = async () => {
    await undoBulk(data.bulk_id)
    await onWritten()
  }
  showToast({
    type: data.left_out > 0 ? 'warning' : 'success',
    title,
    message: `${count(data.changed)} moved to ${location}.${stayed}`,
    action: { text: 'Undo', run: () => void undo() },
    about: 'stock/bulk',
  })
  await Promise.all([onWritten(), readAgain()])
}
