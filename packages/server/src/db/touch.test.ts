import { expect, test } from 'vitest'
import { testClient, testDatabase } from '../testing/database.ts'

test('every table with updated_at has the trigger touch: without it no stale edit is refused', async () => {
  const database = await testDatabase()
  const client = testClient(database.connection)
  await client.connect()
  const { rows } = await client.query<{ table: string }>(`
    select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
      select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'touch') order by 1`)
  await client.end()
  await database.drop()
  const untouched = rows.map(({ table }) => table)
  expect(untouched, 'create trigger touch before update on … for each row execute function touch();').toEqual([])
})
