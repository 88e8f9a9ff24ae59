import { sql } from 'kysely'
import type { Figures } from '../../http/metrics.ts'

/**
 * The condition that the mail `m` of a letter still needs a person. It does not if a newer letter took its place, or if
 * everything that it reminds of is paid.
 */
const isLetterToSend = sql`case l.kind
  when 'statement' then not exists (select from letter newer
    where newer.customer_id = l.customer_id and newer.kind = l.kind and newer.id > l.id)
  else exists (select from letter_line i join sale s on s.id = i.sale_id where i.letter_id = l.id and s.open_amount > 0
    and not exists (select from letter_line newer where newer.sale_id = i.sale_id and newer.letter_id > l.id)) end`

/**
 * The condition that the mail `m` about the sale `s` still needs a person. If the sale is voided, its failed mails need
 * nobody, except one with its credit note. One that may have arrived does: the customer should get the credit note, too.
 */
const isSaleToSend = sql`(s.status is distinct from 'Voided' or m.state = 'unclear'
  or exists (select from document d where d.id = any(m.document_ids) and d.kind = 'credit_note'))`

/** The figures of sales and mails that wait for the server or for a person. */
export const saleFigures: Figures = {
  helps: {
    mails_waiting: 'Emails that wait for their invoice, for their turn or for another try.',
    mails_unclear: 'Sales and letters whose last email may or may not have gone out: a person decides.',
    mails_failed: 'Sales and letters whose last email could not be sent.',
    sales_requiring_attention: 'Sales that have lost an item.',
  },
  select: sql`
    select * from
      (select count(*) as mails_waiting from mail where state in ('waiting', 'sending')) w,
      (select count(*) filter (where m.state = 'unclear') as mails_unclear,
        count(*) filter (where m.state = 'failed') as mails_failed
      from mail m left join letter l on l.id = m.letter_id left join sale s on s.id = m.sale_id
      where m.state in ('unclear', 'failed') and (l.id is null or ${isLetterToSend}) and ${isSaleToSend}
        and not exists (select from mail later where later.sale_id = m.sale_id and later.id > m.id)
        and not exists (select from mail later where later.letter_id = m.letter_id and later.id > m.id)) m,
      (select count(*) as sales_requiring_attention from sale where status = 'Requires Attention') s`,
}
