import { UNDO_DAYS } from '@backstock/contract/import-undo.ts'
import { sql } from 'kysely'

/** Why the import `i` cannot be undone; null if it can. If it still runs, it is undone after its end. */
export const undoRefusal = sql<string | null>`case
  when i.undo = 'undone' then 'It is undone already.'
  when i.ended_at < now() - make_interval(days => ${sql.lit(UNDO_DAYS)}) then ${sql.lit(`It ended more than ${UNDO_DAYS} days ago.`)}
  when i.ended_at is not null and i.succeeded = 0 then 'It changed nothing.'
  when exists (select from import_part p where p.import_id = i.id and p.done_at is not null and p.versions is null)
    then 'It was made before imports could be undone.' end`

/** The condition that the import `i` has ended and that somebody can ask for its undo. */
export const canUndo = sql<boolean>`
  i.ended_at is not null and (i.undo is null or i.undo = 'failed') and ${undoRefusal} is null`
