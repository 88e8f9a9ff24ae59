import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/connect.ts'
import { single } from '../lists.ts'
import type { App } from './typed-routes.ts'

/** The database is asked for its figures at most once in so long, however many ask us. */
const FRESH_MS = 5000
/** Without an answer for so long the figures go out without the database's. */
const DATABASE_MS = 2000
const LOOP_RESOLUTION_MS = 20

/** Figures of an area: the meaning of each, and the one row of the database that has them as columns of these names. */
export type Figures = { helps: Record<string, string>; select: RawBuilder<unknown> }

declare module 'fastify' {
  interface FastifyInstance {
    /** The figures that this process counts. Names begin with `backstock_`. */
    metrics: Registry
    /** Shows figures of an area, without `backstock_` in their names. */
    showFigures(figures: Figures): void
  }
}

/**
 * `GET /metrics`: the figures to watch, in Prometheus' text format. Numbers only, none of them about a person, but
 * they tell how busy the shop is: keep the path inside. `docs/operations.md` explains each.
 */
export function metrics(app: App, db: Database): void {
  const registry = new Registry()
  app.decorate('metrics', registry)
  const askDatabase = databaseFigures(app, db)
  showProcess(registry)
  showLoop(app)
  showPools(registry, db)
  countRequests(app)
  app.get('/metrics', async (_request, reply) => {
    await askDatabase()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function showProcess(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'backstock_memory_bytes',
    help: 'Memory of the process.',
    labelNames: ['kind'],
    registers,
    collect() {
      const { rss, heapUsed, external } = process.memoryUsage()
      this.set({ kind: 'resident' }, rss)
      this.set({ kind: 'heap_used' }, heapUsed)
      this.set({ kind: 'external' }, external)
    },
  })
  new Gauge({
    name: 'backstock_uptime_seconds',
    help: 'Since the process started.',
    registers,
    collect() {
      this.set(Math.round(process.uptime()))
    },
  })
  new Gauge({
    name: 'backstock_open_files',
    help: 'Files and connections that the process has open.',
    registers,
    collect() {
      // Only Linux tells, and only if there is room for one more.
      try {
        this.set(readdirSync('/proc/self/fd').length)
      } catch {
        this.remove()
      }
    },
  })
}

function showLoop(app: App): void {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  loop.enable()
  app.addHook('onClose', async () => void loop.disable())
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1000)
  new Gauge({
    name: 'backstock_event_loop_lag_seconds',
    help: 'How late the process was since the last time this was asked.',
    labelNames: ['quantile'],
    registers: [app.metrics],
    collect() {
      this.set({ quantile: 0.5 }, lag(loop.percentile(50)))
      this.set({ quantile: 0.99 }, lag(loop.percentile(99)))
      this.set({ quantile: 1 }, lag(loop.max))
      loop.reset()
    },
  })
}

function showPools(registry: Registry, db: Database): void {
  new Gauge({
    name: 'backstock_pool_connections',
    help: 'Connections to the database: open, free, and requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, figures] of Object.entries(db.figures()))
        for (const [state, value] of Object.entries(figures)) this.set({ pool, state }, value)
    },
  })
}

/** The route as it is written, so that an id in an address makes no metric of its own. */
function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (request.is404 || !url) return 'none'
  return /^\/(api\/|healthz$|readyz$|metrics$)/.test(url) ? url : 'screens'
}

function countRequests(app: App): void {
  const registers = [app.metrics]
  const answers = new Counter({
    name: 'backstock_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'backstock_http_request_duration_seconds',
    help: 'From a request to the end of its answer.',
    labelNames: ['method', 'route'],
    registers,
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: routeOf(request) }
    answers.inc({ ...labels, status: reply.statusCode })
    durations.observe(labels, reply.elapsedTime / 1000)
  })
}

/** Registers `showFigures`. Call the returned function before the figures are read. */
function databaseFigures(app: App, db: Database): () => Promise<void> {
  const registers = [app.metrics]
  const selects: RawBuilder<unknown>[] = []
  const gauges = new Map<string, Gauge>()
  app.decorate('showFigures', ({ helps, select }) => {
    selects.push(sql`(${select}) ${sql.id(`area_${selects.length}`)}`)
    for (const [name, help] of Object.entries(helps))
      gauges.set(name, new Gauge({ name: `backstock_${name}`, help, registers }))
  })
  const up = new Gauge({ name: 'backstock_database_up', help: 'Whether the database answered.', registers })

  async function ask(): Promise<void> {
    const query = sql<Record<string, number>>`select * from ${sql.join(selects)}`.execute(db.read)
    const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, DATABASE_MS, undefined).unref())
    const answer = await Promise.race([query.catch(() => undefined), tooLate])
    up.set(answer ? 1 : 0)
    const figures = answer && single(answer.rows)
    for (const [name, gauge] of gauges) {
      const figure = figures?.[name]
      if (figure === undefined) gauge.remove()
      else gauge.set(figure)
    }
  }

  let asked = Number.NEGATIVE_INFINITY
  let answered = Promise.resolve()
  return () => {
    if (performance.now() - asked >= FRESH_MS) {
      asked = performance.now()
      answered = ask()
    }
    return answered
  }
}
