import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { invalid } from '../http/refusal.ts'
import { single } from '../lists.ts'
import { recordTexts } from '../records/log/write.ts'

/** The most digits of a customer's account: one more than the accountant's other accounts have. */
export const personalDigits = (accountLength: number) => accountLength + 1

/**
 * The next account of the range in the accounting settings, for a new customer: the one after the highest, or else the
 * lowest that is free. A customer may have been given the last one by hand. Null if there is no range, or if none is
 * free. Customers that are created at the same time take turns.
 */
export async function nextDebtorNumber(tx: Tx): Promise<number | null> {
  const settings = tx.selectFrom('accounting_settings').select(['debtor_first', 'debtor_last'])
  if ((await settings.executeTakeFirstOrThrow()).debtor_first === null) return null
  const { debtor_first, debtor_last } = await settings.forUpdate().executeTakeFirstOrThrow()
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(debtor_number) + 1, ${debtor_first}::int) as next from customer
    where debtor_number between ${debtor_first}::int and ${debtor_last}::int`.execute(tx)
  const { next } = single(rows)
  if (debtor_last === null) return null
  if (next <= debtor_last) return next
  // The lowest free number is the first one, or it follows a taken one. A range may have a billion numbers.
  const { rows: free } = await sql<{ lowest: number | null }>`
    select min(n) as lowest from (
      select ${debtor_first}::int as n
      union all select debtor_number + 1 from customer
      where debtor_number >= ${debtor_first}::int and debtor_number < ${debtor_last}::int) possible
    where not exists (select from customer where debtor_number = n)`.execute(tx)
  return single(free).lowest
}

export const NO_DEBTOR_NUMBER =
  'No debtor number is free, so the books have this customer under the control account. An administrator can extend the range in the accounting settings.'

/** Whether a customer has no account although the accounting settings have a range. */
export async function lacksDebtorNumber(tx: Tx, customerId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('customer')
    .innerJoin('accounting_settings', (join) => join.onTrue())
    .select('customer.id')
    .where('customer.id', '=', customerId)
    .where('debtor_number', 'is', null)
    .where('debtor_first', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Gives the free accounts of a range to the customers that have none, in order of their ids. The caller holds the lock
 * on the settings.
 */
export async function giveDebtorNumbers(tx: Tx, userId: number, range: { first: number; last: number }): Promise<void> {
  const { rows } = await sql<{ id: number; debtor_number: number }>`
    with wanting as (
      select id, row_number() over (order by id) as place from customer where debtor_number is null),
    free as (
      select n, row_number() over (order by n) as place
      from generate_series(${range.first}::int, least(${range.last}, ${range.first} + (select count(*) from customer))::int) n
      where not exists (select from customer where debtor_number = n))
    update customer set debtor_number = free.n from wanting join free using (place) where customer.id = wanting.id
    returning customer.id, customer.debtor_number`.execute(tx)
  const given = rows.map(({ debtor_number }) =>
    JSON.stringify({
      type: 'model_update',
      data: [{ attributeName: 'debtor_number', from: null, to: debtor_number }],
    }),
  )
  await recordTexts(
    tx,
    { userId },
    'Customer',
    rows.map(({ id }) => id),
    given,
  )
}

/** Throws 422 if the number has more digits than a customer's account may have. */
export async function refuseLongDebtorNumber(tx: Tx, number: number | null | undefined): Promise<void> {
  if (number === null || number === undefined) return
  const { account_length } = await tx
    .selectFrom('accounting_settings')
    .select('account_length')
    .executeTakeFirstOrThrow()
  const most = personalDigits(account_length)
  if (String(number).length > most)
    throw invalid({ debtor_number: `At most ${most} digits, one more than other accounts have.` })
}
