import { type WriteAnswer, writeAnswer } from '@backstock/contract/answer.ts'
import { IN_FUTURE } from '@backstock/contract/future-day.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'
import { CustomerVatChecks, TypedVatCheck } from '@backstock/contract/vat-check.ts'
import { isForVies, viesSaid } from '@backstock/contract/vat-check-doubt.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { done, SUCCESS, warned } from '../../http/answer.ts'
import { IdParams } from '../../http/crud.ts'
import { conflict, invalid, missing, Refusal } from '../../http/refusal.ts'
import { type Actor, actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { checksOf, keepCheck, type NewVatCheck } from './checks.ts'
import { askVies, type ViesAnswer } from './vies.ts'

/** The most questions to VIES at once. VIES itself refuses more than a few. */
const MAX_AT_ONCE = 4

/** A customer's present VAT number. Throws 404 if there is no such customer. */
async function numberOf(db: Db, customerId: number): Promise<string | null> {
  const row = await db.selectFrom('customer').select('vat_number').where('id', '=', customerId).executeTakeFirst()
  if (!row) throw missing(`Customer #${customerId}`)
  return row.vat_number
}

const clock = (db: Db) =>
  db
    .selectFrom('company')
    .select(['vat_number', 'vat_check_days', 'time_zone'])
    .select(sql<string>`(now() at time zone time_zone)::date`.as('today'))
    .executeTakeFirstOrThrow()

async function checksFor(db: Db, customerId: number, { vies }: Config): Promise<CustomerVatChecks> {
  const number = await numberOf(db, customerId)
  const { vat_check_days: days, today } = await clock(db)
  return { may_ask: vies, days, today, ...(await checksOf(db, customerId, number)) }
}

/** The customer's number that VIES can check. Throws 409 if there is none. */
function refuseForeign(number: string | null): string {
  if (isForVies(number)) return number
  throw conflict(
    number === null
      ? 'This customer has no VAT number.'
      : `VIES does not check ${shownVatNumber(number)}: it does not start with an EU country prefix.`,
  )
}

/** Keeps an answer that a person has read. Throws 409 if the customer has another number by now. */
async function keepTyped(tx: Tx, id: number, input: TypedVatCheck, actor: Actor): Promise<NewVatCheck> {
  await tx.selectFrom('customer').select('id').where('id', '=', id).forKeyShare().execute()
  const number = refuseForeign(await numberOf(tx, id))
  if (input.vat_number !== number)
    throw conflict(`This customer’s VAT number is ${shownVatNumber(number)} now: check that one.`)
  const { today } = await clock(tx)
  if (input.checked_on > today) throw invalid({ checked_on: IN_FUTURE })
  const { reference = null, ...said } = input
  const check = { ...said, reference, source: 'typed', name: null, address: null } as const
  await keepCheck(tx, id, check, { userId: actor.id })
  return check
}

/** Keeps an answer that the server got. It belongs to the number that was asked about. */
async function keepAsked(tx: Tx, id: number, number: string, answer: ViesAnswer, actor: Actor): Promise<NewVatCheck> {
  const found = await tx.selectFrom('customer').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  if (!found) throw missing(`Customer #${id}`)
  const { asked_at, ...said } = answer
  const { time_zone, today } = await clock(tx)
  const check = {
    ...({ ...said, source: 'asked', vat_number: number } as const),
    checked_on: dayOf(asked_at, time_zone, today),
  }
  await keepCheck(tx, id, check, { userId: actor.id })
  return check
}

/** The day of an answer by the company's clock. A day that no calendar has, or that is to come, counts as today. */
function dayOf(askedAt: string, time_zone: string, today: string): string {
  const moment = Date.parse(askedAt)
  if (Number.isNaN(moment)) return today
  const day = askedAt.includes('T')
    ? new Date(moment).toLocaleDateString('sv', { timeZone: time_zone })
    : askedAt.slice(0, 10)
  return isCalendarDate(day) && day < today ? day : today
}

/** The answer to a new check. A number that is not valid, and an answer without a reference, are warnings. */
function told(check: NewVatCheck, data: CustomerVatChecks): WriteAnswer<CustomerVatChecks> {
  const message = `${shownVatNumber(check.vat_number)}: ${viesSaid(check)}.`
  return check.is_valid ? done(message, data) : warned(message, data)
}

/** The routes for the checks of a customer's VAT number with VIES. */
export function vatCheckRoutes(app: App, db: Database, config: Config): void {
  const read = { params: IdParams, response: { 200: z.object({ success: z.literal(true), data: CustomerVatChecks }) } }
  const written = { params: IdParams, response: { 200: writeAnswer(CustomerVatChecks) } }
  app.get('/api/customer/:id/vat-checks', { schema: read }, async (request) => ({
    ...SUCCESS,
    data: await checksFor(db.read, request.params.id, config),
  }))
  app.post('/api/customer/:id/vat-check', { schema: { ...written, body: TypedVatCheck } }, async (request) => {
    const { id } = request.params
    const actor = actorOf(request)
    return db.write(async (tx) => {
      const check = await keepTyped(tx, id, request.body, actor)
      return told(check, await checksFor(tx, id, config))
    })
  })
  let asking = 0
  app.post('/api/customer/:id/vat-check/ask', { schema: written }, async (request) => {
    if (!config.vies) throw conflict('This server does not ask VIES, because it was started without VIES=1.')
    const { id } = request.params
    const actor = actorOf(request)
    const number = refuseForeign(await numberOf(db.read, id))
    const { vat_number: own } = await clock(db.read)
    if (asking >= MAX_AT_ONCE) throw conflict('Other numbers are being checked. Please try again in a moment.')
    asking++
    // No transaction is open while VIES answers.
    const result = await askVies(config.viesUrl, number, isForVies(own) ? own : null).finally(() => asking--)
    if ('problem' in result) {
      const { problem, with: refused } = result
      if (refused === 'number') throw conflict(`${shownVatNumber(number)}: ${problem}`)
      throw refused === 'company' ? conflict(problem) : new Refusal(503, problem, { retryAfter: 60 })
    }
    return db.write(async (tx) => {
      const check = await keepAsked(tx, id, number, result.answer, actor)
      return told(check, await checksFor(tx, id, config))
    })
  })
}
