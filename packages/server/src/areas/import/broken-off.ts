import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { GiveUpRules, Jobs } from '../../jobs.ts'
import type { ImportJob } from './write/stage.ts'

/** The messages for long work that did not end. */
export const BROKEN_OFF = {
  import: 'The import stopped because something went wrong on our side.',
  plan: 'The preview stopped because something went wrong on our side. Nothing was imported.',
  undo: 'The undo stopped because something went wrong on our side. Start it again to continue.',
} as const

/** The messages for long work that has killed processes. */
const GIVEN_UP = {
  import: 'The server stopped twice at the same point of this import and will not try again.',
  plan: 'The server stopped twice while reading this file and will not try again. Nothing was imported.',
  undo: 'The server stopped twice at the same point of this undo and will not try again. What has been undone so far stays undone. Start it again to continue.',
} as const

/** How far an import came that did not end, and the next step for a person. */
const LEFT = {
  csv_import: {
    some: 'The rows up to here have been imported. For the rest, import the file again.',
    none: 'Nothing was imported. Import the file again.',
  },
  api_import: {
    some: 'The rows up to here have been imported. For the rest, the partner can push its items again.',
    none: 'Nothing was imported. The partner can push its items again.',
  },
} as const

/** Ends an import that has not ended, with sentences for people: why, how far it came, and the next step. */
export async function endImport(tx: Tx, importId: number, why: string): Promise<void> {
  const open = await tx
    .selectFrom('import')
    .select(['type', 'succeeded'])
    .where('id', '=', importId)
    .where('state', 'in', ['waiting', 'running'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!open) return
  const error = `${why} ${LEFT[open.type][open.succeeded > 0 ? 'some' : 'none']}`
  await tx
    .updateTable('import')
    .set({ state: 'failed', error, ended_at: sql<string>`now()` })
    .where('id', '=', importId)
    .execute()
}

/** Ends the plan of a preview, unless the preview has been changed since. */
export async function endPlan(tx: Tx, { import_id, plan_no }: Jobs['import_plan'], error: string): Promise<void> {
  await tx
    .updateTable('import')
    .set({ state: 'previewed', error })
    .where('id', '=', import_id)
    .where('plan_no', '=', plan_no)
    .where('state', '=', 'previewing')
    .execute()
}

/**
 * Ends an undo. The rows that it has undone stay undone. If somebody asks for the undo again, it continues from there.
 */
export async function endUndo(tx: Tx, importId: number, error: string): Promise<void> {
  await tx
    .updateTable('import')
    .set({ undo: 'failed', undo_error: error })
    .where('id', '=', importId)
    .where('undo', 'in', ['waiting', 'undoing'])
    .execute()
}

/** The functions that end imports, plans and undos which have killed processes. */
export const importGiveUps: Pick<GiveUpRules, ImportJob | 'import_plan' | 'import_undo'> = {
  import_apply: (tx, { import_id }) => endImport(tx, import_id, GIVEN_UP.import),
  import_apply_planned: (tx, { import_id }) => endImport(tx, import_id, GIVEN_UP.import),
  import_plan: (tx, plan) => endPlan(tx, plan, GIVEN_UP.plan),
  import_undo: (tx, { import_id }) => endUndo(tx, import_id, GIVEN_UP.undo),
}
