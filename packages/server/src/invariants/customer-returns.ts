import type { Invariant } from './invariant.ts'

/** Rules that must always hold for customers' returns and for the items that came back with them. */
export const customerReturnInvariants: Invariant[] = [
  {
    name: 'a returned item has a return',
    violations: `
      select format('item #%s came back from sale #%s without a return', l.stock_id, l.sale_id) as violation
      from sale_item l where l.released = 'returned' and not exists (
        select from customer_return_item i where i.sale_id = l.sale_id and i.stock_id = l.stock_id and i.received_at is not null)
      union all
      select format('return #%s has received item #%s, which sale #%s has', i.return_id, i.stock_id, i.sale_id)
      from customer_return_item i left join sale_item l using (sale_id, stock_id)
      where i.received_at is not null and l.released is distinct from 'returned'`,
  },
  {
    name: "a return has items of its customer's sales, and its state fits them",
    violations: `
      select format('return #%s has item #%s of sale #%s, which is of another customer', r.id, i.stock_id, i.sale_id)
        as violation
      from customer_return r join customer_return_item i on i.return_id = r.id join sale s on s.id = i.sale_id
      where s.customer_id <> r.customer_id
      union all
      select format('return #%s is %s and has %s items, of which %s came', r.id, r.state, count(i.stock_id), count(i.received_at))
      from customer_return r left join customer_return_item i on i.return_id = r.id group by r.id
      having count(i.stock_id) = 0 or (r.state in ('announced', 'refused')) <> (count(i.received_at) = 0)`,
  },
  {
    name: 'as long as a return is open, it awaits the items that have not come',
    violations: `
      select format('return #%s is %s and %s item #%s', r.id, r.state, case when i.is_open then 'awaits' else 'does not await' end,
        i.stock_id) as violation
      from customer_return r join customer_return_item i on i.return_id = r.id
      where i.is_open <> (i.received_at is null and r.state in ('announced', 'received'))`,
  },
  {
    name: "what was given back is at most an item's price, and is what its credit note says",
    violations: `
      select format('return #%s gives %s back of item #%s, which was sold for %s', i.return_id, i.price, i.stock_id,
        coalesce(l.sales_price_vat, l.sales_price) - l.allowed_price) as violation
      from customer_return_item i join sale_item l using (sale_id, stock_id)
      where i.received_at is not null and i.price > coalesce(l.sales_price_vat, l.sales_price) - l.allowed_price
      union all
      select format('return #%s gives %s back of item #%s, its credit note %s', i.return_id, i.price, i.stock_id,
        coalesce(l.price::text, 'nothing'))
      from customer_return_item i left join document_line l on l.document_id = i.credit_id and l.stock_id = i.stock_id
        left join document d on d.id = i.credit_id
      where i.credit_id is not null and (d.kind, d.sale_id, l.price) is distinct from ('credit_note', i.sale_id, i.price)`,
  },
]
