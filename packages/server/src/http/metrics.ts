import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/connect.ts'
import { single } from '../lists.ts'
import type { App } from './typed-routes.ts'

/** The least time between two questions to the database, however many requests come. */
const FRESH_MS = 5000
/** The time after which the figures are sent without those of the database. */
const DATABASE_MS = 2000
const LOOP_RESOLUTION_MS = 20

/** The figures of an area: the meaning of each, and SQL for one row that has them as columns of these names. */
export type Figures = { helps: Record<string, string>; select: RawBuilder<unknown> }

declare module 'fastify' {
  interface FastifyInstance {
    /** The figures that this process counts. Their names begin with `backstock_`. */
    metrics: Registry
    /** Adds the figures of an area. Their names are given without `backstock_`. */
    showFigures(figures: Figures): void
  }
}

/**
 * The route `GET /metrics`: figures for monitoring in the text format of Prometheus. They are only numbers and not
 * about people, but they tell how busy the shop is, so the path must not be reachable from outside.
 * `docs/operations.md` explains each figure.
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
      // The number of open files. Only Linux gives this number, and only if the process can open one more file.
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

/** The route as it was registered, so that an id in an address does not make a figure of its own. */
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

/** Registers `showFigures`. The function that it returns must be called before the figures are read. */
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
