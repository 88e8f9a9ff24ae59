import { sql } from 'kysely'
import { ONE_OF_MANY } from '../../areas/document/paper-priority.ts'
import type { Config } from '../../config.ts'
import type { Database, Tx } from '../../db/connect.ts'
import type { Actor } from '../../http/session.ts'
import { PAPER_JOBS } from '../../jobs.ts'
import { single } from '../../lists.ts'
import { record } from '../../records/log/write.ts'
import { dateRecords, daysAgo, type Happening, keepLogAside, publishLog, tell } from './backdate.ts'
import { deliveries } from './deliveries.ts'
import { openShop } from './open-shop.ts'
import { receiving } from './receiving.ts'
import { oldestItems, sales } from './sales.ts'
import { seededRandom } from './seeded-random.ts'
import type { Shop } from './shop.ts'
import { batches, returnsToSuppliers, shelfCount } from './stock-keeping.ts'

/** The key of the lock. The number is arbitrary, but must be the same in all instances. */
const SAMPLE_LOCK = 7_265_003
const OPENED_DAYS_AGO = 160

/**
 * Fills a fresh embedded database with a small shop and half a year of its trade, in one transaction. Returns whether
 * it has done so. A database is fresh if it has its first administrator and nothing else. If the configuration forbids
 * the sample, the database remembers that, so that a later start does not fill a shop that somebody is about to use.
 * Call it at every start after `firstAdministrator`. If two instances start at once, one loads the sample.
 */
export async function loadSample(db: Database, config: Config): Promise<boolean> {
  if (config.databaseUrl) return false
  return db.write(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${SAMPLE_LOCK}) as mine`.execute(tx)
    if (!single(rows).mine) return false
    const admin = await freshAdministrator(tx)
    if (!admin) return false
    if (config.sampleData) await fill(db, tx, admin)
    else await keepEmpty(tx, admin)
    return config.sampleData
  })
}

/**
 * The administrator, if that is the only user of a database in which nothing has been done. The log shows whether
 * anything has been done, because every change that matters has an entry there.
 */
async function freshAdministrator(tx: Tx): Promise<Actor | undefined> {
  const [admin, ...others] = await tx.selectFrom('app_user').select(['id', 'name', 'role']).limit(2).execute()
  if (admin?.role !== 'ROLE_ADMIN' || others.length) return undefined
  const { rows } = await sql`
    select from (select from log offset 1) entry
    union all select from make union all select from colour union all select from category union all select from vat
    union all select from partner limit 1`.execute(tx)
  return rows.length ? undefined : admin
}

async function keepEmpty(tx: Tx, admin: Actor): Promise<void> {
  const data = { message: 'The first start was without sample data.' }
  await record(tx, {}, [{ type: 'User', id: admin.id, content: { type: 'message', data }, hidden: true }])
}

async function fill(db: Database, tx: Tx, admin: Actor): Promise<void> {
  const { rows } = await sql<{ now: string }>`select now()`.execute(tx)
  const now = new Date(single(rows).now)
  await keepLogAside(tx)
  const opened = daysAgo(now, OPENED_DAYS_AGO, 8)
  const shop = await tell(tx, { at: opened, happen: () => openShop(tx, admin, now) })
  for (const happening of inOrder(trade(db, tx, shop))) await tell(tx, happening)
  await tx
    .insertInto('basket')
    .values({ user_id: admin.id, items: await oldestItems(tx, 4, seededRandom(4)) })
    .execute()
  await dateRecords(tx, opened)
  await publishLog(tx)
  await spreadRendering(tx)
}

const RENDERED_AT_ONCE = 5

/**
 * Spreads the rendering of the documents over time: the newest ones are made at once, the others bit by bit, so that
 * they do not slow the first start down. All come after documents that a person makes meanwhile.
 */
async function spreadRendering(tx: Tx): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array[id], priority => priority + ${ONE_OF_MANY}::int,
      run_at => case when place > 0 then now() + place * interval '8 seconds' end)
    from (select id, priority, row_number() over (partition by task_identifier order by id desc)
        - ${RENDERED_AT_ONCE}::int as place
      from graphile_worker.jobs where task_identifier = any(${[...PAPER_JOBS]}::text[])) job`.execute(tx)
}

function trade(db: Database, tx: Tx, shop: Shop): Happening[] {
  const batchIds: number[] = []
  const saleIds: number[] = []
  return [
    ...deliveries(db, tx, shop),
    ...batches(tx, shop, batchIds),
    ...sales(tx, shop, batchIds, saleIds),
    ...returnsToSuppliers(tx, shop),
    shelfCount(db, tx, shop, saleIds),
    receiving(tx, shop),
  ]
}

const inOrder = (happenings: Happening[]) => happenings.toSorted((a, b) => a.at.getTime() - b.at.getTime())
