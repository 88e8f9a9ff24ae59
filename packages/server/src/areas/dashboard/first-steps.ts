import type { Dashboard, PutAway } from '@backstock/contract/dashboard.ts'
import { FIRST_STEPS, type FirstStep, type MayBePutAway } from '@backstock/contract/dashboard-parts.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { single } from '../../lists.ts'

/**
 * The first steps of a new shop, each with whether it is done. The server reads that from the records, so nobody has to
 * tick anything off. Each condition reads one row. A VAT number is not asked for, because small traders have none.
 * `hasSender` means that the server's settings name the sender of mails; otherwise the company's profile must.
 */
export async function firstSteps(db: Db, hasSender: boolean): Promise<Dashboard['first_steps']> {
  const { rows } = await sql<Record<FirstStep, boolean>>`
    select address_1 is not null and city is not null and postal_code is not null and country_code is not null
        and (${hasSender}::boolean or coalesce(mail_from, email) is not null) as company,
      exists (select from vat) as vat, exists (select from supplier) as supplier, exists (select from stock) as stock,
      exists (select from sale) as sale,
      exists (select from mail where sale_id is not null and state = 'sent' and saved_as is null) as mail
    from company`.execute(db)
  return FIRST_STEPS.map((step) => ({ step, done: single(rows)[step] }))
}

/** Whether the database was filled with the sample shop. Its invoices have a number series of their own. */
export async function isSample(db: Db): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select exists (select from number_series where series = 'sample') as there`.execute(db)
  return single(rows).there
}

export async function putAwayBy(db: Db, userId: number): Promise<MayBePutAway[]> {
  const rows = await db.selectFrom('put_away').select('what').where('user_id', '=', userId).orderBy('what').execute()
  return rows.map(({ what }) => what)
}

/**
 * Remembers for a person that a part of the dashboard is put away, or is not. A second call with the same values
 * changes nothing.
 */
export async function putAway(tx: Tx, userId: number, { what, put_away }: PutAway): Promise<void> {
  if (put_away)
    await tx
      .insertInto('put_away')
      .values({ user_id: userId, what })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await tx.deleteFrom('put_away').where('user_id', '=', userId).where('what', '=', what).execute()
}
