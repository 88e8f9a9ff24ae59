-- A list of old items read past all newer ones. Now it begins at the newest item that it may have: no item of this status
-- and day has a higher id than `newest`. The highest number stands for 'unknown': older servers add rows up without it.
alter table stock_age add column newest int not null default 2147483647;

create or replace function stock_aged() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        count(*), sum(cost), coalesce(sum(sales_price), 0), count(*) filter (where sales_price is null), max(id)
      from fresh where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3;
  elsif tg_op = 'UPDATE' then
    -- If the newest item that there is now was not the newest before, it may have come from another status or day.
    insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        sum(n), sum(n * cost), sum(n * coalesce(sales_price, 0)), sum(n * (sales_price is null)::int),
        coalesce(max(id) filter (where n > 0), 0)
      from (
        select -1::bigint as n, id, status, purchase_date, created_at, cost, sales_price from old_rows
        union all select 1, id, status, purchase_date, created_at, cost, sales_price from fresh) change
      where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3
      having sum(n) <> 0 or sum(n * cost) <> 0 or sum(n * coalesce(sales_price, 0)) <> 0
        or sum(n * (sales_price is null)::int) <> 0
        or max(id) filter (where n > 0) is distinct from max(id) filter (where n < 0);
  else
    insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        -count(*), -sum(cost), -coalesce(sum(sales_price), 0), -count(*) filter (where sales_price is null), 0
      from old_rows where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3;
  end if;
  return null;
end $$;

-- Nobody else writes stock until this transaction ends.
update stock_age a set newest = s.newest from (
    select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end as made,
      max(id) as newest
    from stock where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3) s
  where a.status = s.status and a.bought is not distinct from s.purchase_date and a.made is not distinct from s.made;
