import type { BookEntriesInput } from '@backstock/contract/bank-entry.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { shownDay } from '@backstock/contract/time.ts'
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { conflict, invalid, missing } from '../../http/refusal.ts'
import { getFrom, zip } from '../../lists.ts'
import { lock } from '../../records/lock.ts'
import { isStale, refuseStale } from '../../records/log/stale.ts'
import type { Author } from '../../records/log/write.ts'
import { daysToCome } from '../company.ts'
import { payMany } from '../sale/payment/pay.ts'

type EntryRecord = Selectable<Tables['bank_entry']>
const money = (amount: number) => `${formatMoney(Math.abs(amount))} ${CURRENCY}`

/**
 * Books entries as payments of sales: all of them, or none. Throws 404; 409 if an entry or a sale has changed since the
 * person saw it; 422 if the payments go in the other direction than the entry, or exceed its amount, or if the entry's
 * day is in the future.
 */
export async function bookEntries(
  tx: Tx,
  { entries }: BookEntriesInput,
  author: { userId: number },
): Promise<{ entries: number; payments: number; warnings: string[] }> {
  const ids = entries.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw invalid({ entries: 'Each entry can be booked only once.' })
  const wanted = entries.flatMap(({ id, payments }) => payments.map((payment) => ({ entry_id: id, ...payment })))
  const { sales } = await lock(tx, { sales: wanted.map(({ sale_id }) => sale_id) })
  const locked = await lockEntries(tx, ids)
  for (const { id, updated_at, payments } of entries) {
    const entry = locked.get(id)
    if (!entry) throw missing(`Bank entry #${id}`)
    if (entry.state === 'booked') throw conflict(`Bank entry #${id} is booked already.`)
    if (entry.state === 'aside') throw conflict(`Bank entry #${id} is set aside. Put it back first.`)
    if (isStale(entry, updated_at)) throw conflict(`Bank entry #${id} has changed meanwhile. Check it again.`)
    refuseBeyond(entry, payments)
  }
  await refuseToCome(tx, [...locked.values()])
  for (const { sale_id, open_amount } of wanted) {
    const sale = sales.get(sale_id)
    if (!sale) throw missing(`Sale #${sale_id}`)
    if (sale.open_amount !== open_amount)
      throw conflict(
        `The open amount of ${sale.invoice_number ?? `sale #${sale_id}`} has changed meanwhile. Check it again.`,
      )
  }
  const paid = await payMany(
    tx,
    wanted.map(({ entry_id, sale_id, amount }) => {
      const { booked_on, name } = getFrom(locked, entry_id)
      const note = `Bank entry #${entry_id}${name ? `, ${name}` : ''}`.slice(0, 255).toWellFormed()
      return { sale_id, paid_on: booked_on, amount, note }
    }),
    author,
  )
  await sql`
    insert into bank_booking (payment_id, entry_id)
    select * from unnest(${paid.map(({ id }) => id)}::int[], ${wanted.map(({ entry_id }) => entry_id)}::int[])`.execute(
    tx,
  )
  await tx.updateTable('bank_entry').set({ updated_by: author.userId }).where('id', 'in', ids).execute()
  return {
    entries: ids.length,
    payments: paid.length,
    warnings: zip(paid, wanted).flatMap(([{ warning }, { sale_id }]) => {
      const { id, invoice_number } = getFrom(sales, sale_id)
      return warning === undefined ? [] : [`${invoice_number ?? `Sale #${id}`}: ${warning}`]
    }),
  }
}

/** Sets an entry aside because it belongs to no sale, or makes it open again. Throws 404 or 409. */
export async function setAside(
  tx: Tx,
  id: number,
  { is_aside, updated_at }: { is_aside: boolean; updated_at?: string | undefined },
  { userId }: Author,
): Promise<void> {
  const entry = (await lockEntries(tx, [id])).get(id)
  if (!entry) throw missing(`Bank entry #${id}`)
  await refuseStale(tx, entry, updated_at)
  if (entry.is_aside === is_aside) return
  if (entry.booked !== 0) {
    const what = entry.state === 'booked' ? 'This entry' : 'A part of this entry'
    throw conflict(`${what} is booked. First reverse its payments on their sales.`)
  }
  await tx
    .updateTable('bank_entry')
    .set({ is_aside, updated_by: userId ?? null })
    .where('id', '=', id)
    .execute()
}

async function lockEntries(tx: Tx, ids: readonly number[]): Promise<Map<number, EntryRecord>> {
  const { rows } = await sql<EntryRecord>`
    select * from bank_entry where id = any(${[...ids]}::int[]) order by id for no key update`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Throws 422 if the bank dates entries in the future, for example those of a weekend on Monday. */
async function refuseToCome(tx: Tx, entries: readonly EntryRecord[]): Promise<void> {
  const days = await daysToCome(
    tx,
    entries.map(({ booked_on }) => booked_on),
  )
  const early = entries
    .filter(({ booked_on }) => days.has(booked_on))
    .map(({ amount, name, booked_on }) => `${money(amount)}${name ? ` (${name})` : ''} on ${shownDay(booked_on)}`)
  if (early.length === 0) return
  throw invalid({
    entries: `These entries have a date in the future: ${early.join(', ')}. Leave them out until then.`,
  })
}

function refuseBeyond(entry: EntryRecord, payments: readonly { sale_id: number; amount: number }[]): void {
  const rest = entry.amount - entry.booked
  const isTwice = new Set(payments.map(({ sale_id }) => sale_id)).size < payments.length
  if (isTwice) throw invalid({ payments: 'Choose each sale only once for an entry.' })
  if (payments.some(({ amount }) => Math.sign(amount) !== Math.sign(rest)))
    throw invalid({
      payments:
        rest > 0
          ? 'This money came in: its payments must be above 0.'
          : 'This money went out: its payments must be below 0.',
    })
  const sum = payments.reduce((total, { amount }) => total + amount, 0)
  if (Math.abs(sum) > Math.abs(rest))
    throw invalid({ payments: `The payments come to ${money(sum)}; ${money(rest)} of the entry is left.` })
}
