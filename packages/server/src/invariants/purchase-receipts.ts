import type { Invariant } from './invariant.ts'

/** Rules that must always hold for purchase receipts. */
export const purchaseReceiptInvariants: Invariant[] = [
  {
    name: 'no reverse charge rule has the series of purchase receipts',
    violations: `
      select format('reverse charge rule #%s has the series %s: give it another one', id, series) as violation
      from reverse_charge_rule where series = 'PR'`,
  },
  {
    name: 'numbers of purchase receipts have neither gaps nor doubles',
    violations: `
      select format('purchase receipts of %s: number %s is missing', s.year, n) as violation
      from number_series s, generate_series(1, s.last) n
      where s.series = 'purchase_receipt'
        and not exists (select from purchase_receipt r where (r.year, r.number) = (s.year, n))
        and not exists (select from document d where (d.series, d.year, d.number) = ('PR', s.year, n))
      union all
      select format('%s is a purchase receipt and an invoice', r.printed)
      from purchase_receipt r join document d on (d.series, d.year, d.number) = ('PR', r.year, r.number)
      union all
      select format('%s has a number above the last one of its year, %s', r.printed, coalesce(s.last, 0))
      from purchase_receipt r left join number_series s on s.series = 'purchase_receipt' and s.year = r.year
      where r.number not between 1 and coalesce(s.last, 0)`,
  },
  {
    name: 'a purchase receipt has the total and the number of items of its lines, and its PDF prints them',
    violations: `
      select format('%s comes to %s for %s items, its lines to %s for %s, and it prints %s as %s', r.printed, r.total,
        r.items, coalesce(l.total, 0), coalesce(l.items, 0), r.data ->> 'total', r.data ->> 'number') as violation
      from purchase_receipt r left join (
        select receipt_id, sum(price) as total, count(*) as items from purchase_receipt_line group by 1) l on l.receipt_id = r.id
      where (r.total, r.items, r.data ->> 'total', r.data ->> 'number')
        is distinct from (coalesce(l.total, 0), coalesce(l.items, 0)::int, r.total::text, r.printed)
      union all
      select format('%s prints another price for item #%s', r.printed, l.stock_id)
      from purchase_receipt r join purchase_receipt_line l on l.receipt_id = r.id
      where (r.data -> 'lines' -> (l.position - 1) ->> 'price') is distinct from l.price::text`,
  },
  {
    name: 'an item is on one purchase receipt at most, and a cancelled one frees its items',
    violations: `
      select format('item #%s is on %s', stock_id, string_agg(r.printed, ', ' order by r.id)) as violation
      from purchase_receipt_line l join purchase_receipt r on r.id = l.receipt_id where l.is_live
      group by stock_id having count(*) > 1
      union all
      select format('%s: item #%s %s', r.printed, l.stock_id, case when l.is_live then 'is still on it' else 'is free' end)
      from purchase_receipt r join purchase_receipt_line l on l.receipt_id = r.id
      where l.is_live <> (r.cancels_id is null and not exists (select from purchase_receipt c where c.cancels_id = r.id))
      union all
      select format('%s cancels %s, which has another sum, supplier, kind, currency or number of items', c.printed, r.printed)
      from purchase_receipt c join purchase_receipt r on r.id = c.cancels_id
      where (c.total, c.items, c.kind, c.currency, c.supplier_id)
        is distinct from (r.total, r.items, r.kind, r.currency, r.supplier_id)`,
  },
  {
    name: 'a purchase receipt has its file, and the file is the one that was made',
    violations: `
      select format('%s has no file, and none is ordered', r.printed) as violation
      from purchase_receipt r where not exists (
        select from purchase_receipt_file f where f.receipt_id = r.id and f.lang = r.lang)
      union all
      select format('%s: %s', r.printed, f.error) from purchase_receipt r
        join purchase_receipt_file f on f.receipt_id = r.id and f.lang = r.lang where f.status = 'failed'
      union all
      select format('file #%s is not what was made', f.id) from file f join (
        select file_id, sha256(string_agg(data, ''::bytea order by seq)) as hash from file_chunk
        where file_id in (select file_id from purchase_receipt_file) group by file_id) c on c.file_id = f.id
      where f.sha256 <> c.hash`,
  },
]
