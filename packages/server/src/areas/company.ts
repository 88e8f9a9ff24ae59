import { type FieldErrors, writeAnswer } from '@backstock/contract/answer.ts'
import { Company, CompanyEdit, CompanyInput } from '@backstock/contract/company.ts'
import { countryName } from '@backstock/contract/country.ts'
import { IN_FUTURE, isInFuture } from '@backstock/contract/future-day.ts'
import { ibanProblem } from '@backstock/contract/iban-check.ts'
import { shownIban } from '@backstock/contract/party-numbers.ts'
import { USUAL_CATEGORIES } from '@backstock/contract/usual-categories.ts'
import { usualVat } from '@backstock/contract/usual-vat.ts'
import { vatNumberProblem } from '@backstock/contract/vat-number-check.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import { done, SUCCESS, warned } from '../http/answer.ts'
import { fieldsOf, isChanged, patched } from '../http/crud.ts'
import { FORM, ownBody } from '../http/openapi.ts'
import { invalid } from '../http/refusal.ts'
import { type Actor, actorOf } from '../http/session.ts'
import type { App } from '../http/typed-routes.ts'
import { first, single } from '../lists.ts'
import { readFile, storeFile } from '../records/file.ts'
import { refuseStale } from '../records/log/stale.ts'
import { redrawnUpload } from '../records/picture-upload.ts'
import { invoiceAddress } from '../render/invoice/data.ts'
import type { Sender } from '../render/invoice/letterhead.ts'

const profile = (db: Db) =>
  db.selectFrom('company').select([...fieldsOf(CompanyInput), 'logo_file_id', 'updated_at', 'updated_by'])

/** A row with its margin rate in percent. The table keeps hundredths of a percent. */
const percent = <Row extends { margin_rate: RateHundredths | null }>(row: Row) => ({
  ...row,
  margin_rate: row.margin_rate === null ? null : row.margin_rate / 100,
})

/** The seller's profile in the form of the answer. */
async function companyOf(db: Db): Promise<Company> {
  const { logo_file_id, updated_by: _, ...company } = percent(await profile(db).executeTakeFirstOrThrow())
  const logo = logo_file_id === null ? null : await readFile(db, logo_file_id)
  return { ...company, logo: logo && asDataUrl(logo) }
}

const asDataUrl = ({ media_type, content }: { media_type: string; content: Buffer }) =>
  `data:${media_type};base64,${content.toString('base64')}`

/** The seller as documents print it, and the date of today by the seller's clock. */
export async function senderOf(db: Db): Promise<{ sender: Sender; today: string }> {
  const company = await db
    .selectFrom('company')
    .selectAll()
    .select(sql<string>`(now() at time zone time_zone)::date`.as('today'))
    .executeTakeFirstOrThrow()
  const { name, vat_number, registration, email, phone, country_code, logo_file_id, today } = company
  const logo = logo_file_id === null ? null : await readFile(db, logo_file_id)
  const address = invoiceAddress({ ...company, country: countryName(country_code) })
  return { sender: { name, address, vat_number, registration, email, phone, logo: logo && asDataUrl(logo) }, today }
}

/** The date of today (yyyy-mm-dd) in the company's time zone. */
export async function todayOf(db: Db): Promise<string> {
  const { rows } = await sql<{ today: string }>`
    select (now() at time zone time_zone)::date as today from company`.execute(db)
  return single(rows).today
}

/** Those of some days that are in the future (`isInFuture`). */
export async function daysToCome(tx: Tx, days: readonly string[]): Promise<Set<string>> {
  const today = await todayOf(tx)
  return new Set(days.filter((day) => isInFuture(day, today)))
}

/** The error of a field whose day is in the future. Tomorrow is allowed, as in `daysToCome`. */
export async function futureError(tx: Tx, field: string, day: string | null | undefined): Promise<FieldErrors> {
  if (day === null || day === undefined) return {}
  return (await daysToCome(tx, [day])).size > 0 ? { [field]: IN_FUTURE } : {}
}

/** Throws 422 if the day in this field is in the future. */
export async function refuseFuture(tx: Tx, field: string, day: string): Promise<void> {
  const error = await futureError(tx, field, day)
  if (Object.keys(error).length) throw invalid(error)
}

async function editCompany(tx: Tx, input: CompanyEdit, actor: Actor): Promise<Company> {
  const before = percent(await profile(tx).forNoKeyUpdate().executeTakeFirstOrThrow())
  await refuseStale(tx, before, input.updated_at)
  const after = patched(before, input, CompanyInput)
  if (after.time_zone !== before.time_zone) await refuseUnknownZone(tx, after.time_zone)
  if (input.with_usual_vat) {
    const usual = await addUsualVat(tx, after.country_code)
    // A rate that somebody has entered stays.
    after.margin_rate ??= usual
  }
  if (input.with_usual_categories) await addUsualCategories(tx)
  if (isChanged(before, after))
    await tx
      .updateTable('company')
      .set({ ...after, margin_rate: after.margin_rate && Math.round(after.margin_rate * 100), updated_by: actor.id })
      .execute()
  return companyOf(tx)
}

/**
 * Throws 422 for a time zone that Node knows and PostgreSQL does not. Each has time zones of its own, which may be of
 * another year, and each query with such a zone would fail.
 */
async function refuseUnknownZone(tx: Tx, zone: string): Promise<void> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(tx)
  if (rows.length === 0)
    throw invalid({ time_zone: `The database does not know ${zone}. Choose another zone with the same time.` })
}

/**
 * Adds the usual VAT rates of a country if there are no rates. Returns the rate for the margin scheme; null if it added
 * none.
 */
async function addUsualVat(tx: Tx, country: string | null): Promise<number | null> {
  const usual = usualVat(country)
  if (usual.length === 0 || (await tx.selectFrom('vat').select('id').limit(1).executeTakeFirst())) return null
  const values = usual.map((vat) => ({ ...vat, rate: Math.round(vat.rate * 100) }))
  await tx.insertInto('vat').values(values).execute()
  return first(usual.filter(({ rate }) => rate > 0)).rate
}

/** Adds the usual categories if the shop has no categories. */
async function addUsualCategories(tx: Tx): Promise<void> {
  if (await tx.selectFrom('category').select('id').limit(1).executeTakeFirst()) return
  await tx
    .insertInto('category')
    .values(USUAL_CATEGORIES.map((name) => ({ name })))
    .execute()
}

function numberProblems({ vat_number, country_code, iban }: Company): string[] {
  const problems = [
    vatNumberProblem(vat_number, country_code, vat_number ?? ''),
    ibanProblem(iban, shownIban(iban ?? '')),
  ]
  return problems.filter((problem) => problem !== null)
}

/**
 * Sets the logo of invoices. The file of the previous logo stays if invoices show it, because they may be rendered again.
 */
async function setLogo(tx: Tx, content: Uint8Array | null): Promise<Company> {
  // The lock makes this edit wait for invoices that are being ordered with the previous logo. New orders wait for this
  // edit.
  const { logo_file_id: before } = await tx
    .selectFrom('company')
    .select('logo_file_id')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const logo_file_id = content && (await storeFile(tx, { name: 'logo.png', mediaType: 'image/png', content }))
  await tx.updateTable('company').set({ logo_file_id }).execute()
  if (before !== null)
    await tx
      .deleteFrom('file')
      .where('id', '=', before)
      .where(
        sql<boolean>`not exists (select from document_version where (data -> 'logo_file_id') = to_jsonb(${before}::int))`,
      )
      .where(sql<boolean>`not exists (select from purchase_receipt where logo_file_id = ${before})`)
      .execute()
  return companyOf(tx)
}

/** The routes `GET company`, `POST company/edit`, `POST` and `DELETE company/logo`, for administrators. */
export function companyRoutes(app: App, db: Database): void {
  const answer = z.object({ success: z.literal(true), data: Company })
  const saved = writeAnswer(Company)
  app.get('/api/company', { schema: { response: { 200: answer } }, config: { access: 'admin' } }, async () => ({
    ...SUCCESS,
    data: await companyOf(db.read),
  }))
  app.route({
    method: ['POST', 'PATCH'],
    url: '/api/company/edit',
    schema: { body: CompanyEdit, response: { 200: saved } },
    config: { access: 'admin' },
    handler: async (request) => {
      const company = await db.write((tx) => editCompany(tx, request.body, actorOf(request)))
      const problems = numberProblems(company)
      return problems.length
        ? warned(['Company saved.', ...problems].join(' '), company)
        : done('Company saved.', company)
    },
  })
  const logo = { schema: { response: { 200: saved } }, config: { access: 'admin' as const } }
  const upload = { ...logo, schema: { ...logo.schema, ...ownBody(z.object({ logo: z.file() }), FORM) } }
  app.post('/api/company/logo', upload, async (request) => {
    const content = await redrawnUpload(request, 'logo', { format: 'png', width: 600, height: 240 })
    return done('Logo saved.', await db.write((tx) => setLogo(tx, content)))
  })
  app.delete('/api/company/logo', logo, async () => done('Logo removed.', await db.write((tx) => setLogo(tx, null))))
}
