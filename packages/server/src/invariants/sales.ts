import type { Invariant } from './invariant.ts'

/** What must be true of every sale and its invoice; the totals are in `sale-totals.ts`. */
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
    name: 'invoice numbers have neither gaps nor doubles',
    violations: `
      select format('%s %s: number %s is missing', s.series, s.year, n) as violation
      from number_series s, generate_series(1, s.last) n
      where not exists (select from invoice i where (i.series, i.year, i.number) = (s.series, s.year, n))
      union all
      select format('%s %s: sales %s have the number %s', series, year,
        string_agg('#' || sale_id, ', ' order by sale_id), number)
      from invoice group by series, year, number having count(*) > 1
      union all
      select format('%s %s: sale #%s has the number %s, the last one is %s', i.series, i.year, i.sale_id, i.number,
        coalesce(s.last, 0))
      from invoice i left join number_series s using (series, year) where i.number not between 1 and coalesce(s.last, 0)`,
  },
  {
    name: "a sale bears its invoice's number, and so does what is printed",
    violations: `
      with printed as (
        select i.*, case series when 'sample' then 'SAMPLE-' else '' end || year || '-'
          || lpad(number::text, greatest(5, length(number::text)), '0') as text from invoice i)
      select format('sale #%s says %s, its invoice is %s', s.id, coalesce(s.invoice_number, 'nothing'),
        coalesce(p.text, 'not there')) as violation
      from sale s left join printed p on p.sale_id = s.id where s.invoice_number is distinct from p.text
      union all
      select format('sale #%s: version %s of invoice %s prints %s', p.sale_id, v.version, p.text, v.data ->> 'number')
      from printed p join invoice_version v on v.invoice_id = p.id where v.data ->> 'number' is distinct from p.text
      union all
      select format('sale #%s: invoice %s has no version', p.sale_id, p.text) from printed p
      where not exists (select from invoice_version v where v.invoice_id = p.id)`,
  },
  {
    name: 'an invoice that is ready has its file',
    violations: `
      select format('sale #%s: the invoice is ready and version %s has no file', i.sale_id, v.version) as violation
      from invoice i join lateral (
        select version, file_id from invoice_version where invoice_id = i.id order by version desc limit 1) v on true
      where i.status = 'ready' and v.file_id is null`,
  },
]
