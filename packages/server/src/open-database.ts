import path from 'node:path'
import type pg from 'pg'
import type { Config } from './config.ts'
import { defaultDataDir, startEmbedded } from './db/embedded.ts'

const project = path.resolve(import.meta.dirname, '../../..')

/** Where the embedded database and, without a mail server, the mails lie. */
export const dataDirOf = (config: Config): string => config.dataDir ?? defaultDataDir(project)

export type OpenDatabase = { connection: pg.ClientConfig; stop(): Promise<void> }

/** The database at DATABASE_URL, else an embedded one, which this process shares with others and the last one stops. */
export async function openDatabase(config: Config, report: (line: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, stop: async () => undefined }
  const { stop, host, port, ssl, user, database } = await startEmbedded({ home: dataDirOf(config), project, report })
  return { connection: { host, port, ssl, user, database }, stop }
}
