import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from '../app.ts'
import { columnJobs } from '../areas/further-column.ts'
import { importGiveUps } from '../areas/import/broken-off.ts'
import { importJobs } from '../areas/import/jobs.ts'
import { saleGiveUps, saleJobs } from '../areas/sale/jobs.ts'
import { type Config, ConfigError } from '../config.ts'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { requestsInFlight } from '../http/in-flight.ts'
import type { JobServices } from '../jobs.ts'
import { giveUpJobs } from '../worker/give-up.ts'
import { tidyJobs } from '../worker/tidy.ts'
import { startWorker } from '../worker/worker.ts'
import { firstAdministrator } from './first-administrator.ts'
import type { OpenDatabase } from './open-database.ts'
import { loadSample } from './sample/load-sample.ts'

/** From the signal to stop: requests and jobs have so long to end, and the process is gone by then. */
const FINISH_MS = 7000
const GONE_MS = 8500
/**
 * How many connections may wait to be accepted, if the system allows as many. When more come at once, as after an
 * outage, some are lost and tried again only after seconds. Node's own number is 511.
 */
const BACKLOG = 4096
/** How long the connections to the database get to close if requests had to be cut off. */
const CLOSE_MS = 500

const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

type Serving = {
  address: string
  /** Ends requests, jobs and the database; tells whether all of it ended well and in time. */
  stop: () => Promise<boolean>
}

/** Brings the database up to this version, and serves and works on it. */
export async function serve(
  config: Config,
  dataDir: string,
  database: OpenDatabase,
  say: (line: string) => void,
): Promise<Serving> {
  const { connection } = database
  await migrate(connection)
  const db = connect(connection)
  const login = await firstAdministrator(db, config)
  if (login) say(`Log in as ${login.email} with the password ${login.password}`)
  if (await loadSample(db, config)) say('Loaded the sample data')
  const app = await buildApp(config, db)
  const requests = requestsInFlight(app.server)
  // Before the worker: if the port is taken, no job is begun and broken off.
  await namingHost(app.listen({ port: config.port, host: config.host, backlog: BACKLOG }))
  const services: JobServices = { db, config, dataDir, log: app.log }
  const worker = await startWorker(
    services,
    {
      ...importJobs(services, app.pace),
      ...columnJobs(services),
      ...saleJobs(services),
      ...tidyJobs(services),
      ...giveUpJobs(services, { ...importGiveUps, ...saleGiveUps(services) }, app.metrics),
    },
    connection,
  )
  const { port } = app.server.address() as AddressInfo

  const stop = async () => {
    const began = performance.now()
    const left = (until: number) => began + until - performance.now()
    const inTime = (work: Promise<unknown>, ms: number, what: string) => endsInTime(work, ms, what, app.log)
    const jobsEnd = worker.stop()
    const closing = app.close()
    requests.finish()
    const answered = await inTime(closing, left(FINISH_MS), 'some requests')
    const cutOff = requests.cutOff()
    if (cutOff.length) app.log.error({ requests: cutOff }, 'stopping: cut off requests without an answer')
    await jobsEnd
    const closed = await inTime(db.close(), Math.max(CLOSE_MS, left(FINISH_MS)), 'the connections to the database')
    const stopped = await inTime(database.stop(), left(GONE_MS), 'the database')
    return answered && closed && stopped
  }
  const address = config.publicUrl ?? `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`
  return { address, stop }
}

/** Whether a part has stopped without an error and in time; the log names one that has not. */
async function endsInTime(work: Promise<unknown>, ms: number, what: string, log: FastifyBaseLogger): Promise<boolean> {
  const late = delay(Math.max(0, ms), 'late' as const, { ref: false })
  try {
    if ((await Promise.race([work, late])) !== 'late') return true
    log.warn(`stopping: ${what} did not end in time`)
  } catch (error) {
    log.error({ err: error }, `stopping: ${what}`)
  }
  return false
}

/** Says that HOST is no address of this computer, if listening fails for that. */
async function namingHost(listening: Promise<unknown>): Promise<void> {
  try {
    await listening
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_ADDRESS.has(String(error.code)))
      throw new ConfigError(`HOST leads nowhere: ${error.message}`)
    throw error
  }
}
