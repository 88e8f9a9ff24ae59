import pg from 'pg'
import { ConfigError, readConfig } from '../config.ts'
import { EmbeddedError } from '../db/embedded.ts'
import { isMigrated } from '../db/migrate.ts'
import { violationsIn } from '../invariants/check.ts'
import { openDatabase } from '../start/open-database.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * `npm run check:data` prints each contradiction in the database as one line. It only reads, so people can go on
 * working meanwhile.
 */
async function checkData(): Promise<boolean> {
  const { connection, stop } = await openDatabase(readConfig(), (line) => process.stderr.write(`${line}\n`))
  try {
    await refuseOtherVersions(connection)
    let checked = 0
    const violations = await violationsIn(connection, () => checked++)
    for (const { invariant, what } of violations) say(`Broken rule: ${invariant}: ${what}`)
    const found = violations.length === 1 ? '1 violation' : `${violations.length} violations`
    say(violations.length ? `${found} found, ${checked} rules checked` : `All ${checked} rules hold`)
    return violations.length === 0
  } finally {
    await stop()
  }
}

async function refuseOtherVersions(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    if (await isMigrated((sql) => client.query(sql)).catch(() => false)) return
    throw new ConfigError(
      'This database belongs to another version of Backstock. Start the server once, then check it.',
    )
  } finally {
    await client.end()
  }
}

checkData().then(
  (holds) => {
    process.exitCode = holds ? 0 : 1
  },
  (error: Error) => {
    const known = error instanceof ConfigError || error instanceof EmbeddedError || 'code' in error
    process.stderr.write(`${known ? error.message : error.stack}\n`)
    process.exitCode = 2
  },
)
