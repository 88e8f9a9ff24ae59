import { type AccountingSettings, AccountingSettingsInput } from '@backstock/contract/accounting.ts'
import { PURCHASE_TREATMENTS, type PurchaseTreatment, type Treatment } from '@backstock/contract/treatment.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { fieldsOf, patched } from '../../http/crud.ts'
import { invalid } from '../../http/refusal.ts'
import type { Actor } from '../../http/session.ts'
import { refuseStale } from '../../records/log/stale.ts'
import { giveDebtorNumbers, personalDigits } from '../debtor-number.ts'

const ACCOUNTS = { revenue_accounts: true, margin_accounts: true, credit_accounts: true } as const
const OwnFields = AccountingSettingsInput.omit(ACCOUNTS).required()

const settings = (db: Db) =>
  db.selectFrom('accounting_settings').select([...fieldsOf(OwnFields), 'updated_at', 'updated_by'])

export async function settingsOf(db: Db): Promise<AccountingSettings> {
  const { updated_by: _, ...own } = await settings(db).executeTakeFirstOrThrow()
  return {
    ...own,
    revenue_accounts: await revenueAccounts(db),
    margin_accounts: await marginAccounts(db),
    credit_accounts: await creditAccounts(db),
  }
}

/**
 * The accounts that are set, and those that sales may still need: one for each treatment and rate of a VAT type, and
 * one for each treatment without VAT.
 */
async function revenueAccounts(db: Db): Promise<AccountingSettings['revenue_accounts']> {
  const { rows } = await sql<AccountingSettings['revenue_accounts'][number]>`
    with needed as (
      select 'standard' as treatment, rate from vat where rate > 0
      union select treatment, 0 from unnest(array['zero', 'margin', 'reverse_charge', 'intra_community', 'export', 'exempt'])
        treatment
      union select treatment, rate from revenue_account)
    select treatment, rate / 100.0 as rate, account from needed left join revenue_account using (treatment, rate)
    order by needed.rate desc, treatment`.execute(db)
  return rows
}

/** The accounts for taxed margins that are set. If the company's own rate has none, it is in the list with null. */
async function marginAccounts(db: Db): Promise<AccountingSettings['margin_accounts']> {
  const { rows } = await sql<AccountingSettings['margin_accounts'][number]>`
    with needed as (
      select margin_rate as rate from company where margin_rate > 0 union select rate from margin_account)
    select rate / 100.0 as rate, account from needed left join margin_account using (rate) order by needed.rate desc`.execute(
    db,
  )
  return rows
}

/** The account for supplier credits by the treatment of the purchase; null if it is not set. */
async function creditAccounts(db: Db): Promise<AccountingSettings['credit_accounts']> {
  const set = new Map((await creditAccountRows(db)).map(({ treatment, account }) => [treatment, account]))
  return PURCHASE_TREATMENTS.map((treatment) => ({ treatment, account: set.get(treatment) ?? null }))
}

const creditAccountRows = (db: Db) => db.selectFrom('credit_account').selectAll().execute()

/** Looks up the account for supplier credits by the treatment of the purchase; undefined if it is not set. */
export async function creditAccountsByTreatment(db: Db): Promise<(treatment: PurchaseTreatment) => number | undefined> {
  const set = new Map((await creditAccountRows(db)).map(({ treatment, account }) => [treatment, account]))
  return (treatment) => set.get(treatment)
}

export type AccountOf = (treatment: Treatment, ratePercent: number) => number | undefined

export async function accountsByTreatment(db: Db): Promise<AccountOf> {
  const rows = await db.selectFrom('revenue_account').selectAll().execute()
  const accounts = new Map(rows.map(({ treatment, rate, account }) => [`${treatment} ${rate}`, account]))
  return (treatment, percent) => accounts.get(`${treatment} ${hundredths(percent)}`)
}

/**
 * Looks up the account for taxed margins by the rate of the VAT in them. It may be undefined, because nobody must set
 * this account.
 */
export async function accountsByMarginRate(db: Db): Promise<(ratePercent: number) => number | undefined> {
  const rows = await db.selectFrom('margin_account').selectAll().execute()
  const accounts = new Map(rows.map(({ rate, account }) => [rate, account]))
  return (percent) => accounts.get(hundredths(percent))
}

const hundredths = (percent: number): RateHundredths => Math.round(percent * 100)

/** Saves the settings. Throws 422 under the field if an account has more digits than `account_length` allows. */
export async function editSettings(
  tx: Tx,
  { revenue_accounts = [], margin_accounts = [], credit_accounts = [], ...input }: AccountingSettingsInput,
  actor: Actor,
): Promise<AccountingSettings> {
  const before = await settings(tx).forNoKeyUpdate().executeTakeFirstOrThrow()
  await refuseStale(tx, before, input.updated_at)
  const after = patched(before, input, OwnFields)
  const problems: Record<string, string> = {}
  const length = after.account_length
  const most = personalDigits(length)
  for (const field of ['debtor_account', 'creditor_account', 'debtor_first', 'debtor_last'] as const)
    if (after[field] !== null && String(after[field]).length > most)
      problems[field] = `At most ${most} digits, one more than other accounts have.`
  const { debtor_first: first, debtor_last: last } = after
  if (first !== null && last !== null && last < first) problems['debtor_last'] = 'Must not be below the first number.'
  if ((first === null) !== (last === null))
    problems[first === null ? 'debtor_first' : 'debtor_last'] = 'A range needs its first and its last number.'
  if (after.bank_account !== null && String(after.bank_account).length > length)
    problems['bank_account'] = `At most ${length} digits.`
  margin_accounts.forEach(({ account }, at) => {
    if (account !== null && String(account).length > length)
      problems[`margin_accounts.${at}.account`] = `At most ${length} digits.`
  })
  revenue_accounts.forEach(({ treatment, rate, account }, at) => {
    if (account !== null && String(account).length > length)
      problems[`revenue_accounts.${at}.account`] = `At most ${length} digits.`
    if (rate > 0 && treatment !== 'standard')
      problems[`revenue_accounts.${at}.rate`] = 'Only the treatment With VAT has a rate.'
  })
  credit_accounts.forEach(({ account }, at) => {
    if (account !== null && String(account).length > length)
      problems[`credit_accounts.${at}.account`] = `At most ${length} digits.`
  })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  await tx
    .updateTable('accounting_settings')
    .set({ ...after, updated_by: actor.id })
    .execute()
  await setAccounts(tx, revenue_accounts)
  await setMarginAccounts(tx, margin_accounts)
  await setCreditAccounts(tx, credit_accounts)
  if (first !== null && last !== null) await giveDebtorNumbers(tx, actor.id, { first, last })
  const {
    rows: [tooLong],
  } = await sql<{ account: number }>`
    select account from (
      select account from revenue_account union all select account from margin_account
      union all select account from credit_account) accounts
    where account >= ${10 ** length} order by account limit 1`.execute(tx)
  if (tooLong) throw invalid({ account_length: `Account ${tooLong.account} has more digits.` })
  const { rows: longest } = await sql<{ debtor_number: number }>`
    select debtor_number from customer where debtor_number >= ${10 ** most} order by debtor_number limit 1`.execute(tx)
  if (longest[0]) throw invalid({ account_length: `Debtor number ${longest[0].debtor_number} has more digits.` })
  return settingsOf(tx)
}

/**
 * Sets the accounts of these treatments and rates. If two entries have the same treatment and rate, the later one
 * counts.
 */
async function setAccounts(tx: Tx, sent: NonNullable<AccountingSettingsInput['revenue_accounts']>): Promise<void> {
  if (sent.length === 0) return
  const last = new Map(
    sent.map(({ treatment, rate, account }) => [`${treatment} ${rate}`, { treatment, rate, account }]),
  )
  const named = [...last.values()].map((one) => ({ ...one, rate: hundredths(one.rate) }))
  await sql`
    delete from revenue_account using json_to_recordset(${JSON.stringify(named)}) as named (treatment text, rate int)
    where revenue_account.treatment = named.treatment and revenue_account.rate = named.rate`.execute(tx)
  const set = named.flatMap(({ account, ...of }) => (account === null ? [] : [{ ...of, account }]))
  if (set.length > 0) await tx.insertInto('revenue_account').values(set).execute()
}

async function setMarginAccounts(tx: Tx, sent: NonNullable<AccountingSettingsInput['margin_accounts']>): Promise<void> {
  if (sent.length === 0) return
  const last = new Map(sent.map(({ rate, account }) => [hundredths(rate), account]))
  await sql`delete from margin_account where rate = any(${[...last.keys()]}::int[])`.execute(tx)
  const set = [...last].flatMap(([rate, account]) => (account === null ? [] : [{ rate, account }]))
  if (set.length > 0) await tx.insertInto('margin_account').values(set).execute()
}

async function setCreditAccounts(tx: Tx, sent: NonNullable<AccountingSettingsInput['credit_accounts']>): Promise<void> {
  if (sent.length === 0) return
  const last = [...new Map(sent.map((one) => [one.treatment, one])).values()]
  await sql`delete from credit_account where treatment = any(${last.map(({ treatment }) => treatment)}::text[])`.execute(
    tx,
  )
  const set = last.flatMap(({ account, treatment }) => (account === null ? [] : [{ treatment, account }]))
  if (set.length > 0) await tx.insertInto('credit_account').values(set).execute()
}
