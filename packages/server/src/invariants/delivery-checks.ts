import type { Invariant } from './invariant.ts'

/** Rules that must always hold for delivery checks and their scans. */
export const deliveryCheckInvariants: Invariant[] = [
  {
    name: 'a delivery check expects each item once',
    violations: `
      select format('delivery check #%s expects item #%s %s times', id, item, count(*)) as violation
      from delivery_check, unnest(expected) as item group by id, item having count(*) > 1`,
  },
  {
    name: 'a delivery check says rightly whether it expected a scanned item',
    violations: `
      select format('delivery check #%s: %s is %s, item #%s is %s', d.check_id, d.key, d.result, coalesce(d.stock_id, 0),
        case when e.item is null then 'not expected' else 'expected' end) as violation
      from delivery_scan d left join (select id, unnest(expected) as item from delivery_check) e
        on e.id = d.check_id and e.item = d.stock_id
      where d.stock_id is not null
        and (d.key <> '#' || d.stock_id or d.result = 'unknown' or (d.result <> 'unexpected') <> (e.item is not null))`,
  },
]
