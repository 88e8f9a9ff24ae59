import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { connect, type Tx, waitingLess } from './connect.ts'

test('a snapshot reads as of one moment, writes nothing, and leaves no connection behind', async () => {
  const database = await testDatabase()
  const db = connect(database.connection)
  const named = async (read: typeof db.read) =>
    (await read.selectFrom('company').select('name').executeTakeFirstOrThrow()).name
  try {
    const snapshot = await db.snapshot()
    const before = await named(snapshot.read)
    await db.write((tx) => tx.updateTable('company').set({ name: 'Changed' }).execute())
    expect(await named(snapshot.read)).toBe(before)
    expect(await named(db.read)).toBe('Changed')
    await expect(snapshot.read.updateTable('company').set({ name: 'Other' }).execute()).rejects.toThrow(/read-only/)
    await snapshot.end()
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
      db.read,
    )
    expect(rows[0]!.open).toBe(0)
  } finally {
    await db.close()
    await database.drop()
  }
})

test('each kind of connection has its time limits, so that nobody holds a lock or a connection for long', async () => {
  const database = await testDatabase()
  const db = connect(database.connection)
  const limits = async (read: typeof db.read) => {
    const { rows } = await sql<{ limits: string }>`
      select string_agg(concat_ws(' ', name, setting), ', ' order by name) as limits from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`.execute(read)
    return rows[0]!.limits
  }
  const snapshot = await db.snapshot()
  try {
    expect({
      reading: await limits(db.read),
      writing: await db.write(limits),
      snapshot: await limits(snapshot.read),
    }).toEqual({
      reading: 'idle_in_transaction_session_timeout 0, lock_timeout 0, statement_timeout 30000',
      writing: 'idle_in_transaction_session_timeout 60000, lock_timeout 2000, statement_timeout 120000',
      snapshot: 'idle_in_transaction_session_timeout 0, lock_timeout 0, statement_timeout 60000',
    })
  } finally {
    await snapshot.end()
    await db.close()
    await database.drop()
  }
})

test('a write that has waited for its connection waits less for locks, so that it is answered in time', async () => {
  const database = await testDatabase()
  const db = connect(database.connection, { writers: 1 })
  const limit = async (tx: Tx) => {
    const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(tx)
    return rows[0]!.lock_timeout
  }
  /** The time limits for locks that others may hold for long, and for others, after this wait for a connection. */
  const afterWaiting = async (ms: number) => {
    const held = await db.pool.connect()
    const written = db.write(async (tx) => [await waitingLess(tx, () => limit(tx)), await limit(tx)])
    vi.advanceTimersByTime(ms)
    held.release()
    return written
  }
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    expect(await afterWaiting(0)).toEqual(['2s', '2s'])
    expect(await afterWaiting(400)).toEqual(['2s', '2s'])
    expect(await afterWaiting(1000)).toEqual(['1500ms', '2s'])
    expect(await afterWaiting(3000)).toEqual(['500ms', '2s'])
    expect(await afterWaiting(3900)).toEqual(['200ms', '2s'])
  } finally {
    vi.useRealTimers()
    await db.close()
    await database.drop()
  }
})
