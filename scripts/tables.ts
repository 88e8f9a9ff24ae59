import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../packages/server/src/db/embedded.ts'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { columnsFile, readColumns } from '../packages/server/src/db/read-columns.ts'

const project = path.resolve(import.meta.dirname, '..')
const file = path.join(project, 'packages/server/src/db/columns.ts')

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'backstock-tables-'))
fs.chmodSync(home, 0o755) // if this runs as root, PostgreSQL runs as another user, who must get through
const database = await startEmbedded({ home, project, settings: { fsync: 'off' } })
const client = new pg.Client(database)
try {
  await migrate(database)
  await client.connect()
  fs.writeFileSync(file, columnsFile(await readColumns(client)))
} finally {
  await client.end()
  await database.stop()
  fs.rmSync(home, { recursive: true, force: true })
}
