import type { BankEntry, BankEntryQuery } from '@backstock/contract/bank-entry.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, page } from '../../db/page.ts'
import { proposalsFor } from './match/proposals.ts'

const entryRows = (db: Db) =>
  db
    .selectFrom('bank_entry')
    .select([
      'bank_entry.id',
      'bank_entry.file_id',
      sql<string>`(select name from bank_file where id = bank_entry.file_id)`.as('file_name'),
      'bank_entry.account',
      'bank_entry.booked_on',
      'bank_entry.amount',
      'bank_entry.booked',
      'bank_entry.state',
      'bank_entry.is_reversal',
      'bank_entry.name',
      'bank_entry.iban',
      'bank_entry.end_to_end',
      'bank_entry.bank_reference',
      'bank_entry.remittance',
      sql<string | null>`(select name from app_user where id = bank_entry.updated_by)`.as('updated_by_name'),
      'bank_entry.created_at',
      'bank_entry.updated_at',
    ])

type Row = Omit<BankEntry, 'proposal' | 'payments'>

/** An amount in a search in the form in which the table has it: `1,234.50` and `1.234,50` become `1234.50`. */
function amountAsKept(search: string): string {
  const [, units, cents] = /^-?(\d{1,3}(?:[.,' ]?\d{3}){0,3})[.,](\d\d)$/.exec(search.slice(0, 30)) ?? []
  return units === undefined ? search : `${units.replace(/\D/g, '')}.${cents}`
}

/** One page of entries, each with its payments, or with its proposal if it is open. */
export async function findEntries(db: Db, query: BankEntryQuery): Promise<Found<BankEntry>> {
  const { state, file_id, from, to } = query
  const search = query.search && amountAsKept(query.search)
  const { rows, total } = await page(
    entryRows(db),
    { ...query, search },
    {
      table: 'bank_entry',
      where: (all) =>
        all
          .$if(state !== undefined, (q) => q.where(sql<boolean>`bank_entry.state = any(${state}::text[])`))
          .$if(file_id !== undefined, (q) => q.where(sql<boolean>`bank_entry.file_id = any(${file_id}::int[])`))
          .$if(from !== undefined, (q) => q.where(sql<boolean>`bank_entry.booked_on >= ${from}::date`))
          .$if(to !== undefined, (q) => q.where(sql<boolean>`bank_entry.booked_on <= ${to}::date`)),
      sort: { id: 'bank_entry.id', booked_on: 'bank_entry.booked_on', amount: 'bank_entry.amount' },
    },
  )
  return { rows: await withPayments(db, rows), total }
}

export async function entryOf(db: Db, id: number): Promise<BankEntry | undefined> {
  const row = await entryRows(db).where('bank_entry.id', '=', id).executeTakeFirst()
  return row && (await withPayments(db, [row]))[0]
}

async function withPayments(db: Db, rows: readonly Row[]): Promise<BankEntry[]> {
  const open = rows.filter(({ state }) => state === 'open' || state === 'partly')
  const booked = rows.filter((row) => row.booked !== 0)
  const [proposals, payments] = await Promise.all([
    proposalsFor(
      db,
      open.map((row) => ({ ...row, rest: row.amount - row.booked })),
    ),
    paymentsOfEntries(
      db,
      booked.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => ({ ...row, proposal: proposals.get(row.id) ?? null, payments: payments.get(row.id) ?? [] }))
}

/** The payments that were booked from entries, by entry. Payments that somebody took back are left out. */
async function paymentsOfEntries(db: Db, ids: readonly number[]): Promise<Map<number, BankEntry['payments']>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<BankEntry['payments'][number] & { entry_id: number }>`
    select b.entry_id, p.id, p.sale_id, s.invoice_number, p.amount,
      coalesce(s.buyer ->> 'company_name', s.buyer ->> 'full_name') as buyer_name
    from bank_booking b join payment p on p.id = b.payment_id join sale s on s.id = p.sale_id
    where b.entry_id = any(${[...ids]}::int[]) and not exists (select from payment undo where undo.undoes_id = p.id)
    order by p.id`.execute(db)
  const byEntry = Map.groupBy(rows, ({ entry_id }) => entry_id)
  return new Map([...byEntry].map(([id, some]) => [id, some.map(({ entry_id: _, ...payment }) => payment)]))
}
