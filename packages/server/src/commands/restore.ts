import { BackupError } from '../backup/format.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../start/open-database.ts'
import { tellEnd } from './tell-end.ts'

/** `npm run restore -- FILE` fills an empty database from a backup. */
async function restore(file: string | undefined): Promise<string> {
  if (!file) throw new BackupError('Name the backup: npm run restore -- FILE')
  const { connection, stop } = await openDatabase(readConfig(), (line) => process.stderr.write(`${line}\n`))
  try {
    const { taken_at, tables, rows } = await restoreBackup(connection, file)
    return `Restored ${rows} rows of ${tables} tables as of ${taken_at}, every table compared with the backup`
  } finally {
    await stop()
  }
}

await tellEnd(restore(process.argv[2]))
