import type { Invariant } from './invariant.ts'

/**
 * Rules that must always hold for sales. Those for totals are in `sale-totals.ts`, those for documents in
 * `documents.ts`.
 */
export const saleInvariants: Invariant[] = [
  {
    name: "a sale's status agrees with its items",
    violations: `
      select format('sale #%s has no items', id) as violation from sale
      where not exists (select from sale_item i where i.sale_id = sale.id)
      union all
      select format('sale #%s is %s and its item #%s is %s', s.id, s.status, i.stock_id, coalesce(i.released, 'held'))
      from sale s join sale_item i on i.sale_id = s.id
      where case s.status
        when 'Voided' then i.released is null or i.released not in ('voided', 'removed')
        when 'Dispatched' then i.released in ('lost', 'voided')
        when 'Requires Attention' then i.released in ('voided', 'returned')
        else i.released in ('lost', 'voided', 'returned') end
      union all
      select format('sale #%s requires attention and has lost no item', id) from sale
      where status = 'Requires Attention'
        and not exists (select from sale_item i where i.sale_id = sale.id and i.released = 'lost')`,
  },
  {
    name: 'items that are sold under the margin scheme were bought under it',
    violations: `
      select format('sale #%s: item #%s is sold under the margin scheme and was bought %s', sale_id, stock_id,
        purchase_treatment) as violation
      from sale_item where vat_treatment = 'margin' and purchase_treatment not in ('margin', 'unknown')`,
  },
  {
    name: "a sale's VAT check is about the VAT number of its buyer",
    violations: `
      select format('sale #%s to customer #%s with %s has a check of customer #%s with %s', s.id, s.customer_id,
        coalesce(s.buyer ->> 'vat_number', 'no VAT number'), c.customer_id, c.vat_number) as violation
      from sale s join vat_check c on c.id = s.vat_check_id
      where c.customer_id <> s.customer_id or c.vat_number is distinct from s.buyer ->> 'vat_number'`,
  },
]
