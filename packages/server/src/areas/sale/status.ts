import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import type { Author } from '../../records/log.ts'
import { giveBack, isHeld, type LockedSale, release } from './held.ts'
import { stopMails } from './mail/outbox.ts'

/** Gives all items of a sale back, and says how many; a mail about it that still waits does not go out. */
export async function voidSale(tx: Tx, { sale, lines, stock }: LockedSale, author: Author): Promise<number> {
  const held = lines.filter((line) => isHeld(line, stock))
  const open = lines.filter((line) => line.released === null || line.released === 'lost')
  await release(
    tx,
    sale.id,
    open.map((line) => line.stock_id),
    'voided',
  )
  await giveBack(
    tx,
    held.map((line) => line.stock_id),
    author,
  )
  await stopMails(tx, sale.id, 'The sale was voided.')
  return held.length
}

/** Sends all items of a sale out of the house; 409 where one is not there any more. */
export async function dispatch(tx: Tx, { lines, stock }: LockedSale): Promise<void> {
  const going = lines.filter((line) => line.released !== 'removed')
  const gone = going.filter((line) => !isHeld(line, stock))
  if (gone.length || going.length === 0) {
    const message = `Not every item is available: ${gone.map((line) => `#${line.stock_id}`).join(', ') || 'none is left'}.`
    throw conflict(message, { status: message })
  }
  await sql`update stock set in_hand = false where id = any(${going.map((line) => line.stock_id)}::int[])`.execute(tx)
}
