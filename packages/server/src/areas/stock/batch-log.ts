import type { Tx } from '../../db/connect.ts'
import { getFrom } from '../../lists.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, recordTexts } from '../../records/log/write.ts'

/** An item before and after an edit. */
type Moved = { row: { id: number; batch_id: number | null }; after: { batch_id: number | null } }
/** Items by the batch that they came from, or went to; null stands for no batch. */
type ByOther = Map<number | null, number[]>
type Moves = { joined: ByOther; left: ByOther }

/** The most other batches that an entry names. */
const NAMED = 10

/**
 * Writes one entry for each batch that items join or leave, in the words of a move by hand. The entries are not in the
 * notifications.
 */
export async function recordBatches(tx: Tx, author: Author, edits: readonly Moved[]): Promise<void> {
  const byBatch = movesOf(edits)
  const batches = [...byBatch.keys()].sort((a, b) => a - b)
  const contents = batches.map((id) => {
    const { joined, left } = getFrom(byBatch, id)
    const message = [...sentences(joined, 'Added', 'from'), ...sentences(left, 'Removed', 'to')].join(' ')
    return JSON.stringify({ type: 'message', data: { message } })
  })
  await recordTexts(tx, author, 'Batch', batches, contents)
}

function movesOf(edits: readonly Moved[]): Map<number, Moves> {
  const byBatch = new Map<number, Moves>()
  const add = (batch: number | null, way: keyof Moves, other: number | null, item: number) => {
    if (batch === null) return
    const moves = byBatch.get(batch) ?? { joined: new Map(), left: new Map() }
    byBatch.set(batch, moves)
    const items = moves[way].get(other)
    if (items) items.push(item)
    else moves[way].set(other, [item])
  }
  for (const { row, after } of edits) {
    if (row.batch_id === after.batch_id) continue
    add(row.batch_id, 'left', after.batch_id, row.id)
    add(after.batch_id, 'joined', row.batch_id, row.id)
  }
  return byBatch
}

function sentences(moves: ByOther, alone: 'Added' | 'Removed', way: 'from' | 'to'): string[] {
  const others = [...moves].filter((move): move is [number, number[]] => move[0] !== null).sort(([a], [b]) => a - b)
  const texts = others.slice(0, NAMED).map(([other, ids]) => `Moved ${way} batch #${other}: ${listed(ids)}.`)
  const rest = others.slice(NAMED).flatMap(([, ids]) => ids)
  if (rest.length) texts.push(`Moved ${way} other batches: ${listed(rest)}.`)
  const none = moves.get(null)
  return none ? [`${alone}: ${listed(none)}.`, ...texts] : texts
}
