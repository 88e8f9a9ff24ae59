import { BackupError } from '../backup/format.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { ConfigError, readConfig } from '../config.ts'
import { EmbeddedError } from '../db/embedded.ts'
import { MigrationError } from '../db/migrate.ts'
import { openDatabase } from '../start/open-database.ts'

/** `npm run backup -- [FILE or FOLDER]` writes the whole database into one file, while others work on. */
async function backup(target = '.'): Promise<string> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new BackupError('Stopped: there is no backup.')))
  const { connection, stop } = await openDatabase(readConfig(), (line) => process.stderr.write(`${line}\n`))
  try {
    const { file, tables, rows, bytes } = await writeBackup(connection, target, stopping.signal)
    return `Backed up ${rows} rows of ${tables} tables to ${file} (${Math.ceil(bytes / 1024)} KB)`
  } finally {
    await stop()
  }
}

backup(process.argv[2]).then(
  (line) => process.stdout.write(`${line}\n`),
  (error: Error) => {
    const known =
      [BackupError, ConfigError, EmbeddedError, MigrationError].some((kind) => error instanceof kind) || 'code' in error
    process.stderr.write(`${known ? error.message : error.stack}\n`)
    process.exitCode = 1
  },
)
