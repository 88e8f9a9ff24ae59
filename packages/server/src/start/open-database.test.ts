import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { testDatabase } from '../testing/database.ts'
import { openDatabase } from './open-database.ts'

/** An address at which nothing listens. */
const NOWHERE = '127.0.0.1:1'
const project = path.resolve(import.meta.dirname, '../../../..')

/** The message for a database that cannot be reached at this address. */
async function refusalOf(DATABASE_URL: string): Promise<string> {
  try {
    await openDatabase(readConfig({ DATABASE_URL }), () => undefined)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

test('a database that cannot be reached is named by its variable, with the reason', async () => {
  expect(await refusalOf(`postgresql://ada:secret@${NOWHERE}/shop`)).toBe(
    'DATABASE_URL leads nowhere: connect ECONNREFUSED 127.0.0.1:1',
  )
  expect(await refusalOf('postgresql://ada:secret@nowhere.invalid/shop')).toMatch(/^DATABASE_URL .*nowhere\.invalid/)
  expect(await refusalOf(`postgresql://ada:secret@${NOWHERE},127.0.0.1:2/shop`)).toMatch(
    /DATABASE_URL .*127\.0\.0\.1:2/,
  )
  expect(await refusalOf(`postgresql://ada:%E9@${NOWHERE}/shop`)).toBe(
    'DATABASE_URL cannot be read: in a password write % as %25',
  )
})

test('one server that does not tell its timeline is served by, of several it is named with the reason', async () => {
  const database = await testDatabase()
  const { user, database: name } = database.connection
  try {
    await database.query(`
      create schema hosted;
      create function hosted.pg_current_wal_lsn() returns pg_lsn language plpgsql as $$
        begin raise 'wal_level must be set to logical' using errcode = '55000'; end $$;
      alter role ${user} in database ${name} set search_path = hosted, pg_catalog, public`)
    const lines: string[] = []
    const config = readConfig({ DATABASE_URL: database.url })
    const { connection, stop } = await openDatabase(config, (line) => lines.push(line))
    const db = connect(connection)
    expect((await db.pool.query('select count(*)::int as n from migration')).rows[0].n).toBeGreaterThan(0)
    await db.close()
    await stop()
    expect(lines).toEqual([expect.stringContaining('does not tell its timeline (wal_level must be set to logical)')])

    const [, start = '', rest = ''] = /^(.*@)[^/]*(.*)$/.exec(database.url) ?? []
    expect(await refusalOf(`${start}localhost:5432,localhost:1${rest}`)).toMatch(
      /takes writes: .*:5432 \(wal_level must be set to logical\), .*:1 \(.*ENOENT.*\)$/,
    )
  } finally {
    await database.drop()
  }
})

test('a standby is refused by its name, and no connection for questions stays open at a server that is left', async () => {
  const database = await testDatabase()
  const { user, database: name } = database.connection
  const asking = `select from pg_stat_activity where datname = '${name}' and application_name = 'backstock watch'`
  const isLeft = () =>
    vi.waitFor(async () => expect((await database.query(asking)).rowCount).toBe(0), { timeout: 60_000, interval: 20 })
  try {
    const { stop } = await openDatabase(readConfig({ DATABASE_URL: database.url }), () => undefined)
    expect((await database.query(asking)).rowCount).toBe(1)
    await stop()
    await isLeft()
    await database.query(`
      create schema standby;
      create function standby.pg_is_in_recovery() returns boolean return true;
      alter role ${user} in database ${name} set search_path = standby, pg_catalog, public`)
    expect(await refusalOf(database.url)).toMatch(
      /^None of the servers in DATABASE_URL takes writes: .* \(a standby\)$/,
    )
    await isLeft()
  } finally {
    await database.drop()
  }
})

test('no part of a password is told, whatever characters it has and however it is written', async () => {
  const part = fc.constantFrom('zqv7', 'wxk9', '4711', 'jyf')
  const special = fc.constantFrom(...'@/:?#%,[]\\&=+ ;|^"')
  const password = fc.array(fc.oneof(part, special), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
  const hosts = fc.constantFrom(NOWHERE, `${NOWHERE},127.0.0.1:2`)
  await fc.assert(
    fc.asyncProperty(password, hosts, fc.boolean(), async (secret, host, isEscaped) => {
      const written = isEscaped ? encodeURIComponent(secret) : secret
      const message = await refusalOf(`postgresql://ada:${written}@${host}/shop`)
      expect(message).toMatch(/DATABASE_URL/)
      expect(message.toLowerCase()).not.toMatch(/zqv7|wxk9|4711|jyf/)
    }),
    { numRuns: 200 },
  )
})

test('a server that cannot listen says why, after the first login, and stops the database that it has started', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  // The name is like those of cluster.ts, so that the next run removes the folder if this run is killed.
  const home = fs.mkdtempSync(path.join(os.tmpdir(), `backstock-test-${process.pid}-`))
  fs.chmodSync(home, 0o755)
  try {
    const env = { ...process.env, DATABASE_URL: '', DATA_DIR: home, HOST: '127.0.0.1', PORT: String(port) }
    const running = promisify(execFile)(process.execPath, ['packages/server/src/main.ts'], { cwd: project, env })
    await expect(running).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Log in as admin@backstock\.test with the password \S{12,}$/m),
      stderr: 'Backstock cannot start: another program listens on this PORT already. Set PORT to another number.\n',
    })
    expect(fs.readdirSync(`${home}/pg18`)).toContain('PG_VERSION')
    expect(fs.readdirSync(`${home}/pg18`)).not.toContain('postmaster.pid')
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
    other.close()
  }
})

test.each([
  'main.ts',
  'commands/backup.ts',
  'commands/restore.ts',
  'commands/check-data.ts',
  'commands/reset-password.ts',
])('%s says so in one line and ends', async (command) => {
  const environment = { ...process.env, DATABASE_URL: `postgresql://ada:zqv7@wxk9@${NOWHERE}/shop` }
  const running = promisify(execFile)(process.execPath, [`packages/server/src/${command}`, 'a@b.test'], {
    cwd: project,
    env: environment,
  })
  const { code, stderr } = (await running.catch((error) => error)) as { code?: number; stderr: string }
  expect(code).toBeGreaterThan(0)
  expect(stderr.trim()).toMatch(/^[^\n]*DATABASE_URL leads nowhere: [^\n]*127\.0\.0\.1:1$/)
  expect(stderr).not.toMatch(/zqv7|wxk9/)
})
