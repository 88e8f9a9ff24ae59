import Fastify from 'fastify'
import { importJobs } from '../areas/import/jobs.ts'
import { saleJobs } from '../areas/sale/jobs.ts'
import { readConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { newPace } from '../http/pace.ts'
import { tidyJobs } from '../worker/tidy.ts'
import { startWorker } from '../worker/worker.ts'

// A process of its own that runs jobs on DATABASE_URL, for tests that kill it.
const config = readConfig()
const connection = { connectionString: config.databaseUrl! }
const { log } = Fastify({ logger: { level: config.logLevel } })
const services = { db: connect(connection), config, dataDir: config.dataDir ?? '', log }
await startWorker(
  services,
  { ...importJobs(services, newPace()), ...saleJobs(services), ...tidyJobs(services) },
  connection,
)
