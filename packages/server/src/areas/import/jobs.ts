import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pace } from '../../http/pace.ts'
import type { JobHandlers, JobServices, Jobs } from '../../jobs.ts'
import { planImport } from './preview/plan-import.ts'
import { queuePlan } from './preview/stage-preview.ts'
import { applyNextPart, isTransient, nothingApplied } from './write/apply-part.ts'
import { queueImport } from './write/stage.ts'

/** How often a part is tried without progress. Then the job fails, and the job queue tries again later. */
const TRIES = 30
const PAUSE_MS = 1000
const BROKEN = 'The import stopped because something went wrong on our side. The rows up to here are in.'
const NOT_PLANNED = 'The preview stopped because something went wrong on our side. Nothing was imported.'

/**
 * Applies imports part by part, and plans previews. If a run is broken off, the next one goes on after the last committed
 * part; a plan begins anew.
 */
export function importJobs({ db, log }: JobServices, pace: Pace): Pick<JobHandlers, 'import_apply' | 'import_plan'> {
  return {
    async import_plan(plan, signal) {
      const long = pace.longWork()
      for (let tries = 0; ; ) {
        try {
          if (await planImport(db, plan, long, () => signal.aborted)) return
          return await db.write((tx) => queuePlan(tx, plan))
        } catch (error) {
          if (!isTransient(error)) return await giveUp(plan, error)
          if (++tries === TRIES) throw error
          await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
        }
      }
    },

    async import_apply({ import_id }, signal) {
      const applied = nothingApplied()
      const long = pace.longWork()
      for (let tries = 0; ; ) {
        try {
          if (signal.aborted) return await db.write((tx) => queueImport(tx, import_id))
          if (!(await long.work(() => applyNextPart(db, import_id, applied, log)))) return
          tries = 0
        } catch (error) {
          if (!isTransient(error)) return await breakOff(import_id, error)
          if (++tries === TRIES) throw error
          await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
        }
      }
    },
  }

  async function giveUp({ import_id, plan_no }: Jobs['import_plan'], error: unknown): Promise<void> {
    log.error({ err: error, importId: import_id }, 'import: not planned')
    await db.write((tx) =>
      tx
        .updateTable('import')
        .set({ state: 'previewed', error: NOT_PLANNED })
        .where('id', '=', import_id)
        .where('plan_no', '=', plan_no)
        .where('state', '=', 'previewing')
        .execute(),
    )
  }

  async function breakOff(importId: number, error: unknown): Promise<void> {
    log.error({ err: error, importId }, 'import: broken off')
    await db.write((tx) =>
      tx
        .updateTable('import')
        .set({ state: 'failed', error: BROKEN, ended_at: sql`now()` as never })
        .where('id', '=', importId)
        .execute(),
    )
  }
}
