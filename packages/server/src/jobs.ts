import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Database, Tx } from './db/connect.ts'

/** The jobs and the payload of each. The areas' `jobs.ts` have the handlers. */
export type Jobs = {
  /** Applies the staged parts of an import, one after the other. */
  import_apply: { import_id: number }
  /** The same of one that a preview has planned. A version that knows no plan would write its rows without one. */
  import_apply_planned: { import_id: number }
  /** Plans the import of a preview; a plan older than the preview's is given up. */
  import_plan: { import_id: number; plan_no: number }
  /** Takes an import back, part by part, the last one first. */
  import_undo: { import_id: number }
  /** Renders the documents of a sale that wait for it; a failure is logged under the person who asked. */
  invoice_render: { sale_id: number; user_id?: number | null }
  /** Makes a sale's sheet; a failure is logged under the person who asked. */
  sheet_render: { sale_id: number; user_id?: number | null }
  /** Sends one mail of the outbox. */
  mail_send: { mail_id: number }
  /** Takes a further column that was removed from the items whose ids come after `after`. */
  column_remove: { kind: 'grading' | 'attribute'; name: string; user_id: number | null; after: number }
  /** Folds the counters of stock and of its days; clears expired sessions, throttles and idempotency keys. */
  tidy: Record<string, never>
  /** Says of a job on which processes have died that it is not tried again. */
  give_up: GivenUp
}

/** A job that was taken out of the queue, with its payload. */
export type GivenUp = { [Name in JobName]: { job: Name; payload: Jobs[Name] } }[DeadlyJob]

export type JobName = keyof Jobs

/** The jobs that render. Each may take a minute, so one slot is for these alone. */
export const PAPER_JOBS = ['invoice_render', 'sheet_render'] as const satisfies readonly JobName[]

/**
 * The jobs that are given up once a process has died on them twice, and how far each has come: a number that grows while it
 * gets on, by SQL over its `payload`. A death after which it had got further than before counts as the first. The others
 * work on a bounded number of records at a time, and always run again.
 */
export const DEADLY_JOBS = {
  import_apply: `(select count(*) from import_part where import_id = (payload ->> 'import_id')::int and done_at is not null)`,
  import_apply_planned: `(select count(*) from import_part where import_id = (payload ->> 'import_id')::int and done_at is not null)`,
  import_plan: `(select count(*) from import_part
    where import_id = (payload ->> 'import_id')::int and plan_no = (payload ->> 'plan_no')::int and plan is not null)`,
  import_undo: `(select count(*) - coalesce((select jsonb_array_length(made) from import
      where id = (payload ->> 'import_id')::int), 0) from import_part
    where import_id = (payload ->> 'import_id')::int and undone_at is not null)`,
  invoice_render: `(select count(*) from document where sale_id = (payload ->> 'sale_id')::int and status <> 'pending')`,
  sheet_render: '0',
  mail_send: '0',
} as const satisfies Partial<Record<JobName, string>>

export type DeadlyJob = keyof typeof DEADLY_JOBS

/** The message for a job that is given up, by its name: a person reads that it is not tried again, and can ask anew. */
export type GiveUpRules = { [Name in DeadlyJob]: (tx: Tx, payload: Jobs[Name]) => Promise<void> }

/**
 * Handlers by name. Each may run again after it was broken off, so its tables must show the finished part. `signal`
 * is aborted when the server stops: a long job should end at its next seam and queue the rest.
 */
export type JobHandlers = { [Name in JobName]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void> }

/** The services that handlers use. Mails lie under `dataDir` if no mail server is set. */
export type JobServices = { db: Database; config: Config; dataDir: string; log: FastifyBaseLogger }

/** Queues a job in the caller's transaction: it runs if and only if the transaction commits. */
export async function queue<Name extends JobName>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  options: {
    /** Jobs of one queue run one after the other. */ queueName?: string
    runInSeconds?: number
    maxAttempts?: number
    /** Lower comes first; of the same, the older. */ priority?: number
  } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${name}, ${JSON.stringify(payload)}::json,
    queue_name => ${options.queueName ?? null}::text,
    run_at => now() + make_interval(secs => ${options.runInSeconds ?? 0}),
    max_attempts => ${options.maxAttempts ?? 25}::int,
    priority => ${options.priority ?? 0}::int)`.execute(tx)
}

/** The same for several jobs of a kind, each with its priority, by one statement. */
export async function queueEach<Name extends JobName>(
  tx: Tx,
  name: Name,
  jobs: readonly { payload: Jobs[Name]; priority: number }[],
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}::text, payload, priority => priority)
    from json_to_recordset(${JSON.stringify(jobs)}) as job (payload json, priority int)`.execute(tx)
}
