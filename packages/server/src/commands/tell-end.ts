import { BackupError } from '../backup/format.ts'
import { ConfigError } from '../config.ts'
import { EmbeddedError } from '../db/embedded.ts'
import { MigrationError } from '../db/migrate.ts'

/** Errors whose message is enough for the person at the terminal. Others show their stack. */
const EXPLAINED = [BackupError, ConfigError, EmbeddedError, MigrationError]

/** Prints the line with which a command ends, or its error. */
export async function tellEnd(command: Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await command}\n`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isExplained = EXPLAINED.some((kind) => error instanceof kind) || 'code' in error
    process.stderr.write(`${isExplained ? error.message : error.stack}\n`)
    process.exitCode = 1
  }
}
