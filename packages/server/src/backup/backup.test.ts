import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { buildApp } from '../app.ts'
import { connect } from '../db/connect.ts'
import { MIGRATION_LOCK, readMigrations } from '../db/migrate.ts'
import { type Client, logIn, PASSWORD, testApp } from '../testing/app.ts'
import { importCsv } from '../testing/csv-upload.ts'
import { type TestDatabase, testClient, testDatabase } from '../testing/database.ts'
import { makePartner } from '../testing/partner.ts'
import { batchOf, newImei, openShop, runSaleJobs, type Shop, stockItems } from '../testing/shop.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

type Connection = TestDatabase['connection']

/** The tables that no backup contains as tables. */
const LEFT_OUT = ['session', 'login_device', 'worker', 'job_death', 'import_judgement', 'throttle', 'migration']
const AWKWARD = '\\.\n\\N\t"Łódź" \\\\x41 \r\n;\u0001 €🙂'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let folder: string
/** The backup that was made while others wrote. */
let file: string
/** The content of the database when the backup began. */
let before: Record<string, string[]>
let waitingSale: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'backstock-backup-'))
  t = await testApp()
  await trade()
  before = await contentOf(t.connection as Connection)
  file = await backUpWhileOthersWrite()
})
afterAll(async () => {
  await t.close()
  await rm(folder, { recursive: true })
})

/**
 * Makes some of everything: an import with failed rows, a batch, a sale with documents and mail, and a sale whose jobs
 * still wait.
 */
async function trade(): Promise<void> {
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  await admin.post('/api/supplier/create', { company_name: AWKWARD, first_name: '' })
  await makePartner(t.app, admin, shop.customer)
  await importCsv(t, admin, {
    csv: `imei;make;model;category;purchase_price;grading_screen;box\n${newImei()};Nokia;3310;Phone;12,50;A;yes\n1;Nokia;3310;Phone;1;;\n`,
    delimeter: ';',
    update_existing: '0',
  })
  await batchOf(t.db, shop, admin.id, 5)
  const [edited] = await stockItems(t.db, shop, 500)
  await admin.post(`/api/stock/${edited}/edit`, { engineer_notes: AWKWARD, sales_price: 12_345 })
  await sell()
  await runSaleJobs(t, folder)
  waitingSale = await sell()
  // A worker has begun the last attempt of a job. If the worker is gone, a restored shop must do this job.
  await t.db.pool.query(`update graphile_worker._private_jobs set attempts = max_attempts, locked_at = now(),
    locked_by = 'a worker' where id = (select min(id) from graphile_worker._private_jobs)`)
}

async function sell(): Promise<number> {
  const items = await stockItems(t.db, shop, 3, { vat_id: shop.vat.standard })
  const answer = await admin.post(
    '/api/sale/create',
    { stock_items: items.map((id) => ({ id })), customer_id: shop.customer },
    { 'idempotency-key': randomBytes(8).toString('hex') },
  )
  expect(answer.status).toBe(201)
  return answer.body.data.id
}

/**
 * Makes a backup while a lock on one table makes it wait. The backup has already taken its snapshot then. While it
 * waits, this function makes a sale, edits an item and deletes a record.
 */
async function backUpWhileOthersWrite(): Promise<string> {
  const colour = (await admin.post('/api/colour/create', { name: 'Gone soon' })).body.data.id
  before = await contentOf(t.connection as Connection)
  const blocker = testClient(t.connection)
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('lock table partner_key in access exclusive mode')
  const written = writeBackup(t.connection, folder)
  const waiting = `select from pg_locks where not granted and relation = 'partner_key'::regclass
    and database = (select oid from pg_database where datname = current_database())`
  await vi.waitFor(async () => expect((await blocker.query(waiting)).rows).toHaveLength(1), { timeout: 60_000 })
  // No migration begins before the backup has all its locks. One that did would alter tables that are not read yet.
  const migrates = await blocker.query('select pg_try_advisory_lock($1) as "isFree"', [MIGRATION_LOCK])
  expect(migrates.rows).toEqual([{ isFree: false }])
  await sell()
  const [item] = await stockItems(t.db, shop, 300)
  expect((await admin.post(`/api/stock/${item}/edit`, { sales_price: 1 })).status).toBe(200)
  expect((await admin.delete(`/api/colour/${colour}/delete`)).status).toBe(200)
  await blocker.query('commit')
  await blocker.end()
  return (await written).file
}

/** All rows of all tables with all columns, generated ones included, and the jobs. */
async function contentOf(connection: Connection): Promise<Record<string, string[]>> {
  const client = testClient(connection)
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const content: Record<string, string[]> = {}
    for (const { name } of tables.rows.filter((table) => !LEFT_OUT.includes(table.name))) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      content[name] = rows.map(({ row }) => row).sort()
    }
    const jobs = await client.query<{ row: string }>(
      `select (t.identifier, j.payload::text, q.queue_name, j.run_at, j.max_attempts, j.priority, j.key)::text as row
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       left join graphile_worker._private_job_queues q on q.id = j.job_queue_id`,
    )
    content['jobs'] = jobs.rows.map(({ row }) => row).sort()
    return content
  } finally {
    await client.end()
  }
}

/** A database in which Backstock has never run. Its user is no superuser. */
async function bareDatabase(): Promise<{ connection: Connection; drop(): Promise<void> }> {
  const { host, port, user } = inject('cluster')
  const name = `bare_${randomBytes(6).toString('hex')}`
  const root = testClient({ host, port, user, ssl: false, database: 'postgres' })
  await root.connect()
  await root.query(`create role ${name} login nosuperuser`)
  await root.query(`create database ${name} owner ${name}`)
  return {
    connection: { host, port, ssl: false, user: name, database: name },
    async drop() {
      await root.query(`drop database ${name} with (force)`)
      await root.query(`drop role ${name}`)
      await root.end()
    },
  }
}

async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = testClient(connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a backup made while others write holds one moment, and comes back row for row, ready to work on', async () => {
  expect(path.basename(file)).toMatch(/^backstock-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.bsb$/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([])

  const target = await bareDatabase()
  const restored = await restoreBackup(target.connection, file)
  const after = await contentOf(target.connection)
  expect(after).toEqual(before)
  for (const table of [
    'app_user',
    'file_chunk',
    'import_error',
    'document',
    'jobs',
    'log',
    'partner_key',
    'stock_move',
  ])
    expect(before[table]?.length, table).toBeGreaterThan(0)
  expect(restored.rows).toBe(Object.values(before).flat().length)
  expect(await query(target.connection, 'select from session union all select from login_device')).toHaveLength(0)
  expect(await query(target.connection, `select from pg_trigger where tgenabled <> 'O'`)).toHaveLength(0)
  // PostgreSQL knows the restored rows, so that the first requests are not slow.
  expect(await query(target.connection, `select from pg_stats where tablename = 'stock'`)).not.toHaveLength(0)
  const shape = `select conrelid::regclass::text as t, conname, convalidated, pg_get_constraintdef(oid) as def from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`
  expect(await query(target.connection, shape)).toEqual(await query(t.connection as Connection, shape))

  // People can log in again and work: ids, triggers and waiting jobs are right.
  const db = connect(target.connection)
  const app = await buildApp(t.config, db)
  try {
    const client = await logIn(app, admin.id, admin.email, PASSWORD)
    expect((await client.post('/api/colour/create', { name: 'Red' })).status).toBe(201)
    expect((await client.get('/api/stock/find?status=In Stock')).body.total).toBe(
      Number((await query(target.connection, `select count(*) from stock where status = 'In Stock'`))[0]?.['count']),
    )
    await runSaleJobs({ db, config: t.config, connection: target.connection }, `${folder}/restored`)
    const [sale] = (await client.get(`/api/sale/find?id=${waitingSale}`)).body.data
    expect(sale).toMatchObject({ invoice_status: 'ready', email_sent: true })
    await expect(db.pool.query('delete from log')).rejects.toThrow('never changed or deleted')
  } finally {
    await app.close()
    await db.close()
  }

  const full = await contentOf(target.connection)
  await expect(restoreBackup(target.connection, file)).rejects.toThrow(/The database has data already \(.*app_user/)
  expect(await contentOf(target.connection)).toEqual(full)
  await target.drop()
})

test('a file that is not as it was written is refused, and nothing of it stays', async () => {
  const target = await testDatabase()
  const empty = await contentOf(target.connection)
  const good = await readFile(file)
  const unpacked = zstdDecompressSync(good)
  const at = unpacked.indexOf('buyer@example.test')
  expect(at).toBeGreaterThan(0)
  const changed = (edit: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(unpacked)
    edit(bytes)
    return zstdCompressSync(bytes)
  }
  const bad: Record<string, Buffer> = {
    ...Object.fromEntries(
      [1, 2, 3].map((part) => {
        const position = Math.floor((good.length * part) / 4)
        return [`bit ${position}`, Buffer.from(good.map((byte, n) => (n === position ? byte ^ 1 : byte)))]
      }),
    ),
    'a tab too many': changed((bytes) => bytes.write('\t', at)),
    'a letter of a row': changed((bytes) => bytes.write('c', at)),
    'a letter of the header': changed((bytes) => bytes.write('2001', bytes.indexOf('taken_at') + 11)),
    'a length': changed((bytes) => bytes.writeUInt32BE(0xffff_ffff, 0)),
    'cut off': good.subarray(0, good.length - 100),
    'without its end': zstdCompressSync(unpacked.subarray(0, unpacked.lastIndexOf('{"end"') - 4)),
    'no backup': Buffer.from('PK not a backup'),
    empty: Buffer.alloc(0),
  }
  for (const [what, bytes] of Object.entries(bad)) {
    const path = `${folder}/bad.bsb`
    await writeFile(path, bytes)
    await expect(restoreBackup(target.connection, path), what).rejects.toThrow('is damaged, cut off, or no backup')
  }
  await expect(restoreBackup(target.connection, `${folder}/nowhere.bsb`)).rejects.toThrow('cannot be read')
  expect(await contentOf(target.connection)).toEqual(empty)

  await restoreBackup(target.connection, file)
  expect(await contentOf(target.connection)).toEqual(before)
  await target.drop()
})

test('an older backup is loaded as it was and migrated up; a newer or a foreign one is refused', async () => {
  const now = await readMigrations()
  const later = {
    name: '9998_shade.sql',
    sha256: 'f'.repeat(64),
    text: `alter table colour add column shade text; update colour set shade = 'plain'; insert into colour (name) values ('New')`,
  }
  const target = await bareDatabase()
  await expect(writeBackup(target.connection, `${folder}/none.bsb`)).rejects.toThrow(
    'There is no Backstock in this database.',
  )
  // The database of another program stays as it is.
  await query(
    target.connection,
    'create table work as select 1; create table thing as table work; create table idle ()',
  )
  await expect(restoreBackup(target.connection, file)).rejects.toThrow(
    'The database has data already (thing, work). Restore into an empty one.',
  )
  const there = `select relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema') order by 1`
  expect(await query(target.connection, there)).toEqual([{ name: 'idle' }, { name: 'thing' }, { name: 'work' }])
  await query(target.connection, 'drop table idle, thing, work')
  await restoreBackup(target.connection, file, [...now, later])
  const colours = before['colour']!.length
  expect(await query(target.connection, `select from colour where shade = 'plain'`)).toHaveLength(colours)
  expect(await query(target.connection, 'select from colour')).toHaveLength(colours + 1)

  const newer = (await writeBackup(target.connection, `${folder}/newer.bsb`)).file
  await target.drop()
  const another = await testDatabase()
  await expect(restoreBackup(another.connection, newer)).rejects.toThrow(
    'newer than this version of Backstock: it has 9998_shade.sql',
  )
  const edited = now.map((migration) => ({ ...migration, sha256: '0'.repeat(64) }))
  await expect(restoreBackup(another.connection, file, edited)).rejects.toThrow(`another ${now[0]!.name}`)
  const between = now.toSpliced(1, 0, later)
  await expect(restoreBackup(another.connection, file, between)).rejects.toThrow(`another ${now[1]!.name}`)
  await query(another.connection, 'alter table colour add column shade text')
  await expect(restoreBackup(another.connection, file)).rejects.toThrow(
    "The backup's table colour has other columns than in this version. Nothing was restored.",
  )
  await query(another.connection, `insert into migration (name, sha256) values ('9998_shade.sql', '')`)
  await expect(restoreBackup(another.connection, file, [...now, later])).rejects.toThrow(
    'The database is newer than the backup: it has 9998_shade.sql',
  )
  await another.drop()
})

test('a backup removes what killed ones have left, and nothing that is still being written', async () => {
  const source = await testDatabase()
  const home = await mkdtemp(path.join(folder, 'partial-'))
  const script = `
    const { writeBackup } = await import(${JSON.stringify(path.join(import.meta.dirname, 'write-backup.ts'))})
    await writeBackup(${JSON.stringify(source.connection)}, ${JSON.stringify(home)})`
  const partials = async () => (await readdir(home)).filter((name) => name.endsWith('.partial')).sort()
  // The table is so large that the backup is killed in the middle of its work.
  await query(source.connection, 'create table zz_long (id int primary key, text text)')
  await query(
    source.connection,
    'insert into zz_long select n, repeat(md5(n::text), 100) from generate_series(1, 30000) n',
  )
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  await vi.waitFor(async () => expect(await partials()).toHaveLength(1), { timeout: 60_000, interval: 5 })
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect(await partials()).toHaveLength(1)
  const others = [
    'holiday.mp4.1.partial',
    'notes.partial',
    `backstock-backup-2026-11-21T10-00-00Z.bsb.elsewhere.1.partial`,
  ]
  for (const name of others) await writeFile(`${home}/${name}`, '')
  const old = `backstock-backup-2026-11-20T10-00-00Z.bsb.elsewhere.1.partial`
  const here = (pid: number) =>
    `backstock-backup-2026-11-21T10-00-00Z.bsb.${os.hostname().replace(/[^\w-]/g, '-')}.${pid}.partial`
  const ours = here(process.ppid)
  // A container that starts anew repeats the ids of its processes, so an earlier process had our own.
  const earlier = here(process.pid)
  for (const name of [old, ours, earlier]) await writeFile(`${home}/${name}`, '')
  // The disk may have another clock than this machine, so the times are set.
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (const name of [...others, ours, earlier]) await utimes(`${home}/${name}`, minutesAgo(50), minutesAgo(50))
  await utimes(`${home}/${old}`, minutesAgo(70), minutesAgo(70))

  await writeBackup(source.connection, home)
  expect(await partials()).toEqual([...others, ours].sort())
  // Stopped by its own process, it leaves nothing.
  const stopping = new AbortController()
  const stopped = expect(writeBackup(source.connection, home, stopping.signal)).rejects.toThrow('Enough.')
  await vi.waitFor(async () => expect(await partials()).toHaveLength(others.length + 2), {
    timeout: 60_000,
    interval: 5,
  })
  stopping.abort(new Error('Enough.'))
  await stopped
  expect(await partials()).toEqual([...others, ours].sort())
  // So does the command, which says that it was stopped.
  const command = path.join(import.meta.dirname, '../commands/backup.ts')
  const env = { ...process.env, DATABASE_URL: source.url }
  const ended = promisify(execFile)(process.execPath, [command, home], { env })
  const told = expect(ended).rejects.toMatchObject({ code: 1, stderr: 'Stopped: no backup was written.\n' })
  await vi.waitFor(async () => expect(await partials()).toHaveLength(others.length + 2), {
    timeout: 60_000,
    interval: 5,
  })
  ended.child.kill('SIGTERM')
  await told
  expect(await partials()).toEqual([...others, ours].sort())
  if (process.platform === 'linux')
    await expect(writeBackup(source.connection, '/proc/a.bsb')).rejects.toThrow('/proc/a.bsb cannot be written: ENOENT')
  await source.drop()
})

test('both are one command each, with one line to say', async () => {
  const run = async (script: string, url: string, ...rest: string[]) => {
    const command = path.join(import.meta.dirname, '..', script)
    const env = { ...process.env, DATABASE_URL: url }
    return promisify(execFile)(process.execPath, [command, ...rest], { env })
  }
  const source = await testDatabase()
  const target = await testDatabase()
  await query(source.connection, `insert into colour (name) values ('Red')`)
  const written = `${folder}/one/by-command.bsb`
  expect((await run('commands/backup.ts', source.url, written)).stdout).toMatch(
    /^Backed up 22 rows of \d+ tables to .*\n$/,
  )
  expect((await run('commands/restore.ts', target.url, written)).stdout).toMatch(
    /^Restored 22 rows of \d+ tables as of .*\n$/,
  )
  const again = run('commands/restore.ts', target.url, written)
  await expect(again).rejects.toMatchObject({
    code: 1,
    stderr: 'The database has data already (colour). Restore into an empty one.\n',
  })
  for (const [command, how] of [
    ['restore', 'Name the backup: npm run restore -- FILE'],
    ['reset-password', 'Name the account: npm run reset-password -- EMAIL'],
  ])
    await expect(run(`commands/${command}.ts`, target.url)).rejects.toMatchObject({ code: 1, stderr: `${how}\n` })
  await source.drop()
  await target.drop()
})
