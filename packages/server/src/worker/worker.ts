import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import {
  Logger,
  type ParsedCronItem,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import type { Connection } from '../db/connect.ts'
import { type JobHandlers, type JobName, type JobServices, PAPER_JOBS } from '../jobs.ts'
import { breakdownWait } from './breakdown-wait.ts'
import { jobsInFlight } from './in-flight.ts'
import { holdLease, type Lease, type Unreturned } from './lease.ts'
import { PatientPool } from './patient-pool.ts'

/**
 * The number of jobs at a time. Documents often come in large numbers and are rendered one after another, so they have
 * a slot of their own: otherwise they would fill the slots that imports and mails need.
 */
const SLOTS = { papers: 1, others: 3 } as const
/** The time that running jobs have to end after their present step when the server stops. */
const PATIENCE_MS = 7000
/** The time that the worker's connections have to close. */
const CLOSE_MS = 500

/** The jobs of one of graphile's runners, with the number of its slots. */
type Lane = { tasks: TaskList; slots: number; cronItems: ParsedCronItem[] }

/**
 * Runs the queue's jobs in this process, in two lanes: those that render documents, and all others. The worker survives
 * an outage of the database. Jobs that a killed instance had begun, and jobs that a broken connection lost, run again
 * within 10 seconds, in any living instance, unless they have killed a process before. Jobs without a handler wait.
 * `stop` aborts the signal of the handlers and waits for them a while.
 */
export async function startWorker(
  services: JobServices,
  handlers: Partial<JobHandlers>,
  connection: Connection,
): Promise<{ stop(): Promise<void> }> {
  const { log } = services
  const stopping = new AbortController()
  const lanes = lanesOf(handlers, stopping.signal)
  const pool = ownPool(connection, lanes, log)
  const running = Promise.all(lanes.map((lane) => keepRunning(pool, lane, log, stopping.signal)))
  return {
    async stop() {
      stopping.abort()
      const late = delay(PATIENCE_MS, 'late' as const, { ref: false })
      if ((await Promise.race([running, late])) === 'late') log.warn('worker: broke off jobs, which will run again')
      await Promise.race([pool.end(), delay(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

function ownPool(connection: Connection, lanes: readonly Lane[], log: FastifyBaseLogger): pg.Pool {
  const pool = new PatientPool({
    ...connection,
    // Each lane has its slots, one connection for listening and one for its beats. One more is for the clock of the
    // jobs of every minute.
    max: lanes.reduce((sum, { slots }) => sum + slots + 2, 1),
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
    keepAlive: true,
    options: '-c TimeZone=UTC',
  })
  // Without listeners, a lost connection would end this process. The next query reports the loss anyway.
  const lost = (error: Error) => log.warn({ err: error }, 'worker: lost a connection')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}

/** The lanes that have jobs. */
function lanesOf(handlers: Partial<JobHandlers>, signal: AbortSignal): Lane[] {
  const isPaper = (name: JobName) => PAPER_JOBS.some((paper) => paper === name)
  const names = Object.keys(handlers) as JobName[]
  const tasksOf = (some: JobName[]) => taskList(some, handlers, signal)
  const everyMinute = parseCronItems([{ task: 'tidy', match: '* * * * *', options: { maxAttempts: 1 } }])
  return [
    { tasks: tasksOf(names.filter((name) => !isPaper(name))), slots: SLOTS.others, cronItems: everyMinute },
    { tasks: tasksOf(names.filter(isPaper)), slots: SLOTS.papers, cronItems: [] },
  ].filter(({ tasks }) => Object.keys(tasks).length > 0)
}

function taskList(names: readonly JobName[], handlers: Partial<JobHandlers>, signal: AbortSignal): TaskList {
  return Object.fromEntries(
    names.map((name) => [
      name,
      (payload: unknown) =>
        (handlers[name] as (payload: unknown, signal: AbortSignal) => Promise<void>)(payload, signal),
    ]),
  )
}

/** Runs a lane's runner again and again until it is stopped. */
async function keepRunning(pool: pg.Pool, lane: Lane, log: FastifyBaseLogger, stopping: AbortSignal): Promise<void> {
  let wait: number | null = null
  const unreturned: Unreturned = new Set()
  while (!stopping.aborted) {
    const started = performance.now()
    await runOnce(pool, lane, unreturned, log, stopping)
    wait = breakdownWait(wait, performance.now() - started)
    await delay(wait, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Runs graphile's runner once, until it is stopped or breaks down. Its lease is then given back. Never throws. */
async function runOnce(
  pool: pg.Pool,
  { tasks, slots, cronItems }: Lane,
  unreturned: Unreturned,
  log: FastifyBaseLogger,
  stopping: AbortSignal,
): Promise<void> {
  let lease: Lease | undefined
  let runner: Runner | undefined
  const stopped = Promise.withResolvers<void>()
  const stop = () => {
    stopped.resolve()
    void lease?.leave()
    runner?.stop().catch((error: unknown) => log.warn({ err: error }, 'worker: while stopping'))
  }
  stopping.addEventListener('abort', stop, { once: true })
  // Graphile locks jobs under the id of its worker pool. Only this event has the id.
  const events: WorkerEvents = new EventEmitter()
  const jobs = jobsInFlight(events)
  const broken = new Promise<void>((resolve) => events.once('pool:fatalError', () => resolve()))
  events.on('pool:create', ({ workerPool }) => {
    lease = holdLease(pool, workerPool.id, jobs, log, unreturned)
  })
  try {
    runner = await run({
      pgPool: pool,
      taskList: tasks,
      concurrency: slots,
      noHandleSignals: true,
      pollInterval: 1000,
      events,
      logger: graphileLogger(log),
      parsedCronItems: cronItems,
      // Graphile calls this function before it takes each job, so no job is taken before the lease is acquired.
      forbiddenFlags: async () => {
        await Promise.race([lease?.acquired, stopped.promise])
        return null
      },
      // Without batching, a job that cannot be reported as done would be an unhandled rejection, which ends this
      // process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    })
    if (stopping.aborted) await runner.stop()
    // If one job cannot be reported as done or failed, graphile ends its pool; if two cannot, it may wait forever
    // (graphile/worker#636).
    await Promise.race([runner.promise, broken])
    await jobs.none()
    await runner.stop().catch(() => undefined)
  } catch (error) {
    log.error({ err: error }, 'worker: starting again')
  }
  stopping.removeEventListener('abort', stop)
  await lease?.end()
}

function graphileLogger(log: FastifyBaseLogger): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const details = { ...scope, ...(meta['error'] ? { err: meta['error'] } : {}) }
    if (level === 'error') log.error(details, message)
    else if (level === 'warning') log.warn(details, message)
    else log.debug(details, message)
  })
}
