import type { Invariant } from './invariant.ts'

export const bankEntryInvariants: Invariant[] = [
  {
    name: 'the payments of a bank entry add up to its booked amount, which is within its amount',
    violations: `
      select format('bank entry #%s comes to %s, %s of it is booked, and its payments come to %s', e.id, e.amount, e.booked,
        coalesce(b.paid, 0)) as violation
      from bank_entry e left join (
        select b.entry_id, sum(p.amount) as paid from bank_booking b join payment p on p.id = b.payment_id
        where not exists (select from payment undo where undo.undoes_id = p.id) group by b.entry_id) b on b.entry_id = e.id
      where e.booked <> coalesce(b.paid, 0) or e.booked not between least(e.amount, 0) and greatest(e.amount, 0)`,
  },
  {
    name: 'a payment of a bank entry has the day and the sign of the entry',
    violations: `
      select format('payment #%s of %s on %s is booked from bank entry #%s of %s on %s', p.id, p.amount, p.paid_on, e.id, e.amount,
        e.booked_on) as violation
      from bank_booking b join payment p on p.id = b.payment_id join bank_entry e on e.id = b.entry_id
      where p.paid_on is distinct from e.booked_on or sign(p.amount) <> sign(e.amount)`,
  },
]
