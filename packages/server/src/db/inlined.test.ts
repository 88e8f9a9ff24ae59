import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testClient, testDatabase } from '../testing/database.ts'
import { inlined } from './inlined.ts'

test('a statement with its values in it finds what it finds with parameters', async () => {
  const database = await testDatabase()
  const client = testClient(database.connection)
  await client.connect()
  const words = ['plain', "it's", 'a "b"', 'c\\d', '{e,f}', 'null', '', null]
  const statement = sql`select ${words}::text[] as words, ${[3, 5]}::int[] as ids, ${`\\ "it's"`}::text as word, ${7}::int as n,
    ${null}::text as none`
  const { rows } = await client.query(inlined(statement))
  await client.end()
  await database.drop()
  expect(rows).toEqual([{ words, ids: [3, 5], word: `\\ "it's"`, n: 7, none: null }])
})
