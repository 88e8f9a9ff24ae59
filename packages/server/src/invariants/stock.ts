import type { Invariant } from './invariant.ts'

/** Rules that must always hold for stock items, their identifiers and the counters. */
export const stockInvariants: Invariant[] = [
  {
    name: 'no item is on two open sales',
    violations: `
      select format('item #%s is held by sales %s', stock_id, string_agg('#' || sale_id, ', ' order by sale_id)) as violation
      from sale_item where released is null group by stock_id having count(*) > 1`,
  },
  {
    name: 'an item is Sold exactly while a sale holds it',
    violations: `
      select format('item #%s is %s for sale #%s, but the sale does not hold it', s.id, s.status, s.sale_id) as violation
      from stock s where (s.status = 'Sold' or s.sale_id is not null) and not exists (
        select from sale_item i where i.stock_id = s.id and i.sale_id = s.sale_id and i.released is null)
      union all
      select format('sale #%s holds item #%s, which is %s for sale #%s', i.sale_id, s.id, s.status, coalesce(s.sale_id, 0))
      from sale_item i join stock s on s.id = i.stock_id
      where i.released is null and (s.status <> 'Sold' or s.sale_id is distinct from i.sale_id)`,
  },
  {
    name: "an item's status agrees with its batch",
    violations: `
      select format('item #%s is %s and in batch #%s', id, status, coalesce(batch_id, 0)) as violation from stock
      where case when status = 'In Batch' then batch_id is null
        else batch_id is not null and status in ('Inbound', 'In Stock', 'Returned to Supplier') end`,
  },
  {
    name: 'in_hand says whether the shop has the item',
    violations: `
      select format('item #%s is %s and in_hand is %s', s.id, s.status, s.in_hand) as violation
      from stock s left join sale on sale.id = s.sale_id
      where s.in_hand <> case when s.status = 'Sold' then sale.status <> 'Dispatched'
        else s.status in ('Inbound', 'In Stock', 'In Batch') end`,
  },
  {
    name: 'the table of identifiers has those of the items',
    violations: `
      select format('item #%s: %s is %s (in hand %s), kept as %s (in hand %s)', coalesce(w.stock_id, i.stock_id),
        coalesce(w.kind, i.kind), coalesce(w.value, 'nothing'), w.in_hand, coalesce(i.value, 'nothing'), i.in_hand) as violation
      from (select s.id as stock_id, k.kind, s.in_hand, k.value from stock s,
          lateral (values ('i'::char(1), s.imei), ('s', s.serial_number), ('b', s.backstock_id), ('m', s.meid), ('e', s.eid),
            ('j', case when left(s.imei2, 14) is distinct from left(s.imei, 14) then s.imei2 end)) k (kind, value)
          where k.value is not null) w
        full join stock_identifier i on i.stock_id = w.stock_id and i.kind = w.kind
      where (w.value, w.in_hand) is distinct from (i.value, i.in_hand)`,
  },
  {
    name: 'no two items in hand have the same identifier',
    violations: `
      select format('items %s share %s', string_agg('#' || id, ', ' order by id), value) as violation from (
        select distinct s.id, k.kind, k.value from stock s, lateral (values ('i', left(s.imei, 14)), ('i', left(s.imei2, 14)),
          ('s', upper(s.serial_number)), ('b', upper(s.backstock_id)), ('m', upper(s.meid))) k (kind, value)
        where s.in_hand and k.value is not null) taken
      group by kind, value having count(*) > 1`,
  },
  {
    name: 'the counters agree with the items, in number and cost',
    violations: `
      select format('%s: counted %s for %s, there are %s for %s', coalesce(c.status, s.status), coalesce(c.n, 0),
        coalesce(c.cost, 0), coalesce(s.n, 0), coalesce(s.cost, 0)) as violation
      from (select status, sum(n) as n, sum(cost) as cost from stock_count group by status) c
        full join (select status, count(*) as n, sum(cost) as cost from stock group by status) s using (status)
      where (coalesce(c.n, 0), coalesce(c.cost, 0)) <> (coalesce(s.n, 0), coalesce(s.cost, 0))`,
  },
  {
    name: 'unsold items are counted by their age',
    violations: `
      select format('%s since %s: counted %s for %s, priced %s but for %s; the items differ', status, since, sum(n), sum(cost),
        sum(sales), sum(unpriced)) as violation
      from (
        select status, coalesce(bought::text, made::text) as since, n, cost, sales, unpriced from stock_age
        union all select status, coalesce(purchase_date::text, date_bin('15 minutes', created_at, '2000-01-01Z')::timestamptz(3)::text),
          -1, -cost, -coalesce(sales_price, 0), -(sales_price is null)::int
        from stock where status in ('Inbound', 'In Stock', 'In Batch')) difference
      group by status, since having (sum(n), sum(cost), sum(sales), sum(unpriced)) <> (0, 0, 0, 0)`,
  },
  {
    name: 'the newest item of each age is known',
    violations: `
      select format('%s since %s: item #%s is newer than #%s', s.status, s.since, s.newest, a.newest) as violation
      from (
        select status, coalesce(purchase_date::text, date_bin('15 minutes', created_at, '2000-01-01Z')::timestamptz(3)::text) as since,
          max(id) as newest
        from stock where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2) s
      join (
        select status, coalesce(bought::text, made::text) as since, max(newest) as newest from stock_age group by 1, 2) a
        using (status, since)
      where s.newest > a.newest`,
  },
  {
    name: 'items are counted by product and by lock',
    violations: `
      select format('%s of product #%s, locked %s: the count and the items differ by %s', status, product_id, network_locked,
        sum(n)) as violation
      from (
        select status, product_id, network_locked, n from product_count
        union all select status, actual_product_id, network_locked, -1 from stock) difference
      group by status, product_id, network_locked having sum(n) <> 0`,
  },
  {
    name: 'items are counted by supplier and by grade',
    violations: `
      select format('%s of supplier #%s, grade #%s: the count and the items differ by %s', status, supplier_id, grade_id,
        sum(n)) as violation
      from (
        select status, supplier_id, grade_id, n from supplier_count
        union all select status, supplier_id, grade_id, -1 from stock) difference
      group by status, supplier_id, grade_id having sum(n) <> 0`,
  },
  {
    name: 'the stock moves of each item add up to its present state',
    violations: `
      select format('item #%s: its moves and what it is differ in %s of %s, %s, for %s', stock_id, sum(n), status,
        case when held then 'held' else 'gone' end, cost) as violation
      from (
        select stock_id, now_is as status, held_is as held, cost_is as cost, 1 as n from stock_move where now_is is not null
        union all select stock_id, was, held_was, cost_was, -1 from stock_move where was is not null
        union all select id, status, in_hand, cost, -1 from stock) move
      group by stock_id, status, held, cost having sum(n) <> 0`,
  },
  {
    name: 'the daily sums of stock add up to its moves',
    violations: `
      select format('%s: its sums and its moves differ in %s of %s, %s, for %s', day, sum(n), status,
        case when held then 'held' else 'gone' end, sum(cost)) as violation
      from (
        select day, status, held, n, cost from stock_day
        union all select (at at time zone 'UTC')::date, now_is, held_is, -1, -cost_is from stock_move where now_is is not null
        union all select (at at time zone 'UTC')::date, was, held_was, 1, cost_was from stock_move where was is not null) change
      group by day, status, held having sum(n) <> 0 or sum(cost) <> 0`,
  },
]
