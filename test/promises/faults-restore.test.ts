import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '../../packages/server/src/db/embedded.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { importCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { batchOf, runSaleJobs } from '../../packages/server/src/testing/shop.ts'
import { imeiOf } from '../cluster/shop.ts'
import { newDataDir, project, removeDataDir } from '../journeys/running-server.ts'
import { reached, turns } from './figures.ts'
import { closeSound, promiseShop, range } from './shop.ts'

// Promise F9 of docs/promises.md: a backup is restored into an empty folder.

/** Tables that belong to processes and browsers, and not to the shop's data. */
const LEFT_OUT = ['session', 'login_device', 'worker', 'throttle', 'migration']

const folder = newDataDir()
afterAll(() => removeDataDir(folder))

const run = (script: string, args: string[], environment: Record<string, string>) =>
  promisify(execFile)(process.execPath, [path.join(project, 'packages/server/src', script), ...args], {
    env: { ...process.env, ...environment },
  })

/** The number of rows of each table, and a checksum of them. */
async function contentOf(connection: pg.ClientConfig): Promise<Record<string, { n: number; sum: string }>> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const content: Record<string, { n: number; sum: string }> = {}
    for (const { name } of tables.rows.filter((table) => !LEFT_OUT.includes(table.name))) {
      const { rows } = await client.query(
        `select count(*)::int as n, md5(string_agg(row, e'\\n' order by row collate "C")) as sum from (select t::text as row from ${name} t) t`,
      )
      content[name] = rows[0]
    }
    return content
  } finally {
    await client.end()
  }
}

test('F9: a backup restored into an empty folder is the same shop', { timeout: 600_000 }, async () => {
  const t = await promiseShop()
  const admin = await t.user('ROLE_ADMIN')
  const phones = turns(2000, 100_000)
  const rows = range(phones).map((n) => `${imeiOf(n)},Apple,iPhone 13,249.90,A`)
  await importCsv(t, admin, { csv: ['imei,make,model,purchase_price,grading_screen', ...rows, '1,a,b,1,'].join('\n') })
  await batchOf(t.db, t.shop, admin.id, 5)
  await t.sell(admin, await t.items(3), { create_invoice: true, create_excel: true, send_email: true })
  await runSaleJobs(t, folder)
  await t.sell(admin, await t.items(3), { create_invoice: true, send_email: true })
  const before = await contentOf(t.connection)
  const { host, port, user, database } = t.connection
  const url = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host!)}`
  const file = `${folder}/shop.bsb`
  await run('commands/backup.ts', [file], { DATABASE_URL: url })
  await closeSound(t)

  const home = `${folder}/restored`
  await run('commands/restore.ts', [file], { DATA_DIR: home, DATABASE_URL: '' })
  const embedded = await startEmbedded({ home, project })
  expect(await contentOf(embedded)).toEqual(before)
  expect((await contradictionsIn(embedded)).filter(({ what }) => what !== 'no administrator is left')).toEqual([])
  await embedded.stop()
  const all = Object.values(before)
  reached(
    'F9',
    `${all.length} tables, ${all.reduce((sum, { n }) => sum + n, 0)} rows: every one equal`,
    'every table equal',
  )
})
