import type { Invariant } from './invariant.ts'

export const bulkEditInvariants: Invariant[] = [
  {
    name: 'a bulk edit names each of its items once, and the log of each item has an entry of it',
    violations: `
      select format('bulk edit #%s names item #%s %s times, and %s log entries bear it', coalesce(i.id, l.bulk_id),
        coalesce(i.item, l.loggable_id), coalesce(i.n, 0), coalesce(l.n, 0)) as violation
      from (select b.id, item, count(*) as n from bulk_edit b, unnest(b.items) as item group by b.id, item) i
        full join (select bulk_id, loggable_id, count(*) as n from log
          where bulk_id is not null and loggable_type = 'Stock' group by bulk_id, loggable_id) l
        on l.bulk_id = i.id and l.loggable_id = i.item
      where i.n is distinct from 1 or l.n is null`,
  },
  {
    name: 'a bulk edit that received items has one import or one delivery check, and any other has neither',
    violations: `
      select format('bulk edit #%s (%s) is of import #%s and delivery check #%s', id, kind, coalesce(import_id, 0),
        coalesce(check_id, 0)) as violation
      from bulk_edit where (kind = 'receive') <> (num_nonnulls(import_id, check_id) = 1)`,
  },
]
