import Fastify from 'fastify'
import { importGiveUps } from '../areas/import/broken-off.ts'
import { importJobs } from '../areas/import/jobs.ts'
import { receiptGiveUps, receiptJobs } from '../areas/purchase-receipt/render.ts'
import { saleGiveUps, saleJobs } from '../areas/sale/jobs.ts'
import { readConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { newPace } from '../http/pace.ts'
import { giveUpJobs } from '../worker/give-up.ts'
import { tidyJobs } from '../worker/tidy.ts'
import { startWorker } from '../worker/worker.ts'

// A program that runs jobs on DATABASE_URL in a process of its own, so that tests can kill it.
const config = readConfig()
const connection = { connectionString: config.databaseUrl! }
const { log } = Fastify({ logger: { level: config.logLevel } })
const services = { db: connect(connection), config, dataDir: config.dataDir ?? '', log }
await startWorker(
  services,
  {
    ...importJobs(services, newPace()),
    ...saleJobs(services),
    ...receiptJobs(services),
    ...tidyJobs(services),
    ...giveUpJobs(services, { ...importGiveUps, ...saleGiveUps(services), ...receiptGiveUps }),
  },
  connection,
)
