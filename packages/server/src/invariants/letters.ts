import type { Invariant } from './invariant.ts'

/** Rules that must always hold for statements and reminders. */
export const letterInvariants: Invariant[] = [
  {
    name: 'a reminder names overdue invoices of its customer, and each of its lines has its level and day',
    violations: `
      select format('letter #%s to customer #%s (level %s on %s) reminds of document #%s of sale #%s of customer #%s, due on %s',
        l.id, l.customer_id, coalesce(l.level::text, 'none'), l.made_on, i.document_id, i.sale_id, d.customer_id, i.due_on)
        as violation
      from letter_line i join letter l on l.id = i.letter_id join document d on d.id = i.document_id
      where d.customer_id <> l.customer_id or d.sale_id <> i.sale_id or d.kind <> 'invoice'
        or l.level is distinct from i.level or l.made_on <> i.made_on or i.due_on >= i.made_on`,
  },
  {
    name: 'the invoices of a reminder come to its sum and number',
    violations: `
      select format('letter #%s says %s for %s invoices, its lines come to %s for %s', l.id, l.total, l.invoices,
        coalesce(i.total, 0), coalesce(i.n, 0)) as violation
      from letter l left join (select letter_id, sum(open_amount) as total, count(*) as n from letter_line group by letter_id) i
        on i.letter_id = l.id
      where l.kind = 'reminder' and (l.total, l.invoices::bigint) is distinct from (i.total, i.n)
        or l.kind = 'statement' and i.n is not null`,
  },
  {
    name: 'a letter to be sent by email has an email, and one to be downloaded has none',
    violations: `
      select format('letter #%s (%s) has %s emails', l.id, l.way, count(m.id)) as violation
      from letter l left join mail m on m.letter_id = l.id group by l.id having (l.way = 'email') <> (count(m.id) > 0)`,
  },
]
