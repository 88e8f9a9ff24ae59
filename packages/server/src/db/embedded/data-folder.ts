import fs from 'node:fs'
import path from 'node:path'
import { EmbeddedError, postgresError } from './embedded-error.ts'
import { giveTo } from './program-user.ts'
import { type ProgramUser, runProgram } from './run-program.ts'

/**
 * Makes the folder of the database with initdb, unless it is there. initdb works in a folder of its own, which is
 * renamed at the end; so a folder with this name is always complete.
 */
export async function createDataFolder(
  data: string,
  bin: string,
  user: ProgramUser,
  superuser: string,
  durable: boolean,
): Promise<void> {
  if (fs.existsSync(`${data}/PG_VERSION`)) return
  const home = path.dirname(data)
  if (fs.existsSync(data) && fs.readdirSync(data).length > 0)
    throw new EmbeddedError(`${data} holds files but no database: move them away, or set DATA_DIR.`)
  for (const name of fs.readdirSync(home))
    if (name.startsWith(`${path.basename(data)}.new-`)) fs.rmSync(`${home}/${name}`, { recursive: true, force: true })
  const unfinished = fs.mkdtempSync(`${data}.new-`)
  giveTo(unfinished, user)
  const args = [
    ...['-D', unfinished, '-U', superuser, '--auth=trust', '-E', 'UTF8', '-c', 'timezone=UTC'],
    // With these settings, text is sorted the same way on every machine, in any language.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(durable ? [] : ['--no-sync']),
  ]
  const { code, output } = await runProgram(`${bin}/initdb`, args, user)
  if (code !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    throw postgresError(output, home, 'https://www.postgresql.org/docs/18/app-initdb.html')
  }
  fs.renameSync(unfinished, data)
  if (durable) syncFolder(home)
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/**
 * Removes the pid files of a PostgreSQL that no longer runs. Otherwise it would not start if another program has its
 * process id now. That happens after a restart of the machine, and in containers, which repeat process ids.
 */
export async function removeStalePidFiles(data: string, socket: string): Promise<void> {
  const files = [`${data}/postmaster.pid`, `${socket}/.s.PGSQL.5432.lock`]
  for (const file of files) {
    if (!fs.existsSync(file)) continue
    if ((await serverNamedIn(file, data)) === undefined) fs.rmSync(file, { force: true })
  }
}

/** The process id of the server that runs on this data folder; undefined if none does. */
export const serverPid = (data: string) => serverNamedIn(`${data}/postmaster.pid`, data)

async function serverNamedIn(pidFile: string, data: string): Promise<number | undefined> {
  const pid = Number.parseInt(read(() => fs.readFileSync(pidFile, 'utf8')) ?? '', 10)
  return (await isPostgresOf(pid, data)) ? pid : undefined
}

async function isPostgresOf(pid: number, data: string): Promise<boolean> {
  if (!Number.isInteger(pid)) return false
  if (process.platform !== 'linux')
    return /postgres/.test((await runProgram('ps', ['-o', 'command=', '-p', String(pid)])).output)
  const program = read(() => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1)[0])
  if (!program || path.basename(program) !== 'postgres') return false // a zombie process has no command line
  const folder = read(() => fs.readlinkSync(`/proc/${pid}/cwd`))
  return folder === undefined || folder === fs.realpathSync(data) // hidden from us, as in some containers: assume the worst
}

function read(get: () => string | undefined): string | undefined {
  try {
    return get()
  } catch {
    return undefined
  }
}
