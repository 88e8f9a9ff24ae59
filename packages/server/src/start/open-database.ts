import path from 'node:path'
import pg from 'pg'
import { type Config, ConfigError, serversOf } from '../config.ts'
import { reasonOf } from '../db/asked-server.ts'
import type { Connection } from '../db/connect.ts'
import { defaultDataDir, startEmbedded } from '../db/embedded.ts'
import { followPrimary, TIMES } from '../db/follow-primary.ts'

const project = path.resolve(import.meta.dirname, '../../../..')

/** The folder for the embedded database, and for mails if there is no mail server. */
export const dataDirOf = (config: Config): string => config.dataDir ?? defaultDataDir(project)

export type OpenDatabase = { connection: Connection; stop(): Promise<void> }

/**
 * Opens the database: the one at DATABASE_URL, on one server or several, else an embedded one. The embedded one is
 * shared with other processes, and the last one stops it.
 */
export async function openDatabase(config: Config, report: (line: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const servers = serversOf(config.databaseUrl)
    for (const server of servers) refuseUnreadable(server)
    if (servers.length === 1) await refuseUnreachable(config.databaseUrl)
    return followPrimary(servers, report)
  }
  const { stop, host, port, ssl, user, database } = await startEmbedded({ home: dataDirOf(config), project, report })
  return { connection: { host, port, ssl, user, database }, stop }
}

/** Throws `ConfigError` if a part of the address cannot be decoded. */
function refuseUnreadable(connectionString: string): void {
  try {
    new pg.Client({ connectionString })
  } catch {
    throw new ConfigError('DATABASE_URL cannot be read: in a password write % as %25')
  }
}

/**
 * Throws `ConfigError` with the reason if the database cannot be reached. The message leaves the password out, because
 * logs have many readers.
 */
async function refuseUnreachable(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMES.reach })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw new ConfigError(`DATABASE_URL leads nowhere: ${reasonOf(error)}`)
  } finally {
    await client.end()
  }
}
