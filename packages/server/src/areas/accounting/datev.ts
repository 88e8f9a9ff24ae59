import type { AccountingSettings, BookedDocument } from '@backstock/contract/accounting.ts'
import { fiscalYearStart } from '@backstock/contract/period.ts'
import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import { compactVatNumber } from '@backstock/contract/vat-territory.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { inCp1252 } from '../../render/datev/cp1252.ts'
import { datevHead, datevLine } from '../../render/datev/datev.ts'
import { guardCell } from '../stock/csv-cell.ts'
import type { Period } from './period.ts'
import { accountsByTreatment, settingsOf } from './settings.ts'

type Totals = readonly { treatment: Treatment; rate: number }[]

/** What is still to be set for a DATEV file of this period, whose documents have these treatments and rates. */
export async function datevLacks(db: Db, period: Period, totals: Totals): Promise<string[]> {
  const settings = await settingsOf(db)
  const account = await accountsByTreatment(db)
  return [
    ...(settings.consultant_number === null ? ['the consultant number'] : []),
    ...(settings.client_number === null ? ['the client number'] : []),
    ...(settings.debtor_account === null ? ['the customers’ account'] : []),
    ...totals.flatMap(({ treatment, rate }) =>
      account(treatment, rate) === undefined
        ? [`the account of ${TREATMENT_NAMES[treatment]}${rate > 0 ? ` ${rate}%` : ''}`]
        : [],
    ),
    ...(isInOneYear(settings, period) ? [] : ['a period within one fiscal year']),
  ]
}

const isInOneYear = ({ fiscal_month }: AccountingSettings, { from, to }: Period) =>
  fiscalYearStart(from, fiscal_month) === fiscalYearStart(to, fiscal_month)

/** 409 that names what lacks. */
export function refuseLacks(lacks: readonly string[]): void {
  if (lacks.length > 0) throw conflict(`A DATEV file needs ${lacks.join(', ')}.`)
}

/**
 * The period's documents as a posting batch: for each treatment and rate one booking, with VAT, against the customers'
 * account. It has no tax keys: the revenue accounts are such as know their VAT themselves. Throws where an account is
 * not set.
 */
export async function* datevFile(
  db: Db,
  period: Period,
  documents: AsyncIterable<BookedDocument[]>,
): AsyncGenerator<Buffer> {
  const { consultant_number, client_number, debtor_account, fiscal_month, account_length } = await settingsOf(db)
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
        const revenue = account(treatment, rate)
        if (revenue === undefined) throw new Error(`There is no account of ${treatment} ${rate}% (any more).`)
        const isSupply = treatment === 'intra_community' && buyer_vat_number !== null
        const buyersVatNumber = isSupply ? compactVatNumber(buyer_vat_number) : null
        // Last, since other signs become those of a formula.
        const text = guardCell(inCp1252(buyer_name))
        return [datevLine({ ...document, gross: net + vat, debtor: debtor_account, revenue, text, buyersVatNumber })]
      }),
    )
    yield Buffer.concat(lines)
  }
}

async function now(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select to_char(now() at time zone time_zone, 'YYYYMMDDHH24MISSMS') as now from company`.execute(db)
  return rows[0]!.now
}
