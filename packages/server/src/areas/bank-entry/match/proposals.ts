import type { Proposal } from '@backstock/contract/bank-entry.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { namedNumbers } from './named-numbers.ts'
import { type Facts, type MatchedSale, type NumberedDocument, type OpenEntry, propose, textOf } from './propose.ts'

/** The most open sales with the same amount that are compared, the oldest first. */
const ALIKE = 30
/** The most open sales of a known payer that are compared. */
const OWED = 100

/** The proposals for entries that are not wholly booked, by the ids of the entries. */
export async function proposalsFor(db: Db, entries: readonly OpenEntry[]): Promise<Map<number, Proposal>> {
  if (entries.length === 0) return new Map()
  const [documents, customersOf] = await Promise.all([documentsNamed(db, entries), payersKnown(db, entries)])
  const customers = [...customersOf.values()].flatMap((ids) => [...ids])
  const sales = await salesThatFit(db, entries, documents, customers)
  return propose(entries, { documents, sales, customersOf } satisfies Facts)
}

/** The documents whose numbers the entries' texts name. A number without a year finds only documents of open sales. */
async function documentsNamed(db: Db, entries: readonly OpenEntry[]): Promise<NumberedDocument[]> {
  const numbers = entries.flatMap((entry) => namedNumbers(textOf(entry)))
  const dated = numbers.filter(({ year }) => year !== null)
  const { rows } = await sql<NumberedDocument>`
    select d.sale_id, d.printed, d.year, d.number from document d join sale s on s.id = d.sale_id
    where d.number = any(${[...new Set(numbers.map(({ number }) => number))]}::int[])
      and (s.open_amount <> 0 or (d.year, d.number) in (
        select * from unnest(${dated.map(({ year }) => year)}::int[],
          ${dated.map(({ number }) => number)}::int[])))`.execute(db)
  return rows
}

/** For each IBAN, the customers whose sales were paid by earlier entries from it. */
async function payersKnown(db: Db, entries: readonly OpenEntry[]): Promise<Map<string, Set<number>>> {
  const ibans = [...new Set(entries.flatMap(({ iban }) => iban ?? []))]
  const { rows } = await sql<{ iban: string; customer_id: number }>`
    select distinct e.iban, s.customer_id
    from bank_entry e join bank_booking b on b.entry_id = e.id join payment p on p.id = b.payment_id
      join sale s on s.id = p.sale_id
    where e.booked <> 0 and e.iban = any(${ibans}::text[])
      and not exists (select from payment undo where undo.undoes_id = p.id)`.execute(db)
  const known = new Map<string, Set<number>>()
  for (const { iban, customer_id } of rows) known.set(iban, (known.get(iban) ?? new Set()).add(customer_id))
  return known
}

/** The sales that entries name, open sales with the amount of an entry, and open sales of known payers. */
async function salesThatFit(
  db: Db,
  entries: readonly OpenEntry[],
  documents: readonly NumberedDocument[],
  customers: readonly number[],
): Promise<Map<number, MatchedSale>> {
  const { rows } = await sql<MatchedSale>`
    with fits as (
      select unnest(${documents.map(({ sale_id }) => sale_id)}::int[]) as id
      union
      select id from (select id, row_number() over (partition by open_amount order by id) as nth from sale
        where open_amount <> 0 and open_amount = any(${entries.map(({ rest }) => rest)}::bigint[])) alike where nth <= ${ALIKE}
      union
      select id from (select id, row_number() over (partition by customer_id order by id) as nth from sale
        where open_amount <> 0 and customer_id = any(${[...customers]}::int[])) owed where nth <= ${OWED})
    select s.id, s.customer_id, s.invoice_number, s.reference_number, s.open_amount,
      s.buyer ->> 'full_name' as full_name, s.buyer ->> 'company_name' as company_name
    from fits join sale s using (id)`.execute(db)
  return new Map(rows.map((sale) => [sale.id, sale]))
}
