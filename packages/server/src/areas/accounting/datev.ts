import type { AccountingSettings, BookedDocument } from '@backstock/contract/accounting.ts'
import { fiscalYearStart } from '@backstock/contract/period.ts'
import { someAnd } from '@backstock/contract/some-of.ts'
import { PURCHASE_TREATMENT_NAMES, type Treatment, treatmentAt } from '@backstock/contract/treatment.ts'
import { compactVatNumber } from '@backstock/contract/vat-territory.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { single } from '../../lists.ts'
import { inCp1252 } from '../../render/datev/cp1252.ts'
import { datevHead, datevLine } from '../../render/datev/datev.ts'
import { guardCell } from '../stock/csv-cell.ts'
import { taxedMargins } from './margins.ts'
import { type PostedPayment, postedPayments } from './payments.ts'
import type { Period } from './period.ts'
import { correctedMargins, postedCredits } from './purchases.ts'
import { accountsByMarginRate, accountsByTreatment, creditAccountsByTreatment, settingsOf } from './settings.ts'

type Totals = readonly { treatment: Treatment; rate: number }[]

/**
 * The settings that a DATEV file of this period still needs, in words. They depend on the treatments and rates of its
 * documents, and on its supplier credits.
 */
export async function datevLacks(db: Db, period: Period, totals: Totals): Promise<string[]> {
  const settings = await settingsOf(db)
  const account = await accountsByTreatment(db)
  const isMarginSold = totals.some(({ treatment }) => treatment === 'margin')
  const booked = isMarginSold ? totals : [...totals, ...(await correctedTotals(db, period))]
  const creditAccount = await creditAccountsByTreatment(db)
  const credits = [...new Set((await postedCredits(db, period)).map(({ treatment }) => treatment))]
  return [
    ...(settings.consultant_number === null ? ['the consultant number'] : []),
    ...(settings.client_number === null ? ['the client number'] : []),
    ...(settings.debtor_account === null ? ['the customers’ account'] : []),
    ...booked.flatMap(({ treatment, rate }) =>
      account(treatment, rate) === undefined ? [`the account of ${treatmentAt(treatment, rate)}`] : [],
    ),
    ...(credits.length > 0 && settings.creditor_account === null ? ['the suppliers’ account'] : []),
    ...credits.flatMap((treatment) =>
      creditAccount(treatment) === undefined
        ? [`the account of suppliers’ credits for ‘Bought: ${PURCHASE_TREATMENT_NAMES[treatment]}’`]
        : [],
    ),
    ...(isInOneYear(settings, period) ? [] : ['a period within one fiscal year']),
  ]
}

/** The total that the changes of taxed margins need an account for; empty if the file of the period has none of them. */
async function correctedTotals(db: Db, period: Period): Promise<Totals> {
  const margins = await marginAccounts(db)
  const isBooked = (await correctedMargins(db, period)).some(({ rate }) => margins(rate) !== undefined)
  return isBooked ? [{ treatment: 'margin', rate: 0 }] : []
}

const isInOneYear = ({ fiscal_month }: AccountingSettings, { from, to }: Period) =>
  fiscalYearStart(from, fiscal_month) === fiscalYearStart(to, fiscal_month)

/** Throws 409 with the settings that are missing, if there are any. */
export function refuseLacks(lacks: readonly string[]): void {
  if (lacks.length > 0) throw conflict(`A DATEV file needs ${someAnd(lacks, lacks.length)}.`)
}

/**
 * The documents of a period as a DATEV posting batch: one booking with VAT for each treatment and rate of a document,
 * against the customer's account. A sale under the margin scheme has two bookings if the taxed margin has an account.
 * The payments follow, if the bank has an account; then the supplier credits by claim, and the changes of taxed margins
 * by them. Bookings have no tax key, because each revenue account implies its VAT. Throws if an account is not set.
 */
export async function* datevFile(
  db: Db,
  period: Period,
  documents: AsyncIterable<BookedDocument[]>,
): AsyncGenerator<Buffer> {
  const settings = await settingsOf(db)
  const { consultant_number, client_number, debtor_account, fiscal_month, account_length } = settings
  if (consultant_number === null || client_number === null || debtor_account === null)
    throw new Error('The settings for DATEV have been removed meanwhile.')
  yield datevHead({
    created: await now(db),
    consultant: consultant_number,
    client: client_number,
    yearStart: fiscalYearStart(period.from, fiscal_month),
    accountLength: account_length,
    ...period,
  })
  const margins = await marginAccounts(db)
  for await (const some of documents) yield Buffer.concat(await documentLines(db, some, debtor_account, margins))
  if (settings.bank_account !== null)
    for await (const some of postedPayments(db, period))
      yield Buffer.concat(paymentLines(some, debtor_account, settings.bank_account))
  yield* creditLines(db, period, settings.creditor_account)
  yield Buffer.concat(await correctionLines(db, period, margins))
}

type AccountOfMargin = (ratePercent: number) => number | undefined

/**
 * Looks up the accounts for taxed margins. There are none if VAT is owed on the margin of a period, because no document
 * has a part of that margin.
 */
async function marginAccounts(db: Db): Promise<AccountOfMargin> {
  const { margin_method } = await db.selectFrom('company').select('margin_method').executeTakeFirstOrThrow()
  return margin_method === 'period' ? () => undefined : accountsByMarginRate(db)
}

/**
 * The bookings of documents. A credit note has the number of its invoice, so that the accounting program settles one
 * with the other; its own number is in the text.
 */
async function documentLines(
  db: Db,
  documents: readonly BookedDocument[],
  debtors: number,
  marginAccount: AccountOfMargin,
): Promise<Buffer[]> {
  const account = await accountsByTreatment(db)
  const ids = documents.map(({ id }) => id)
  const own = await debtorNumbers(db, ids)
  const margins = Map.groupBy(await taxedMargins(db, ids), ({ document_id }) => document_id)
  return documents.flatMap(({ id, parts, buyer_name, buyer_vat_number, number, credits_number, issued_on }) =>
    parts.flatMap(({ treatment, rate, net, vat }) => {
      const taxed = treatment === 'margin' ? (margins.get(id) ?? []) : []
      const split = taxed.flatMap(({ rate, margin }) => {
        const against = marginAccount(rate)
        return against === undefined ? [] : [{ gross: margin, against }]
      })
      const rest = net + vat - split.reduce((sum, { gross }) => sum + gross, 0)
      const against = account(treatment, rate)
      if (against === undefined) throw new Error(`There is no account for ${treatment} ${rate}%.`)
      const isSupply = treatment === 'intra_community' && buyer_vat_number !== null
      const buyersVatNumber = isSupply ? compactVatNumber(buyer_vat_number) : null
      // The cell is guarded after the encoding, because that can turn harmless signs into those of a formula.
      const text = guardCell(inCp1252(credits_number === null ? buyer_name : `${number} ${buyer_name}`))
      const booking = { personal: own.get(id) ?? debtors, issued_on, number: credits_number ?? number, text }
      return [...split, { gross: rest, against }].flatMap((one) =>
        one.gross === 0 ? [] : [datevLine({ ...booking, ...one, buyersVatNumber })],
      )
    }),
  )
}

/** The account of each document's customer, by document, if the customer has one of its own. */
async function debtorNumbers(db: Db, documents: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; debtor_number: number }>`
    select d.id, c.debtor_number from document d join customer c on c.id = d.customer_id
    where d.id = any(${documents}::int[]) and c.debtor_number is not null`.execute(db)
  return new Map(rows.map(({ id, debtor_number }) => [id, debtor_number]))
}

/** The bookings of payments. Received money is credited to the customer's account. */
const paymentLines = (payments: readonly PostedPayment[], debtors: number, bank: number): Buffer[] =>
  payments.map(({ paid_on, amount, number, debtor_number, buyer_name }) =>
    datevLine({
      ...{ gross: -amount, personal: debtor_number ?? debtors, against: bank, issued_on: paid_on, number },
      ...{ text: guardCell(inCp1252(buyer_name)), buyersVatNumber: null },
    }),
  )

/**
 * The bookings for supplier credits that came after the sale of a margin item. The item cost less in the end, so more of
 * its price is taxed margin: each booking moves this sum from the margin scheme's account to the taxed margin's.
 */
async function correctionLines(db: Db, period: Period, marginAccount: AccountOfMargin): Promise<Buffer[]> {
  const untaxed = (await accountsByTreatment(db))('margin', 0)
  return (await correctedMargins(db, period)).flatMap(({ booked_on, rate, number, supplier, margin }) => {
    const against = marginAccount(rate)
    if (against === undefined) return []
    if (untaxed === undefined) throw new Error('The account of the margin scheme has been removed meanwhile.')
    const text = guardCell(inCp1252(supplier))
    return [
      datevLine({
        gross: margin,
        personal: untaxed,
        against,
        issued_on: booked_on,
        number,
        text,
        buyersVatNumber: null,
      }),
    ]
  })
}

async function* creditLines(db: Db, period: Period, personal: number | null): AsyncGenerator<Buffer> {
  const credits = await postedCredits(db, period)
  if (credits.length === 0) return
  const account = await creditAccountsByTreatment(db)
  const lines = credits.map(({ booked_on, claim_id, reference, supplier, amount, treatment }) => {
    const against = account(treatment)
    if (against === undefined || personal === null)
      throw new Error('The accounts of suppliers’ credits have been removed meanwhile.')
    const number = reference ?? `claim-${claim_id}`
    const text = guardCell(inCp1252(supplier))
    return datevLine({ gross: amount, personal, against, issued_on: booked_on, number, text, buyersVatNumber: null })
  })
  yield Buffer.concat(lines)
}

async function now(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select to_char(now() at time zone time_zone, 'YYYYMMDDHH24MISSMS') as now from company`.execute(db)
  return single(rows).now
}
