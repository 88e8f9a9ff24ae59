import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { binaries } from '../../packages/server/src/db/embedded/binaries.ts'
import { createDataFolder } from '../../packages/server/src/db/embedded/data-folder.ts'
import { giveTo, programUser } from '../../packages/server/src/db/embedded/program-user.ts'
import { runProgram } from '../../packages/server/src/db/embedded/run-program.ts'
import { connectionTo, startServer } from '../../packages/server/src/db/embedded/server-process.ts'

/** The tests kill processes and not machines, so writes survive without `fsync`. */
const SETTINGS = { fsync: 'off', wal_keep_size: '512MB', max_connections: '200' }

/** A PostgreSQL with a folder and a socket of its own. */
export type Postgres = {
  /** The host name for addresses, and the path of the socket. */
  host: string
  socket: string
  start(): Promise<void>
  /** Stops it cleanly, so that its folder can be copied. */
  stop(): Promise<void>
  /** Kills it, as if the machine were gone: it writes and says nothing more. Does nothing if it is not running. */
  kill(): void
  /** Stops it from running, as if the machine hung or the cable were out: connections stay open and get no answers. */
  freeze(): void
  thaw(): void
  /** Makes its folder a copy of another one's. Both must be stopped. */
  becomeCopyOf(other: Postgres): Promise<void>
  /** Makes its folder such a copy, and this PostgreSQL a replica. */
  becomeReplicaOf(primary: Postgres): Promise<void>
  /** Makes it the primary. Resolves once it takes writes. */
  promote(): Promise<void>
  /** The connection for SQL of the test. */
  connection: pg.ClientConfig
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
}

/** A PostgreSQL that is not started yet. Its folder is initialised, unless it will be a replica. */
export async function postgres(home: string, project: string, name: string, isReplica = false): Promise<Postgres> {
  mkdirSync(`${home}/${name}`)
  const data = `${home}/${name}/pg18`
  const user = programUser(data)
  giveTo(`${home}/${name}`, user)
  const bin = await binaries(project, home, user)
  if (!isReplica) await createDataFolder(data, bin, user, 'backstock', false)
  const socket = connectionTo(data)
  const connection = { ...socket, database: 'backstock' }
  const control = async (...args: string[]) => {
    const { code, output } = await runProgram(`${bin}/pg_ctl`, [...args, '-D', data, '-w'], user)
    if (code !== 0) throw new Error(`pg_ctl ${args.join(' ')}: ${output}`)
  }
  const becomeCopyOf = async (other: Postgres) => {
    rmSync(data, { recursive: true, force: true })
    const copied = await runProgram('cp', ['-a', String(other.connection.host), data])
    if (copied.code !== 0) throw new Error(copied.output)
  }
  let postmaster: number | undefined
  const signal = (name: NodeJS.Signals) => {
    if (postmaster === undefined) return
    for (const pid of [postmaster, ...childrenOf(postmaster)]) signalIfThere(pid, name)
  }
  return {
    host: encodeURIComponent(socket.host),
    socket: `${socket.host}/.s.PGSQL.${socket.port}`,
    connection,
    async start() {
      await startServer(bin, data, user, socket, SETTINGS)
      postmaster = Number.parseInt(readFileSync(`${data}/postmaster.pid`, 'utf8'), 10)
    },
    async stop() {
      await control('stop', '-m', 'fast')
      postmaster = undefined
    },
    kill() {
      signal('SIGKILL')
      postmaster = undefined
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    becomeCopyOf,
    async becomeReplicaOf(primary) {
      const { host, port } = primary.connection
      await becomeCopyOf(primary)
      writeFileSync(`${data}/standby.signal`, '')
      writeFileSync(
        `${data}/postgresql.auto.conf`,
        `primary_conninfo = 'host=''${host}'' port=${port} user=backstock application_name=${name}'\n`,
      )
      giveTo(`${data}/standby.signal`, user)
    },
    promote: () => control('promote'),
    async query(sql, values) {
      const client = new pg.Client(connection)
      client.on('error', () => undefined)
      try {
        await client.connect()
        return (await client.query(sql, values)).rows
      } finally {
        await client.end().catch(() => undefined)
      }
    },
  }
}

/** A server process may end by itself between the list of processes and the signal. */
function signalIfThere(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return all.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []))
}
