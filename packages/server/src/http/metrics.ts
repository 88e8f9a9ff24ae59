import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { App } from './typed-routes.ts'

/** The database is asked for its figures at most once in so long, however many ask us. */
const FRESH_MS = 5000
/** Without an answer for so long the figures go out without the database's. */
const DATABASE_MS = 2000
const LOOP_RESOLUTION_MS = 20
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Labels = Record<string, string | number>
type Sample = { labels?: Labels; suffix?: string; value: number }
/** One metric in Prometheus' text format. */
type Metric = { name: string; type: 'counter' | 'gauge' | 'histogram'; help: string; samples: Sample[] }

/** How a try to log in may end; `too_many` is a 429. */
const LOGIN_ENDS = ['right', 'wrong', 'too_many'] as const
export type LoginEnd = (typeof LOGIN_ENDS)[number]

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a try to log in for `/metrics`. */
    countLogin(end: LoginEnd): void
  }
}

/**
 * `GET /metrics`: what to watch, in Prometheus' text format. Numbers only, none of them about a person, but they tell how
 * busy the shop is: keep the path inside. What each one means stands in `docs/operations.md`.
 */
export function metrics(app: App, db: Database): void {
  const requests = countRequests(app)
  const logins = countLogins(app)
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  loop.enable()
  app.addHook('onClose', async () => void loop.disable())

  const ofLoop = (): Metric => {
    const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1000)
    const samples = [
      { labels: { quantile: 0.5 }, value: lag(loop.percentile(50)) },
      { labels: { quantile: 0.99 }, value: lag(loop.percentile(99)) },
      { labels: { quantile: 1 }, value: lag(loop.max) },
    ]
    loop.reset()
    return gauge('event_loop_lag_seconds', 'How late the process was since the last time this was asked.', samples)
  }
  const askDatabase = databaseFigures(db)
  app.get('/metrics', async (_request, reply) => {
    const all = [...ofProcess(), ofLoop(), ofPools(db), ...requests(), logins(), ...(await askDatabase())]
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(all.map(text).join(''))
  })
}

const gauge = (name: string, help: string, samples: Sample[]): Metric => ({ name, type: 'gauge', help, samples })

function text({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, suffix = '', value }) => {
    const named = Object.entries(labels).map(([label, of]) => `${label}="${of}"`)
    return `backstock_${name}${suffix}${named.length ? `{${named.join(',')}}` : ''} ${value}\n`
  })
  return `# HELP backstock_${name} ${help}\n# TYPE backstock_${name} ${type}\n${lines.join('')}`
}

function ofProcess(): Metric[] {
  const memory = process.memoryUsage()
  return [
    gauge('memory_bytes', 'Memory of the process.', [
      { labels: { kind: 'resident' }, value: memory.rss },
      { labels: { kind: 'heap_used' }, value: memory.heapUsed },
      { labels: { kind: 'external' }, value: memory.external },
    ]),
    gauge('uptime_seconds', 'Since the process started.', [{ value: Math.round(process.uptime()) }]),
    ...openFiles(),
  ]
}

/** Connections are files, too. Only Linux tells. */
function openFiles(): Metric[] {
  try {
    return [
      gauge('open_files', 'Files and connections that the process has open.', [
        { value: readdirSync('/proc/self/fd').length },
      ]),
    ]
  } catch {
    return []
  }
}

function ofPools(db: Database): Metric {
  const samples = Object.entries(db.figures()).flatMap(([pool, figures]) =>
    Object.entries(figures).map(([state, value]) => ({ labels: { pool, state }, value })),
  )
  return gauge('pool_connections', 'Connections to the database: open, free, and requests that wait for one.', samples)
}

function countLogins(app: App): () => Metric {
  const counts = { right: 0, wrong: 0, too_many: 0 }
  app.decorate('countLogin', (end) => void counts[end]++)
  const samples = () => LOGIN_ENDS.map((end) => ({ labels: { end }, value: counts[end] }))
  return () => ({
    name: 'logins_total',
    type: 'counter',
    help: 'Tries to log in, by how they ended.',
    samples: samples(),
  })
}

type Counted = { labels: Labels; statuses: Map<number, number>; buckets: number[]; seconds: number; count: number }

/** The route as it is written, so that an id in an address makes no metric of its own. */
function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (request.is404 || !url) return 'none'
  return /^\/(api\/|healthz$|readyz$|metrics$)/.test(url) ? url : 'screens'
}

function countRequests(app: App): () => Metric[] {
  const counted = new Map<string, Counted>()
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: routeOf(request) }
    const key = `${labels.method} ${labels.route}`
    const one = counted.get(key) ?? { labels, statuses: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0, count: 0 }
    counted.set(key, one)
    const seconds = reply.elapsedTime / 1000
    one.statuses.set(reply.statusCode, (one.statuses.get(reply.statusCode) ?? 0) + 1)
    one.count++
    one.seconds += seconds
    for (const [n, limit] of BUCKETS.entries()) if (seconds <= limit) one.buckets[n]!++
  })
  return () => {
    const all = [...counted.values()]
    const byStatus = all.flatMap(({ labels, statuses }) =>
      [...statuses].map(([status, value]) => ({ labels: { ...labels, status }, value })),
    )
    return [
      { name: 'http_requests_total', type: 'counter', help: 'Requests answered.', samples: byStatus },
      {
        name: 'http_request_duration_seconds',
        type: 'histogram',
        help: 'From a request to the end of its answer.',
        samples: all.flatMap(durations),
      },
    ]
  }
}

function durations({ labels, buckets, seconds, count }: Counted): Sample[] {
  const upTo = (le: number | string, value: number) => ({ labels: { ...labels, le }, suffix: '_bucket', value })
  return [
    ...buckets.map((value, n) => upTo(BUCKETS[n]!, value)),
    upTo('+Inf', count),
    { labels, suffix: '_sum', value: seconds },
    { labels, suffix: '_count', value: count },
  ]
}

/** Names and helps of what the query below counts. */
const figures = {
  jobs_waiting: 'Jobs that are due and that nobody has taken.',
  jobs_running: 'Jobs that an instance works on.',
  jobs_failed: 'Jobs that were given up after all their tries.',
  jobs_oldest_waiting_seconds: 'How long the longest waiting job has been due.',
  mails_waiting: 'Mails that wait for their invoice, for their turn or for another try.',
  mails_unclear: 'Sales whose last mail may or may not have gone out: a person decides.',
  mails_failed: 'Sales whose last mail could not be sent.',
  imports_running: 'Imports that are not done.',
  sales_requiring_attention: 'Sales that have lost an item.',
}
type Figures = Record<keyof typeof figures, number>

async function query(db: Database): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select * from
      (select count(*) filter (where due) as jobs_waiting, count(*) filter (where locked_at is not null) as jobs_running,
        count(*) filter (where attempts >= max_attempts) as jobs_failed,
        coalesce(extract(epoch from now() - min(run_at) filter (where due)), 0)::float8 as jobs_oldest_waiting_seconds
      from graphile_worker.jobs,
        lateral (select locked_at is null and attempts < max_attempts and run_at <= now() as due) d) j,
      (select count(*) as mails_waiting from mail where state in ('waiting', 'sending')) w,
      (select count(*) filter (where state = 'unclear') as mails_unclear,
        count(*) filter (where state = 'failed') as mails_failed
      from mail m where state in ('unclear', 'failed')
        and not exists (select from mail later where later.sale_id = m.sale_id and later.id > m.id)) m,
      (select count(*) as imports_running from import where state in ('waiting', 'running')) i,
      (select count(*) as sales_requiring_attention from sale where status = 'Requires Attention') s`.execute(db.read)
  return rows[0]!
}

function databaseFigures(db: Database): () => Promise<Metric[]> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<Figures | undefined> = Promise.resolve(undefined)
  const ask = () => {
    const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, DATABASE_MS, undefined).unref())
    return Promise.race([query(db).catch(() => undefined), tooLate])
  }
  return async () => {
    if (performance.now() - asked >= FRESH_MS) {
      asked = performance.now()
      answer = ask()
    }
    const found = await answer
    const up = gauge('database_up', 'Whether the database answered.', [{ value: found ? 1 : 0 }])
    if (!found) return [up]
    return [
      up,
      ...Object.entries(figures).map(([name, help]) => gauge(name, help, [{ value: found[name as keyof Figures] }])),
    ]
  }
}
