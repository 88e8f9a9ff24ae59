import { ConfigError, readConfig } from './config.ts'
import { EmbeddedError } from './db/embedded.ts'
import { MigrationError } from './db/migrate.ts'
import { dataDirOf, openDatabase } from './start/open-database.ts'
import { serve } from './start/serve.ts'
import { keepHeapSmall } from './start/small-heap.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const config = readConfig()
  const dataDir = dataDirOf(config)
  const database = await openDatabase(config, say)
  try {
    const { address, stop } = await serve(config, dataDir, database, say)
    say(`Backstock is ready at ${address}`)
    say(config.databaseUrl ? 'Data: the database at DATABASE_URL' : `Data: ${dataDir}`)
    say('Stop with Ctrl+C')
    let stopping = false
    const shutDown = async () => {
      if (stopping) return
      stopping = true
      process.exit((await stop()) ? 0 : 1)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void shutDown())
  } catch (error) {
    await database.stop().catch(() => undefined)
    throw error
  }
}

/** The text for an error: one line if a person can correct it, the whole stack if it is a fault of the server. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') return 'another program listens on this PORT already. Set PORT to another number.'
  if (code === 'EACCES') return 'this PORT needs more rights. Set PORT to a number above 1023.'
  const kinds = [ConfigError, EmbeddedError, MigrationError]
  return code !== undefined || kinds.some((kind) => error instanceof kind) ? error.message : String(error.stack)
}

keepHeapSmall()
start().catch((error: unknown) => {
  process.stderr.write(`Backstock cannot start: ${explain(error)}\n`)
  process.exit(1)
})
