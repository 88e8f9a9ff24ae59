import type { Invariant } from './invariant.ts'

/** What must be true of claims on suppliers and of the items that went back by them. */
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
    name: 'an item is in one open claim at most, and open is what is a draft or sent',
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
]
