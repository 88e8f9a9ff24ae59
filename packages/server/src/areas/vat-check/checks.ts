import type { CustomerVatChecks, VatCheck } from '@backstock/contract/vat-check.ts'
import { type VatChecked, viesSaid } from '@backstock/contract/vat-check-doubt.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'

const checks = (db: Db) =>
  db
    .selectFrom('vat_check')
    .leftJoin('app_user as u', 'u.id', 'vat_check.created_by')
    .select([
      ...(['vat_check.id', 'vat_number', 'checked_on', 'is_valid', 'reference', 'source'] as const),
      ...(['vat_check.name', 'address', 'vat_check.created_at', 'u.name as created_by_name'] as const),
    ])

/** The most checks that an answer about a customer has. */
const MAX_HISTORY = 20

/** A customer's newest check of this number, and the history of the checks of all its numbers. */
export async function checksOf(
  db: Db,
  customerId: number,
  number: string | null,
): Promise<Pick<CustomerVatChecks, 'newest' | 'history'>> {
  const history = await checks(db)
    .where('customer_id', '=', customerId)
    .orderBy('checked_on', 'desc')
    .orderBy('vat_check.id', 'desc')
    .limit(MAX_HISTORY)
    .execute()
  return { newest: number === null ? null : await newestCheck(db, customerId, number), history }
}

/** The newest check of a number that a customer has or had. */
export async function newestCheck(db: Db, customerId: number, number: string): Promise<VatCheck | null> {
  const found = await checks(db)
    .where('customer_id', '=', customerId)
    .where('vat_number', '=', number)
    .orderBy('checked_on', 'desc')
    .orderBy('vat_check.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** One check by its id. */
export async function checkById(db: Db, id: number): Promise<VatCheck> {
  return checks(db).where('vat_check.id', '=', id).executeTakeFirstOrThrow()
}

/** SQL for the id of the newest check of a customer's number. */
export const newestCheckId = (customerId: RawBuilder<number>, number: RawBuilder<string | null>) => sql<number | null>`(
  select c.id from vat_check c where c.customer_id = ${customerId} and c.vat_number = ${number}
  order by c.checked_on desc, c.id desc limit 1)`

/**
 * Stores with a sale the check of its buyer's number that is the newest now. A sale keeps this check even if the number
 * is checked again later.
 */
export async function keepVatCheck(tx: Tx, saleId: number): Promise<void> {
  const newest = newestCheckId(sql`sale.customer_id`, sql`sale.buyer ->> 'vat_number'`)
  await sql`update sale set vat_check_id = ${newest} where id = ${saleId} and vat_check_id is distinct from ${newest}`.execute(
    tx,
  )
}

/** The newest check of a buyer's number, with the company's limit, for a sale on this day. */
export async function vatChecked(db: Db, customerId: number, number: string, day: string): Promise<VatChecked> {
  const { vat_check_days: days } = await db.selectFrom('company').select('vat_check_days').executeTakeFirstOrThrow()
  return { check: await newestCheck(db, customerId, number), day, days }
}

export type NewVatCheck = Pick<
  VatCheck,
  'vat_number' | 'checked_on' | 'is_valid' | 'reference' | 'source' | 'name' | 'address'
>

/** Keeps a check with its customer, and writes it to the customer's log. */
export async function keepCheck(tx: Tx, customerId: number, check: NewVatCheck, author: Author): Promise<void> {
  await tx
    .insertInto('vat_check')
    .values({ ...check, customer_id: customerId, created_by: author.userId ?? null })
    .execute()
  const how = check.source === 'asked' ? 'VIES was asked about' : 'An answer of VIES was entered about'
  await recordMessage(tx, author, 'Customer', customerId, `${how} ${check.vat_number}. ${viesSaid(check)}.`)
}
