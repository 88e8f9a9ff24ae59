import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testClient, testDatabase } from '../testing/database.ts'
import { connect, type Database } from './connect.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await testDatabase()
  db = connect(database.connection, { readers: 1, writers: 1 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** The prepared statements of the only reading connection. */
const prepared = async () => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db.read)
  return rows.map((row) => row.statement)
}
const thrice = async (statement: () => Promise<unknown>) => {
  for (let turn = 0; turn < 3; turn++) await statement()
}

test('statements that come again are prepared, but for patterns that stand in them, and there is an end to it', async () => {
  await thrice(() => sql`select id from make where id = ${1}`.execute(db.read))
  await thrice(() => sql`select id from make where name like ${'A%'}`.execute(db.read))
  await thrice(() => sql`select id from make where name ILIKE ${'A%'}`.execute(db.read))
  await thrice(() => sql`select id from make where search like (select search_text(${'%a%'}))`.execute(db.read))
  const kept = await prepared()
  expect(kept).toContain('select id from make where id = $1')
  expect(kept.filter((statement) => /like/i.test(statement))).toEqual([
    'select id from make where search like (select search_text($1))',
  ])
  for (let n = 0; n < 600; n++) await thrice(() => sql`select ${sql.lit(n)} as n`.execute(db.read))
  expect((await prepared()).length).toBeLessThanOrEqual(250)
})

test('a plan that a newer version has made stale is made anew, inside a transaction and outside', async () => {
  const all = sql<Record<string, unknown>>`select * from colour where id > ${0}`
  const locked = sql<Record<string, unknown>>`select * from colour where id > ${0} for no key update`
  await db.write((tx) => tx.insertInto('colour').values({ name: 'Green' }).execute())
  const read = () => all.execute(db.read)
  const write = () => db.write((tx) => locked.execute(tx))
  await thrice(read)
  await thrice(write)
  const newer = testClient(database.connection)
  await newer.connect()
  await newer.query('alter table colour add column shade int default 7')
  await newer.end()
  expect((await read()).rows).toMatchObject([{ name: 'Green', shade: 7 }])
  expect((await write()).rows).toMatchObject([{ name: 'Green', shade: 7 }])
})
