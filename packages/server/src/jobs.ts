import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Database, Tx } from './db/connect.ts'

/** The jobs with their payloads. The handlers are in the `jobs.ts` files of the areas. */
export type Jobs = {
  /** Applies the stored parts of an import, one after another. */
  import_apply: { import_id: number }
  /**
   * Applies an import that a preview has planned. The name differs from `import_apply`, because a server of an older
   * version would take a job of that name and ignore the plan.
   */
  import_apply_planned: { import_id: number }
  /** Plans a preview. If the preview has a newer plan by now, the job ends. */
  import_plan: { import_id: number; plan_no: number }
  /** Undoes an import part by part, beginning with the last. */
  import_undo: { import_id: number }
  /** Renders the pending documents of a sale. A failure is logged under the person who ordered them. */
  invoice_render: { sale_id: number; user_id?: number | null }
  /** Makes the pending PDFs of a purchase receipt. */
  receipt_render: { receipt_id: number }
  /** Makes the spreadsheet of a sale. A failure is logged under the person who ordered it. */
  sheet_render: { sale_id: number; user_id?: number | null }
  /** Puts the XML of a document into the folder of a connector. */
  hand_over: { document_id: number }
  /** Sends one mail of the outbox. */
  mail_send: { mail_id: number }
  /** Removes a deleted further column from the items whose ids are above `after`. */
  column_remove: { kind: 'grading' | 'attribute'; name: string; user_id: number | null; after: number }
  /**
   * Adds up the rows of the counters of stock and of its days, and deletes expired sessions, throttles and idempotency
   * keys.
   */
  tidy: Record<string, never>
  /** Tells people that a job which has killed processes is not tried again. */
  give_up: GivenUp
}

/** A job that was taken out of the queue, with its payload. */
export type GivenUp = { [Name in JobName]: { job: Name; payload: Jobs[Name] } }[DeadlyJob]

export type JobName = keyof Jobs

/** The jobs that render papers. Each may take minutes, so the worker has a slot for them alone. */
export const PAPER_JOBS = ['invoice_render', 'sheet_render', 'receipt_render'] as const satisfies readonly JobName[]

/**
 * The jobs that are given up if they have killed a process twice, each with SQL over its `payload` for its progress: a
 * number that grows while the job gets on. If a job has made progress since a death, that death no longer counts. The
 * other jobs work on a limited number of records at a time and always run again.
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
  receipt_render: `(select count(*) from purchase_receipt_file where receipt_id = (payload ->> 'receipt_id')::int and status <> 'pending')`,
  mail_send: '0',
} as const satisfies Partial<Record<JobName, string>>

export type DeadlyJob = keyof typeof DEADLY_JOBS

/**
 * For each job in `DEADLY_JOBS`, the function that gives it up: it stores a message that the job is not tried again, so
 * that a person can order it anew.
 */
export type GiveUpRules = { [Name in DeadlyJob]: (tx: Tx, payload: Jobs[Name]) => Promise<void> }

/**
 * The handlers by name. A job may be interrupted and run again, so its tables must show which part is done. `signal` is
 * aborted when the server stops: a long job should then end after its present step, and queue the rest.
 */
export type JobHandlers = { [Name in JobName]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void> }

/** The services that handlers use. If no mail server is set, mails are stored under `dataDir`. */
export type JobServices = { db: Database; config: Config; dataDir: string; log: FastifyBaseLogger }

/** Queues a job in the caller's transaction: the job runs if and only if the transaction commits. */
export async function queue<Name extends JobName>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  options: {
    /** Jobs of one queue run one after another. */ queueName?: string
    runInSeconds?: number
    maxAttempts?: number
    /** The job with the lowest number comes first; of equal ones, the older job. */ priority?: number
  } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${name}, ${JSON.stringify(payload)}::json,
    queue_name => ${options.queueName ?? null}::text,
    run_at => now() + make_interval(secs => ${options.runInSeconds ?? 0}),
    max_attempts => ${options.maxAttempts ?? 25}::int,
    priority => ${options.priority ?? 0}::int)`.execute(tx)
}

/** Queues several jobs of a kind, each with its priority, in one statement. */
export async function queueEach<Name extends JobName>(
  tx: Tx,
  name: Name,
  jobs: readonly { payload: Jobs[Name]; priority: number }[],
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}::text, payload, priority => priority)
    from json_to_recordset(${JSON.stringify(jobs)}) as job (payload json, priority int)`.execute(tx)
}
