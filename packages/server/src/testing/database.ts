import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Cluster, TEMPLATE } from './cluster.ts'

export type TestDatabase = {
  /** What `connect`, `migrate` and `pg` take. */
  connection: { host: string; port: number; ssl: false; user: string; database: string }
  /** The same as an address, for a process that takes `DATABASE_URL`. */
  url: string
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>
}

/** A fresh, migrated, empty database of this test file's own, in 30 to 110 ms. */
export async function testDatabase(): Promise<TestDatabase> {
  const cluster = inject('cluster')
  const database = `test_${randomBytes(6).toString('hex')}`
  await command(cluster, `create database ${database} template ${TEMPLATE}`)
  const { host, port, user } = cluster
  return {
    connection: { host, port, ssl: false, user, database },
    url: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    drop: () => command(cluster, `drop database if exists ${database} with (force)`),
  }
}

async function command(cluster: Cluster, sql: string): Promise<void> {
  const client = new pg.Client({ ...cluster, ssl: false, database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
