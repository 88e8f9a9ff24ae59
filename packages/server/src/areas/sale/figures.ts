import { sql } from 'kysely'
import type { Figures } from '../../http/metrics.ts'

/** The figures of sales and mails that wait for the server or for a person. */
export const saleFigures: Figures = {
  helps: {
    mails_waiting: 'Mails that wait for their invoice, for their turn or for another try.',
    mails_unclear: 'Sales whose last mail may or may not have gone out: a person decides.',
    mails_failed: 'Sales whose last mail could not be sent.',
    sales_requiring_attention: 'Sales that have lost an item.',
  },
  select: sql`
    select * from
      (select count(*) as mails_waiting from mail where state in ('waiting', 'sending')) w,
      (select count(*) filter (where state = 'unclear') as mails_unclear,
        count(*) filter (where state = 'failed') as mails_failed
      from mail m where state in ('unclear', 'failed')
        and not exists (select from mail later where later.sale_id = m.sale_id and later.id > m.id)
        and not exists (select from mail later where later.letter_id = m.letter_id and later.id > m.id)) m,
      (select count(*) as sales_requiring_attention from sale where status = 'Requires Attention') s`,
}
