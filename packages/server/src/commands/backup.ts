import { BackupError } from '../backup/format.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../start/open-database.ts'
import { tellEnd } from './tell-end.ts'

/** `npm run backup -- [FILE or FOLDER]` writes the whole database into one file, while others work on. */
async function backup(target = '.'): Promise<string> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new BackupError('Stopped: no backup was written.')))
  const { connection, stop } = await openDatabase(readConfig(), (line) => process.stderr.write(`${line}\n`))
  try {
    const { file, tables, rows, bytes } = await writeBackup(connection, target, stopping.signal)
    return `Backed up ${rows} rows of ${tables} tables to ${file} (${Math.ceil(bytes / 1024)} KB)`
  } finally {
    await stop()
  }
}

await tellEnd(backup(process.argv[2]))
