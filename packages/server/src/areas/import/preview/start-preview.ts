import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import { askedOf } from '../interpret/decimal.ts'
import { SAY_DATES } from '../interpret/translation.ts'
import { queueImport } from '../write/stage.ts'
import { lockPreview, whose } from './change-preview.ts'
import { remember } from './memory.ts'

const OTHER_PLAN = 'This preview has changed meanwhile, perhaps in another window. Check it again, then press Import.'

/**
 * Turns a preview into an import that carries out its plan, and remembers how the file was read. Throws 404; 409 if the
 * preview is not planned, or has another plan than the person has seen; 422 if nobody has decided how its dates are
 * written.
 */
export async function startPreview(tx: Tx, userId: number, id: number, seen: number | undefined): Promise<void> {
  const open = await lockPreview(tx, userId, id)
  if (seen !== undefined && seen !== open.plan_no) throw conflict(OTHER_PLAN)
  if (open.state !== 'previewed') throw conflict('The preview is not ready yet.')
  if (open.error !== null) throw conflict(open.error)
  if (askedOf(open.preview).includes('dates')) throw invalid({ dates: SAY_DATES })
  // A file without a header only has names such as `Column 1`. Without a supplier, such names say nothing about the
  // next file.
  const isNameless = open.preview.header_row === null && open.supplier_id === null
  await remember(tx, whose(open), isNameless ? [] : open.header, open.preview, open.plan)
  await tx
    .updateTable('import')
    .set({ state: 'waiting', created_at: sql`now()`, touched_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await queueImport(tx, id, { job: 'import_apply_planned' })
}
