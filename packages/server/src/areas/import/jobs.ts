import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pace } from '../../http/pace.ts'
import type { JobHandlers, JobServices } from '../../jobs.ts'
import { applyNextPart, isTransient, nothingApplied } from './write/apply-part.ts'
import { queueImport } from './write/stage.ts'

/** How often a part is tried without progress. Then the job fails, and the job queue tries again later. */
const TRIES = 30
const PAUSE_MS = 1000
const BROKEN = 'The import stopped because something went wrong on our side. The rows up to here are in.'

/** Applies imports part by part. If a run is broken off, the next one goes on after the last committed part. */
export function importJobs({ db, log }: JobServices, pace: Pace): Pick<JobHandlers, 'import_apply'> {
  return {
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
