import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from '../app.ts'
import { columnJobs } from '../areas/further-column.ts'
import { importGiveUps } from '../areas/import/broken-off.ts'
import { importJobs } from '../areas/import/jobs.ts'
import { receiptGiveUps, receiptJobs } from '../areas/purchase-receipt/render.ts'
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

/** After the signal to stop, requests and jobs have `FINISH_MS` to end; after `GONE_MS` the process has ended. */
const FINISH_MS = 7000
const GONE_MS = 8500
/**
 * The number of connections that may wait to be accepted, if the system allows as many. If more come at once, as after
 * an outage, some are lost, and clients try again only after seconds. Node's default is 511.
 */
const BACKLOG = 4096
/** The time that the connections to the database have to close, if requests had to be cut off. */
const CLOSE_MS = 500

const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

type Serving = {
  address: string
  /** Ends requests, jobs and the database. Returns whether everything ended well and in time. */
  stop: () => Promise<boolean>
}

/** Brings the database to this version, answers requests, and runs jobs. */
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
  // Listening comes before the worker: if the port is taken, no job has begun that would be interrupted.
  await namingHost(app.listen({ port: config.port, host: config.host, backlog: BACKLOG }))
  const services: JobServices = { db, config, dataDir, log: app.log }
  const worker = await startWorker(
    services,
    {
      ...importJobs(services, app.pace),
      ...columnJobs(services),
      ...saleJobs(services),
      ...receiptJobs(services),
      ...tidyJobs(services),
      ...giveUpJobs(services, { ...importGiveUps, ...saleGiveUps(services), ...receiptGiveUps }, app.metrics),
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

/** Whether work ends without an error and in time. If it does not, the log names it. */
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

/** Rejects with a message about HOST if listening fails because HOST is no address of this computer. */
async function namingHost(listening: Promise<unknown>): Promise<void> {
  try {
    await listening
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_ADDRESS.has(String(error.code)))
      throw new ConfigError(`HOST leads nowhere: ${error.message}`)
    throw error
  }
}
