import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeTemplate, type TestDatabase, testDatabase } from './database.ts'
import { QUICK_HASH } from './quick-hash.ts'
import { ADMIN } from './sample-admin.ts'

const TEMPLATE = 'template_sample'

/**
 * A database with the sample shop and its administrator, as after a first start whose invoices are made. It is a copy
 * of a database that is filled once in a run, while the tests of the server run: the journeys find it there.
 */
export async function sampleDatabase(): Promise<TestDatabase> {
  await makeTemplate(TEMPLATE, fill)
  return testDatabase(TEMPLATE)
}

async function fill({ connection, query }: TestDatabase): Promise<void> {
  // Loaded here because only the first file of a run needs them.
  const [
    { default: Fastify },
    { readConfig },
    { connect },
    { newPace },
    { importJobs },
    { firstAdministrator },
    { loadSample },
    { runSaleJobs },
  ] = await Promise.all([
    import('fastify'),
    import('../config.ts'),
    import('../db/connect.ts'),
    import('../http/pace.ts'),
    import('../areas/import/jobs.ts'),
    import('../start/first-administrator.ts'),
    import('../start/sample/load-sample.ts'),
    import('./shop.ts'),
  ])
  const config = readConfig({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password })
  const db = connect(connection)
  try {
    await firstAdministrator(db, config)
    if (!(await loadSample(db, config))) throw new Error('The sample data was not loaded')
    // Makes all invoices now, so that the servers of the test files need not. Some jobs are scheduled for later.
    await query(`
      select graphile_worker.reschedule_jobs(array_agg(id), now()) from graphile_worker.jobs where run_at > now()`)
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'backstock-sample-'))
    const { log } = Fastify()
    // The imports of the sample shop are done already, so these jobs find nothing to do.
    const imports = importJobs({ db, config, dataDir, log }, newPace())
    await runSaleJobs({ db, config, connection }, dataDir, imports)
    rmSync(dataDir, { recursive: true, force: true })
    const { rows } = await query('select task_identifier, run_at, last_error from graphile_worker.jobs')
    if (rows.length) throw new Error(`The sample shop still has jobs to do: ${JSON.stringify(rows)}`)
  } finally {
    await db.close()
  }
  await query('update app_user set password_hash = $1', [QUICK_HASH])
}
