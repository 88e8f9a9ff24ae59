import type { Letter, SaleReminder } from '@backstock/contract/letter.ts'
import type { LetterState, ReminderLevel } from '@backstock/contract/letter-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/** The most letters in the answer about a customer, and the most numbers of invoices for each. */
const SHOWN = 50
const NUMBERS = 5

/** The newest mail of the letter `l`. `is_unclear`: this one or an older one may have arrived. */
const MAIL = sql`left join lateral (select state, saved_as, error, recipient ->> 'address' as recipient,
    exists (select from mail older where older.letter_id = l.id and older.state = 'unclear') as is_unclear
  from mail where mail.letter_id = l.id order by mail.id desc limit 1) m on true`

const STATE = sql`case when l.way = 'download' then 'downloaded'
  when m.is_unclear and (m.state = 'failed' or m.saved_as is not null) then 'unclear'
  when m.saved_as is not null then 'saved' else coalesce(m.state, 'failed') end`

async function lettersWith(db: Db, condition: RawBuilder<unknown>): Promise<Letter[]> {
  const { rows } = await sql<Letter>`
    select l.id, l.customer_id, l.kind, l.level, l.way, l.lang, l.made_on, l.pay_by, l.total, l.invoices, l.created_at,
      u.name as created_by_name, ${STATE} as state, m.error, m.recipient,
      array(select d.printed from letter_line i join document d on d.id = i.document_id where i.letter_id = l.id
        order by i.due_on, i.document_id limit ${NUMBERS}) as numbers
    from letter l left join app_user u on u.id = l.created_by ${MAIL}
    where ${condition} order by l.id desc limit ${SHOWN}`.execute(db)
  return rows
}

/** The newest letters to a customer, newest first. */
export const lettersOf = (db: Db, customerId: number): Promise<Letter[]> =>
  lettersWith(db, sql`l.customer_id = ${customerId}`)

export const letterOf = async (db: Db, id: number): Promise<Letter | undefined> =>
  (await lettersWith(db, sql`l.id = ${id}`))[0]

/** The reminders of a sale's invoices, newest first. */
export async function remindersOf(db: Db, saleId: number): Promise<SaleReminder[]> {
  const { rows } = await sql<SaleReminder & { level: ReminderLevel; state: LetterState }>`
    select l.id, l.level, l.made_on, l.pay_by, ${STATE} as state, d.printed as number, i.open_amount as open
    from letter_line i join letter l on l.id = i.letter_id join document d on d.id = i.document_id ${MAIL}
    where i.sale_id = ${saleId} order by l.id desc limit ${SHOWN}`.execute(db)
  return rows
}
