import path from 'node:path'
import { type Config, serversOf } from './config.ts'
import type { Connection } from './db/connect.ts'
import { defaultDataDir, startEmbedded } from './db/embedded.ts'
import { followPrimary, refuseStandby } from './db/follow-primary.ts'

const project = path.resolve(import.meta.dirname, '../../..')

/** Where the embedded database and, without a mail server, the mails lie. */
export const dataDirOf = (config: Config): string => config.dataDir ?? defaultDataDir(project)

export type OpenDatabase = { connection: Connection; stop(): Promise<void> }

/** The database at DATABASE_URL, on one server or several; else an embedded one, which this process shares with others and the last one stops. */
export async function openDatabase(config: Config, report: (line: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const servers = serversOf(config.databaseUrl)
    if (servers.length > 1) return followPrimary(servers, report)
    const connection = { connectionString: config.databaseUrl, onConnect: refuseStandby }
    return { connection, stop: async () => undefined }
  }
  const { stop, host, port, ssl, user, database } = await startEmbedded({ home: dataDirOf(config), project, report })
  return { connection: { host, port, ssl, user, database }, stop }
}
