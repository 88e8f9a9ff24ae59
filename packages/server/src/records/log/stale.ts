import type { LoggableType } from '@backstock/contract/log.ts'
import { duration } from '@backstock/contract/time.ts'
import type { Tx } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { logsOf } from './read.ts'

/**
 * Whether a record has changed since a caller loaded it. The time can also go back: the undo of an import gives items
 * their earlier time.
 */
export const isStale = (row: { updated_at: string }, sent: string | undefined) =>
  sent !== undefined && Date.parse(sent) !== Date.parse(row.updated_at)

/**
 * Throws 409 if a record has changed since the caller loaded it, and says who changed it and when. Call it with the
 * locked row. `sent` is the `updated_at` that the caller had; without it, every edit is accepted. The log entry nearest
 * to the change names the person. Some changes have no entry (items that joined a batch, for example); for them,
 * `updated_by` names the person.
 */
export async function refuseStale(
  tx: Tx,
  row: { updated_at: string; updated_by?: number | null },
  sent: string | undefined,
  logged?: { type: LoggableType; id: number },
): Promise<void> {
  if (!isStale(row, sent)) return
  const changedAt = Date.parse(row.updated_at)
  const distance = (entry: { created_at: string }) => Math.abs(Date.parse(entry.created_at) - changedAt)
  const name = logged
    ? (await logsOf(tx, logged.type, logged.id)).toSorted((a, b) => distance(a) - distance(b))[0]?.user_name
    : (
        await tx
          .selectFrom('app_user')
          .select('name')
          .where('id', '=', row.updated_by ?? 0)
          .executeTakeFirst()
      )?.name
  throw conflict(`Changed by ${name ?? 'someone else'} ${duration(Date.now() - changedAt)} ago`)
}
