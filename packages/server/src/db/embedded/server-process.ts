import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { removeStalePidFiles, serverPid } from './data-folder.ts'
import { digest } from './digest.ts'
import { EmbeddedError, postgresError } from './embedded-error.ts'
import { rotateLog } from './log-file.ts'
import { giveTo, makePrivateFolder } from './program-user.ts'
import { type ProgramUser, programOptions } from './run-program.ts'

/**
 * The address of the database. It names `port` and `ssl`, so that PGPORT and PGSSLMODE in the environment have no
 * effect.
 */
export type EmbeddedConnection = { host: string; port: number; ssl: false; user: string; database: string }

const START_LIMIT = 300_000
const STOP_LIMIT = 60_000
/** The most attempts to start. For a moment, the processes of a server that has ended still hold its shared memory. */
const TRIES = 30
/**
 * The longest folder of a socket, in bytes. The field sun_path holds 104 bytes on macOS and 108 on Linux, with the
 * socket's name.
 */
const LONGEST_SOCKET_FOLDER = 85

/**
 * The address of the database in this folder. The Unix socket is in the folder, or in /tmp if the folder's path is too
 * long or has unusual characters.
 */
export function connectionTo(data: string): EmbeddedConnection {
  const fits = Buffer.byteLength(data) < LONGEST_SOCKET_FOLDER && /^[\w/.+ -]+$/.test(data)
  const host = fits ? data : `/tmp/backstock-${process.getuid?.()}-${digest(data)}`
  return { host, port: 5432, ssl: false, user: 'backstock', database: 'postgres' }
}

/** Whether a server answers at this address (`up`), is starting or stopping (`busy`), or neither (`down`). */
export async function serverState(connection: EmbeddedConnection): Promise<'up' | 'busy' | 'down'> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 3000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'up'
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return 'down'
    return error.code === '57P03' ? 'busy' : 'up' // any other refusal proves that a server answers
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Starts the server on its data folder. Returns false if it was up already. The caller holds the start lock. */
export async function startServer(
  bin: string,
  data: string,
  user: ProgramUser,
  connection: EmbeddedConnection,
  settings: Record<string, string>,
): Promise<boolean> {
  if (connection.host !== data) makeSocketFolder(connection.host, user)
  const set = {
    listen_addresses: '',
    unix_socket_directories: connection.host,
    unix_socket_permissions: '0700',
    max_connections: '100',
    // There are few cores and many people, so one query must not use several cores.
    max_parallel_workers_per_gather: '0',
    // The application reports its own errors. The log must not contain people's data, so it has no statements, values
    // or rows of a COPY, not even in the details of a process that dies.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_checkpoints: 'off',
    ...settings,
  }
  const limit = Date.now() + START_LIMIT
  for (let tries = 1; Date.now() < limit; await sleep(200)) {
    const state = await serverState(connection)
    if (state === 'up') return false
    if (state === 'busy') continue
    await removeStalePidFiles(data, connection.host)
    const output = await launch(bin, data, user, connection, set)
    if (output === undefined) return true
    const passing = /shared memory block .* still in use|lock file .* already exists/.test(output)
    if (!passing || tries++ === TRIES) throw postgresError(output, path.dirname(data), logOf(data))
  }
  throw new EmbeddedError(`The embedded PostgreSQL in ${path.dirname(data)} is not ready yet: see ${logOf(data)}`)
}

/**
 * Stops the server on a data folder with all its connections, and waits until it is gone. The signal is sent at once,
 * because this process may have to end before a program such as `pg_ctl` has started. The caller holds the start lock.
 */
export async function stopServer(data: string): Promise<void> {
  const pid = await serverPid(data)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT') // a fast shutdown, as PostgreSQL calls it
  for (const limit = Date.now() + STOP_LIMIT; (await serverPid(data)) === pid && Date.now() < limit; await sleep(50));
}

export const logOf = (data: string) => `${path.dirname(data)}/postgres.log`

/**
 * Makes one attempt to start. Returns undefined if the server answers, else its output. The server's process outlives
 * ours, and a Ctrl-C in our terminal does not reach it.
 */
async function launch(
  bin: string,
  data: string,
  user: ProgramUser,
  connection: EmbeddedConnection,
  set: Record<string, string>,
): Promise<string | undefined> {
  const logFile = logOf(data)
  await rotateLog(logFile)
  const log = fs.openSync(logFile, 'a', 0o600)
  giveTo(logFile, user)
  const before = fs.fstatSync(log).size
  const server = spawn(
    `${bin}/postgres`,
    ['-D', data, ...Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...programOptions, ...user, detached: true, stdio: ['ignore', log, log] },
  )
  fs.closeSync(log)
  let ended: string | undefined
  server.on('error', (error) => {
    ended = error.message
  })
  server.on('exit', () => {
    ended ??= saidSince(logFile, before)
  })
  server.unref()
  for (const limit = Date.now() + START_LIMIT; ended === undefined && Date.now() < limit; await sleep(20))
    if ((await serverState(connection)) === 'up') return undefined
  return ended ?? 'FATAL: it has not answered for five minutes'
}

/** The text that was added to a log; empty if somebody has removed the whole folder meanwhile. */
function saidSince(logFile: string, before: number): string {
  return fs.existsSync(logFile) ? fs.readFileSync(logFile).subarray(before).toString('utf8') : ''
}

function makeSocketFolder(folder: string, user: ProgramUser): void {
  makePrivateFolder(folder, user)
  const made = fs.lstatSync(folder)
  const owner = user.uid ?? process.getuid?.()
  if (!made.isDirectory() || (made.mode & 0o077) !== 0 || made.uid !== owner)
    throw new EmbeddedError(`${folder} is not a private folder of user ${owner}: remove it.`)
}
