import type { AccountingSettings, BookedDocument } from '@backstock/contract/accounting.ts'
import { fiscalYearStart } from '@backstock/contract/period.ts'
import { type PurchaseTreatment, TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import { compactVatNumber } from '@backstock/contract/vat-territory.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { single } from '../../lists.ts'
import { inCp1252 } from '../../render/datev/cp1252.ts'
import { datevHead, datevLine } from '../../render/datev/datev.ts'
import { guardCell } from '../stock/csv-cell.ts'
import type { Period } from './period.ts'
import { postedCredits } from './purchases.ts'
import { accountsByTreatment, creditAccountsByTreatment, settingsOf } from './settings.ts'

type Totals = readonly { treatment: Treatment; rate: number }[]

/**
 * The settings that a DATEV file of this period still needs, in words. They depend on the treatments and rates of its
 * documents, and on its supplier credits.
 */
export async function datevLacks(db: Db, period: Period, totals: Totals): Promise<string[]> {
  const settings = await settingsOf(db)
  const account = await accountsByTreatment(db)
  const creditAccount = await creditAccountsByTreatment(db)
  const credits = [...new Set((await postedCredits(db, period)).map(({ treatment }) => treatment))]
  return [
    ...(settings.consultant_number === null ? ['the consultant number'] : []),
    ...(settings.client_number === null ? ['the client number'] : []),
    ...(settings.debtor_account === null ? ['the customers’ account'] : []),
    ...totals.flatMap(({ treatment, rate }) =>
      account(treatment, rate) === undefined
        ? [`the account of ${TREATMENT_NAMES[treatment]}${rate > 0 ? ` ${rate}%` : ''}`]
        : [],
    ),
    ...(credits.length > 0 && settings.creditor_account === null ? ['the suppliers’ account'] : []),
    ...credits.flatMap((treatment) =>
      creditAccount(treatment) === undefined
        ? [`the account of suppliers’ credits for purchases ${WORDS[treatment]}`]
        : [],
    ),
    ...(isInOneYear(settings, period) ? [] : ['a period within one fiscal year']),
  ]
}

const WORDS: Record<PurchaseTreatment, string> = {
  unknown: 'of unknown VAT',
  standard: 'with VAT',
  margin: 'under the margin scheme',
  reverse_charge: 'under reverse charge',
  intra_community: 'from the Community',
  import: 'from outside the Community',
}

const isInOneYear = ({ fiscal_month }: AccountingSettings, { from, to }: Period) =>
  fiscalYearStart(from, fiscal_month) === fiscalYearStart(to, fiscal_month)

/** Throws 409 with the settings that are missing, if there are any. */
export function refuseLacks(lacks: readonly string[]): void {
  if (lacks.length > 0) throw conflict(`A DATEV file needs ${lacks.join(', ')}.`)
}

/**
 * The documents of a period as a DATEV posting batch: one booking with VAT for each treatment and rate of a document,
 * against the customers' account. The supplier credits follow, by claim, against the suppliers' account. Bookings have
 * no tax key, because each revenue account implies its VAT. Throws if an account is not set.
 */
export async function* datevFile(
  db: Db,
  period: Period,
  documents: AsyncIterable<BookedDocument[]>,
): AsyncGenerator<Buffer> {
  const { consultant_number, client_number, debtor_account, creditor_account, fiscal_month, account_length } =
    await settingsOf(db)
  if (consultant_number === null || client_number === null || debtor_account === null)
    throw new Error('The settings for DATEV were taken away meanwhile.')
  const account = await accountsByTreatment(db)
  yield datevHead({
    created: await now(db),
    consultant: consultant_number,
    client: client_number,
    yearStart: fiscalYearStart(period.from, fiscal_month),
    accountLength: account_length,
    ...period,
  })
  for await (const some of documents) {
    const lines = some.flatMap(({ parts, buyer_name, buyer_vat_number, ...document }) =>
      parts.flatMap(({ treatment, rate, net, vat }) => {
        if (net + vat === 0) return []
        const against = account(treatment, rate)
        if (against === undefined) throw new Error(`There is no account of ${treatment} ${rate}% (any more).`)
        const isSupply = treatment === 'intra_community' && buyer_vat_number !== null
        const buyersVatNumber = isSupply ? compactVatNumber(buyer_vat_number) : null
        // The cell is guarded after the encoding, because that can turn harmless signs into those of a formula.
        const text = guardCell(inCp1252(buyer_name))
        return [datevLine({ ...document, gross: net + vat, personal: debtor_account, against, text, buyersVatNumber })]
      }),
    )
    yield Buffer.concat(lines)
  }
  yield* creditLines(db, period, creditor_account)
}

async function* creditLines(db: Db, period: Period, personal: number | null): AsyncGenerator<Buffer> {
  const credits = await postedCredits(db, period)
  if (credits.length === 0) return
  const account = await creditAccountsByTreatment(db)
  const lines = credits.map(({ booked_on, claim_id, reference, supplier, amount, treatment }) => {
    const against = account(treatment)
    if (against === undefined || personal === null)
      throw new Error('The accounts of suppliers’ credits were taken away meanwhile.')
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
