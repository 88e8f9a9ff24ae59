import { IMPORT_STATES } from '@backstock/contract/import.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, missing } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
import { freeQueue } from '../write/stage.ts'
import { undoRefusal } from './can-undo.ts'

/** The most attempts of the job. The number is high, because a job counts an attempt even if its server is stopped. */
const MAX_ATTEMPTS = 1000

/**
 * Asks for the undo of an import. Its job waits for everything that was asked for before, even for this import itself.
 * If the undo is under way, it continues. Throws 404, and 409 with the reason if the import cannot be undone.
 */
export async function askForUndo(tx: Tx, importId: number, userId: number): Promise<void> {
  await sql`select from import where id = ${importId} for no key update`.execute(tx)
  const { rows } = await sql<{ undo: string | null; refusal: string | null }>`
    select i.undo, ${undoRefusal} as refusal from import i
    where i.id = ${importId} and i.state = any(${IMPORT_STATES}::text[])`.execute(tx)
  const found = rows[0]
  if (!found) throw missing(`Import #${importId}`)
  if (found.refusal) throw conflict(`Import #${importId} cannot be undone. ${found.refusal}`)
  if (found.undo === 'waiting' || found.undo === 'undoing') return
  await tx
    .updateTable('import')
    .set({ undo: 'waiting', undo_asked_at: sql<string>`clock_timestamp()`, undone_by: userId, undo_error: null })
    .where('id', '=', importId)
    .execute()
  await tx.deleteFrom('import_judgement').where('import_id', '=', importId).execute()
  await queueUndo(tx, importId)
}

/** Queues the job that undoes the rest of an import. */
export async function queueUndo(tx: Tx, importId: number, runInSeconds = 0): Promise<void> {
  const options = { maxAttempts: MAX_ATTEMPTS, queueName: await freeQueue(tx), runInSeconds }
  await queue(tx, 'import_undo', { import_id: importId }, options)
}
