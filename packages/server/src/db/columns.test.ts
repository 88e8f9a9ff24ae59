import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { testClient, testDatabase } from '../testing/database.ts'
import { columnsFile, readColumns } from './read-columns.ts'

const file = path.join(import.meta.dirname, 'columns.ts')

/** The type of each column in columns.ts, by table and column. */
function written(): Map<string, string> {
  const tables = fs.readFileSync(file, 'utf8').matchAll(/^ {2}(\w+): \{\n((?: {4}.+\n)+)/gm)
  const columns = [...tables].flatMap(([, table, lines]) =>
    [...lines!.matchAll(/(\w+): (.+)/g)].map(([, column, type]): [string, string] => [`${table}.${column}`, type!]),
  )
  return new Map(columns)
}

test('columns.ts has the columns that the migrations make', async () => {
  const database = await testDatabase()
  const client = testClient(database.connection)
  await client.connect()
  const read = await readColumns(client)
  const made = new Map(read.map(({ table, column, type }) => [`${table}.${column}`, type]))
  await client.end()
  await database.drop()
  const is = (type: string | undefined) => type ?? 'not there'
  const differences = [...new Set([...made.keys(), ...written().keys()])]
    .filter((column) => made.get(column) !== written().get(column))
    .map((column) => `${column} is ${is(made.get(column))} in the database, ${is(written().get(column))} in columns.ts`)
  expect(differences, 'Run npm run tables.').toEqual([])
  expect(columnsFile(read)).toBe(fs.readFileSync(file, 'utf8'))
})
