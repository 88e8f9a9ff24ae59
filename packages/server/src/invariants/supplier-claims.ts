import type { Invariant } from './invariant.ts'

/** Rules that must always hold for supplier claims and for the items that went back with them. */
export const supplierClaimInvariants: Invariant[] = [
  {
    name: 'an item is with its supplier exactly while a claim that was sent holds it',
    violations: `
      select format('item #%s went back by claim #%s, which does not hold it', s.id, s.supplier_return_id) as violation
      from stock s where supplier_return_id is not null and not exists (
        select from supplier_claim_item i join supplier_claim c on c.id = i.claim_id
        where i.stock_id = s.id and i.claim_id = s.supplier_return_id and c.state <> 'draft' and not i.is_back)
      union all
      select format('claim #%s holds item #%s, which is %s by claim #%s', c.id, s.id, s.status,
        coalesce(s.supplier_return_id, 0))
      from supplier_claim c join supplier_claim_item i on i.claim_id = c.id join stock s on s.id = i.stock_id
      where c.state <> 'draft' and not i.is_back
        and (s.status <> 'Returned to Supplier' or s.supplier_return_id is distinct from c.id)`,
  },
  {
    name: 'an item is in one open claim at most, and a draft or sent claim is open',
    violations: `
      select format('item #%s is in claims %s', stock_id, string_agg('#' || claim_id, ', ' order by claim_id)) as violation
      from supplier_claim_item where is_open group by stock_id having count(*) > 1
      union all
      select format('claim #%s is %s and its item #%s is %s', c.id, c.state, i.stock_id,
        case when i.is_open then 'open' else 'closed' end)
      from supplier_claim c join supplier_claim_item i on i.claim_id = c.id
      where i.is_open <> (c.state in ('draft', 'sent'))`,
  },
  {
    name: 'a claim that was sent has items with their cost, and what was credited for each adds up',
    violations: `
      select format('claim #%s is %s and has no items', c.id, c.state) as violation from supplier_claim c
      where c.state <> 'draft' and not exists (select from supplier_claim_item i where i.claim_id = c.id)
      union all
      select format('claim #%s is %s and the cost of its item #%s is %s', c.id, c.state, i.stock_id,
        coalesce(i.cost::text, 'not known'))
      from supplier_claim c join supplier_claim_item i on i.claim_id = c.id where (c.state = 'draft') <> (i.cost is null)
      union all
      select format('claim #%s was credited %s, its items %s', c.id, c.credit_received, sum(i.credit))
      from supplier_claim c join supplier_claim_item i on i.claim_id = c.id
      group by c.id having sum(i.credit) <> c.credit_received`,
  },
  {
    name: 'the accounting has the credit of each settled claim, and of each of its items',
    violations: `
      select format('claim #%s was credited %s, the books have %s', c.id, coalesce(c.credit_received, 0), coalesce(b.amount, 0))
        as violation
      from supplier_claim c left join (select claim_id, sum(amount) as amount from supplier_credit group by claim_id) b
        on b.claim_id = c.id
      where coalesce(c.credit_received, 0) <> coalesce(b.amount, 0)
      union all
      select format('claim #%s credited item #%s with %s, the books have %s', i.claim_id, i.stock_id, i.credit,
        coalesce(b.amount, 0))
      from supplier_claim_item i left join (
        select claim_id, stock_id, sum(amount) as amount from supplier_credit group by claim_id, stock_id) b
        using (claim_id, stock_id)
      where i.credit <> coalesce(b.amount, 0)
      union all
      select format('claim #%s is booked for item #%s, which it does not hold', b.claim_id, b.stock_id)
      from supplier_credit b where not exists (
        select from supplier_claim_item i where (i.claim_id, i.stock_id) = (b.claim_id, b.stock_id))
      union all
      select format('claim #%s was settled on %s and is booked on %s', c.id, c.settled_on, b.booked_on)
      from supplier_credit b join supplier_claim c on c.id = b.claim_id where b.booked_on < c.settled_on
      union all
      select format('item #%s says that suppliers credited %s, the books have %s', s.id, s.supplier_credit, coalesce(b.amount, 0))
      from stock s left join (select stock_id, sum(amount) as amount from supplier_credit group by stock_id) b
        on b.stock_id = s.id
      where s.supplier_credit <> coalesce(b.amount, 0)
      union all
      select format('credits lower the cost of item #%s by %s, in the books by %s', s.id,
        round(s.purchase_price / coalesce(s.fx_rate, 1)) - s.cost, coalesce(b.lowers, 0))
      from stock s left join (select stock_id, sum(lowers) as lowers from supplier_credit group by stock_id) b
        on b.stock_id = s.id
      where round(s.purchase_price / coalesce(s.fx_rate, 1)) - s.cost <> coalesce(b.lowers, 0)`,
  },
  {
    name: 'if a credit changes a sale, the accounting has the change of its cost, its margin and the VAT in it',
    violations: `
      with line as (
        select d.id, d.printed, l.stock_id, l.treatment, coalesce(l.margin_rate, 0) as at, l.margin_rate::numeric as rate, l.price - l.credited as price, l.cost, i.cost as cost_now,
          case when d.replaced_by_id is null and (i.released is null or i.released = 'lost')
            then l.cost = 0 or l.cost > coalesce(c.cost, 0)
            else l.cost > coalesce(c.cost, 0) and l.price > l.credited end as is_left
        from document d join document_line l on l.document_id = d.id
          join sale_item i on i.sale_id = d.sale_id and i.stock_id = l.stock_id
          left join (select m.credits_id, n.stock_id, sum(n.cost) as cost from document m join document_line n
            on n.document_id = m.id group by 1, 2) c on c.credits_id = d.id and c.stock_id = l.stock_id
        where d.kind = 'invoice' and l.stock_id in (select stock_id from supplier_credit)),
      margin as (
        select *, case when is_left then cost_now - cost else 0 end as purchase,
          case when rate is null then 0 else greatest(price - case when is_left then cost_now else cost end, 0) end as margin_now,
          case when rate is null then 0 else greatest(price - cost, 0) end as margin_was
        from line),
      wanted as (
        select id, printed, stock_id, treatment, at, purchase, margin_now - margin_was as margin,
          coalesce(round(margin_now * rate / (10000 + rate)) - round(margin_was * rate / (10000 + rate)), 0) as vat
        from margin),
      booked as (
        select document_id as id, stock_id, treatment, coalesce(margin_rate, 0) as at, sum(purchase) as purchase,
          sum(margin) as margin, sum(margin_vat) as vat
        from purchase_correction group by 1, 2, 3, 4)
      select format('document #%s, item #%s: %s, %s and %s are booked of purchase, margin and VAT in it, not %s, %s and %s', id,
        stock_id, coalesce(b.purchase, 0), coalesce(b.margin, 0), coalesce(b.vat, 0), coalesce(w.purchase, 0),
        coalesce(w.margin, 0), coalesce(w.vat, 0)) as violation
      from wanted w full join booked b using (id, stock_id, treatment, at)
      where (coalesce(w.purchase, 0), coalesce(w.margin, 0), coalesce(w.vat, 0))
        <> (coalesce(b.purchase, 0), coalesce(b.margin, 0), coalesce(b.vat, 0))`,
  },
]
