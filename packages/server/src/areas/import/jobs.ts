import { setTimeout as delay } from 'node:timers/promises'
import type { LongWork, Pace } from '../../http/pace.ts'
import type { JobHandlers, JobServices, Jobs } from '../../jobs.ts'
import { BROKEN_OFF, endImport, endPlan, endUndo } from './broken-off.ts'
import { planImport } from './preview/plan-import.ts'
import { queuePlan } from './preview/stage-preview.ts'
import { queueUndo } from './undo/ask.ts'
import { isAfterUndo, undoNextPart } from './undo/undo-part.ts'
import { applyNextPart, isTransient, nothingApplied } from './write/apply-part.ts'
import { isAfterOwn } from './write/own-order.ts'
import { type ImportJob, queueImport } from './write/stage.ts'

/**
 * The number of attempts at one part of an import without progress. Then the job fails, and the queue tries it again
 * later.
 */
const TRIES = 30
const PAUSE_MS = 1000
/** The seconds after which a job checks again if it is its turn. */
const TURN_SECONDS = 1

/**
 * The jobs that import and undo part by part, and that plan previews. If a run is interrupted, the next one continues
 * after the last committed part; a plan begins again.
 */
export function importJobs(
  { db, log }: JobServices,
  pace: Pace,
): Pick<JobHandlers, ImportJob | 'import_plan' | 'import_undo'> {
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

    import_apply: ({ import_id }, signal) => apply('import_apply', import_id, signal),
    import_apply_planned: ({ import_id }, signal) => apply('import_apply_planned', import_id, signal),
    async import_undo({ import_id }, signal) {
      const step = async () => {
        const did = await undoNextPart(db, import_id)
        if (did === 'wait') await db.write((tx) => queueUndo(tx, import_id, TURN_SECONDS))
        return did === 'part'
      }
      await inParts(step, {
        long: pace.longWork(),
        signal,
        goOnLater: () => db.write((tx) => queueUndo(tx, import_id)),
        breakOff: (error) => breakUndoOff(import_id, error),
      })
    },
  }

  async function apply(job: ImportJob, importId: number, signal: AbortSignal): Promise<void> {
    const long = pace.longWork()
    const later = (runInSeconds: number) => db.write((tx) => queueImport(tx, importId, { job, runInSeconds }))
    if ((await isAfterUndo(db.read, importId)) || (await isAfterOwn(db.read, importId))) return later(TURN_SECONDS)
    const applied = nothingApplied()
    await inParts(() => applyNextPart(db, importId, applied, log), {
      long,
      signal,
      goOnLater: () => later(0),
      breakOff: (error) => breakOff(importId, error),
    })
  }

  type Way = {
    long: LongWork
    signal: AbortSignal
    goOnLater(): Promise<void>
    breakOff(error: unknown): Promise<void>
  }

  /** Repeats a step until it answers that nothing is left. */
  async function inParts(step: () => Promise<boolean>, { long, signal, goOnLater, breakOff }: Way): Promise<void> {
    for (let tries = 0; ; ) {
      try {
        if (signal.aborted) return await goOnLater()
        if (!(await long.work(step))) return
        tries = 0
      } catch (error) {
        if (!isTransient(error)) return await breakOff(error)
        if (++tries === TRIES) throw error
        await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  async function giveUp(plan: Jobs['import_plan'], error: unknown): Promise<void> {
    log.error({ err: error, importId: plan.import_id }, 'import: not planned')
    await db.write((tx) => endPlan(tx, plan, BROKEN_OFF.plan))
  }

  async function breakOff(importId: number, error: unknown): Promise<void> {
    log.error({ err: error, importId }, 'import: broken off')
    await db.write((tx) => endImport(tx, importId, BROKEN_OFF.import))
  }

  async function breakUndoOff(importId: number, error: unknown): Promise<void> {
    log.error({ err: error, importId }, 'import: its undo broken off')
    await db.write((tx) => endUndo(tx, importId, BROKEN_OFF.undo))
  }
}
