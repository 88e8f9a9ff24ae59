import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import type { Connection } from '../db/connect.ts'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { single } from '../lists.ts'
import { BackupError, type End, FORMAT, frame, type Header } from './format.ts'
import { copyOut, JOB_TABLES, JOBS, openConnection, pendingJobs, quoted, rowsOf, tablesOf } from './tables.ts'

export type Written = { file: string; tables: number; rows: number; bytes: number }

/**
 * Writes the whole database, as of one moment, into one file that only this user may read. Nobody who works meanwhile
 * has to wait. `target` is a file, or a folder in which the file gets the moment as its name. The file appears there
 * when it is complete and on the disk, and replaces an older one with the same name. Throws `BackupError`.
 */
export async function writeBackup(connection: Connection, target: string, signal?: AbortSignal): Promise<Written> {
  const client = await openConnection(connection)
  try {
    const { header, queries } = await openSnapshot(client)
    const file = await fileIn(path.resolve(target), header.taken_at)
    const counts = { rows: 0 }
    const bytes = await writeWhole(file, frames(client, header, queries, counts), signal)
    return { file, tables: header.tables.length, rows: counts.rows, bytes }
  } finally {
    await client.end()
  }
}

/** Begins the transaction in which everything is read, and keeps tables from being altered until it ends. */
async function openSnapshot(client: pg.Client): Promise<{ header: Header; queries: string[] }> {
  // With this lock, no migration runs while the tables are listed and locked.
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
  await client.query('begin isolation level repeatable read, read only')
  const known = await client.query<{ known: boolean }>(`select to_regclass('public.migration') is not null as known`)
  if (!known.rows[0]?.known) throw new BackupError('There is no Backstock in this database.')
  const tables = await tablesOf(client)
  await client.query(`lock table ${quoted(tables.map((table) => table.name))}, ${JOB_TABLES} in access share mode`)
  const migrations = await client.query<Header['migrations'][number]>(
    'select name, sha256 from migration order by name',
  )
  const moment = await client.query<{ at: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
  )
  // Sequences are not part of a snapshot. They are read after it began, so they are never behind its rows.
  const sequences = await client.query<Header['sequences'][number]>(
    `select sequencename as name, coalesce(last_value + increment_by, start_value)::text as next
     from pg_sequences where schemaname = 'public' order by 1`,
  )
  await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK])
  return {
    header: {
      format: FORMAT,
      taken_at: single(moment.rows).at,
      migrations: migrations.rows,
      sequences: sequences.rows,
      tables: [...tables.map(({ name, columns }) => ({ name, columns })), JOBS],
    },
    queries: [...tables.map((table) => rowsOf(table, table.order)), pendingJobs],
  }
}

async function* frames(
  client: pg.Client,
  header: Header,
  queries: string[],
  counts: { rows: number },
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256')
  const text = (content: unknown) => {
    const bytes = Buffer.from(JSON.stringify(content))
    whole.update(bytes)
    return frame(bytes)
  }
  yield text(header)
  for (const query of queries) {
    const rows = copyOut(client, query)
    let step = await rows.next()
    for (; !step.done; step = await rows.next()) yield frame(step.value)
    counts.rows += step.value.rows
    yield frame(Buffer.alloc(0))
    yield text(step.value)
  }
  const end: End = { end: true, sha256: whole.digest('hex') }
  yield frame(Buffer.from(JSON.stringify(end)))
}

async function fileIn(target: string, takenAt: string): Promise<string> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isFolder ? path.join(target, `backstock-backup-${takenAt.replaceAll(':', '-')}.bsb`) : target
}

const HOST = os.hostname().replace(/[^\w-]/g, '-')
/** The age from which a partial file counts as abandoned. The file of a running backup grows all the time. */
const ABANDONED_MS = 60 * 60_000

/**
 * Removes the partial files that killed backups have left in this folder: those with this file's name, and those named
 * after their moment. Other files stay.
 */
async function removeAbandoned(file: string): Promise<void> {
  const folder = path.dirname(file)
  for (const name of await readdir(folder)) {
    const [, whole, host, pid] = /^(.+?)(?:\.([\w-]+))?\.(\d+)\.partial$/.exec(name) ?? []
    if (!whole || !(whole === path.basename(file) || /^backstock-backup-[\dTZ-]+\.bsb$/.test(whole))) continue
    const partial = path.join(folder, name)
    const written = await stat(partial).catch(() => undefined) // another backup has removed it
    const isOver = host === HOST && !isAlive(Number(pid))
    if (written && (isOver || Date.now() - written.mtimeMs > ABANDONED_MS)) await rm(partial, { force: true })
  }
}

/**
 * Whether the process that wrote a partial file still runs. If the id is our own, the file is from an earlier process:
 * containers repeat process ids.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // the process belongs to somebody else
  }
}

/**
 * Writes a file under a temporary name. When the file is complete and on the disk, it gets its own name. Returns its
 * size in bytes.
 */
async function writeWhole(file: string, content: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<number> {
  const partial = `${file}.${HOST}.${process.pid}.partial`
  await mkdir(path.dirname(file), { recursive: true })
  await removeAbandoned(file)
  try {
    const handle = await open(partial, 'wx', 0o600)
    try {
      const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
      await pipeline(content, compress, (packed) => handle.writeFile(packed), { signal })
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, file)
    const folder = await open(path.dirname(file))
    await folder.sync().finally(() => folder.close())
    return (await stat(file)).size
  } catch (error) {
    await rm(partial, { force: true })
    if (signal?.aborted) throw signal.reason
    const { code, syscall, message } = error as NodeJS.ErrnoException
    throw code && syscall ? new BackupError(`${file} cannot be written: ${message}`, { cause: error }) : error
  }
}
