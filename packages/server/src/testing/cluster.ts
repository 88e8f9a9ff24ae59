import fs from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'

/** The address of the PostgreSQL that all tests of this run share, for `testDatabase`. */
export type Cluster = { host: string; port: number; user: string }

export const TEMPLATE = 'template_backstock'

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Cluster
  }
}

const project = path.resolve(import.meta.dirname, '../../../..')
const prefix = path.join(os.tmpdir(), 'backstock-test-')

type Running = { cluster: Cluster; stop: () => Promise<void> }

/**
 * State that all projects of a run share. Each project loads this file again, but one process prepares and ends them
 * all.
 */
const shared = globalThis as { testCluster?: { running: Promise<Running>; users: number } }

/** Starts one PostgreSQL for the whole run: the first project that needs it starts it, and the last one stops it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  shared.testCluster ??= { running: startCluster(), users: 0 }
  const { testCluster } = shared
  testCluster.users++
  const { cluster, stop } = await testCluster.running
  provide('cluster', cluster)
  return async () => {
    if (--testCluster.users > 0) return
    delete shared.testCluster
    await stop()
  }
}

/**
 * A PostgreSQL in a temporary folder, with a migrated template that `testDatabase` copies. Nothing in it has to survive
 * a crash, so it never waits for the disk.
 */
async function startCluster(): Promise<Running> {
  await removeAbandoned()
  const home = fs.mkdtempSync(`${prefix}${process.pid}-`)
  fs.chmodSync(home, 0o755) // PostgreSQL's user must pass through it if we are root
  const database = await startEmbedded({
    home,
    project,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  const { host, port, user } = database
  const stop = async () => {
    await database.stop()
    fs.rmSync(home, { recursive: true, force: true })
  }
  try {
    const client = new pg.Client(database)
    await client.connect()
    await client.query(`create database ${TEMPLATE}`)
    await client.end()
    await migrate({ host, port, ssl: false, user, database: TEMPLATE })
  } catch (error) {
    await stop()
    throw error
  }
  return { cluster: { host, port, user }, stop }
}

/**
 * Removes what killed runs have left: the folder, which has the run's process id in its name, and the PostgreSQL in it.
 */
async function removeAbandoned(): Promise<void> {
  const folder = path.dirname(prefix)
  for (const name of fs.readdirSync(folder)) {
    const home = path.join(folder, name)
    if (!home.startsWith(prefix) || isAlive(Number.parseInt(home.slice(prefix.length), 10))) continue
    try {
      const server = Number.parseInt(fs.readFileSync(`${home}/pg18/postmaster.pid`, 'utf8'), 10)
      if (isAlive(server)) process.kill(server, 'SIGQUIT')
    } catch {
      // There is no server to stop: it never started.
    }
    try {
      // The removal is tried again, because the server still writes there while it ends.
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    } catch {
      // The folder belongs to another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
