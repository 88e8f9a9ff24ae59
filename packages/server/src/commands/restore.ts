import { BackupError } from '../backup/format.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { ConfigError, readConfig } from '../config.ts'
import { EmbeddedError } from '../db/embedded.ts'
import { MigrationError } from '../db/migrate.ts'
import { openDatabase } from '../start/open-database.ts'

/** `npm run restore -- FILE` fills an empty database from a backup. */
async function restore(file: string | undefined): Promise<string> {
  if (!file) throw new BackupError('Say from what: npm run restore -- FILE')
  const { connection, stop } = await openDatabase(readConfig(), (line) => process.stderr.write(`${line}\n`))
  try {
    const { taken_at, tables, rows } = await restoreBackup(connection, file)
    return `Restored ${rows} rows of ${tables} tables as of ${taken_at}, every table compared with the backup`
  } finally {
    await stop()
  }
}

restore(process.argv[2]).then(
  (line) => process.stdout.write(`${line}\n`),
  (error: Error) => {
    const known =
      [BackupError, ConfigError, EmbeddedError, MigrationError].some((kind) => error instanceof kind) || 'code' in error
    process.stderr.write(`${known ? error.message : error.stack}\n`)
    process.exitCode = 1
  },
)
