import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { binaries } from './embedded/binaries.ts'
import { createDataFolder } from './embedded/data-folder.ts'
import { digest } from './embedded/digest.ts'
import { EmbeddedError, embeddedError } from './embedded/embedded-error.ts'
import { rotateLog } from './embedded/log-file.ts'
import { checkReachable, isRoot, makeOpenFolder, programUser } from './embedded/program-user.ts'
import {
  connectionTo,
  type EmbeddedConnection,
  logOf,
  serverState,
  startServer,
  stopServer,
} from './embedded/server-process.ts'
import { withStartLock } from './embedded/start-lock.ts'

export { EmbeddedError }

export type EmbeddedOptions = {
  /**
   * The data folder, which is made if it is missing. The database is in its folder `pg18`, its log in `postgres.log`.
   */
  home: string
  /** The checkout whose node_modules contain PostgreSQL for this platform. */
  project: string
  /** Settings of PostgreSQL that replace ours. If the database runs already, they are ignored. */
  settings?: Record<string, string>
  /** Called with one line if the database was lost and cannot be started at once. A start is tried every second. */
  report?: (line: string) => void
}

export type Embedded = EmbeddedConnection & {
  /** Whether another process had started the database, so that both share it. */
  attached: boolean
  /** Stops the database, unless another process uses it. Close your own connections before. */
  stop(): Promise<void>
}

const ROOT_HOMES = '/var/lib/backstock'
/** The name of the connection that each process holds as long as it uses the database. */
const HOLD = 'backstock hold'
/** The time between two checks of the log's size. */
const LOG_MS = 60_000

/**
 * The default data folder: `data` in the project. PostgreSQL's user may not enter root's folders, so root gets a folder
 * in /var/lib, a separate one for each checkout.
 */
export function defaultDataDir(project: string): string {
  return isRoot() ? `${ROOT_HOMES}/${digest(fs.realpathSync(project))}` : path.join(path.resolve(project), 'data')
}

/**
 * Starts the embedded PostgreSQL, or joins the one that another process has started on the same folder. If it is
 * killed, it is started again. Only this user can reach it, through a Unix socket. Throws `EmbeddedError`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const asked = path.resolve(options.home)
  try {
    makeOpenFolder(asked)
    return await start({ ...options, home: fs.realpathSync(asked) })
  } catch (error) {
    throw embeddedError(error, asked)
  }
}

async function start(options: EmbeddedOptions): Promise<Embedded> {
  const data = `${options.home}/pg18`
  const connection = connectionTo(data)
  const lock = digest(data)
  let hold: pg.Client | undefined
  let stopping = false

  const open = () =>
    withStartLock(lock, async () => {
      if (stopping) return false
      const attached = !(await bringUp(options, data, connection))
      hold = new pg.Client({ ...connection, application_name: HOLD })
      hold.on('error', () => undefined)
      await hold.connect()
      hold.on('end', () => void reopen())
      return attached
    })

  const reopen = async () => {
    while (!stopping) {
      try {
        await open()
        return
      } catch (error) {
        options.report?.(embeddedError(error, options.home).message)
        await sleep(1000)
      }
    }
  }

  const stop = async () => {
    if (stopping) return
    stopping = true
    clearInterval(rotating)
    await withStartLock(lock, async () => {
      const shared = hold !== undefined && (await othersHold(hold))
      await hold?.end()
      if (!shared) await stopServer(data)
    })
  }

  const attached = await open()
  const rotate = () => rotateLog(logOf(data)).catch((error: Error) => options.report?.(error.message))
  const rotating = setInterval(rotate, LOG_MS).unref()
  return { ...connection, attached, stop }
}

/** Makes sure that the database runs. Returns whether this process has started it. The caller holds the start lock. */
async function bringUp(options: EmbeddedOptions, data: string, connection: EmbeddedConnection): Promise<boolean> {
  const user = programUser(data)
  await checkReachable(options.home, user, defaultDataDir(options.project))
  if ((await serverState(connection)) === 'up') return false
  const bin = await binaries(options.project, copiesFolder(options.home), user)
  const durable = options.settings?.['fsync'] !== 'off'
  await createDataFolder(data, bin, user, connection.user, durable)
  return startServer(bin, data, user, connection, options.settings ?? {})
}

async function othersHold(hold: pg.Client): Promise<boolean> {
  try {
    const { rows } = await hold.query(
      'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      [HOLD],
    )
    return rows.length > 0
  } catch {
    return false // it is down, so nobody uses it
  }
}

/**
 * The folder for copies of the binaries. All of root's checkouts share one copy. The folder's path must need no
 * quotation marks, because initdb passes it to a shell.
 */
function copiesFolder(home: string): string {
  if (!isRoot()) return home
  makeOpenFolder(ROOT_HOMES)
  return ROOT_HOMES
}
