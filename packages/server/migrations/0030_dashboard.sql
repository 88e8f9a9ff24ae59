-- What is not sold, by since when it is here. `bought` is the purchase date; without one the time of the record counts, by quarters of
-- an hour, since days begin at such in every time zone. Insert-only deltas, as stock_count: rows are folded by a job.
create table stock_age (
  status stock_status not null,
  bought date,
  made timestamptz(3),
  n bigint not null,
  cost bigint not null,
  sales bigint not null,    -- of what has a sales price
  unpriced bigint not null, -- how many have none
  constraint stock_age_since check ((bought is null) <> (made is null))
);

create function stock_aged() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        count(*), sum(cost), coalesce(sum(sales_price), 0), count(*) filter (where sales_price is null)
      from fresh where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3;
  elsif tg_op = 'UPDATE' then
    insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        sum(n), sum(n * cost), sum(n * coalesce(sales_price, 0)), sum(n * (sales_price is null)::int)
      from (
        select -1::bigint as n, status, purchase_date, created_at, cost, sales_price from old_rows
        union all select 1, status, purchase_date, created_at, cost, sales_price from fresh) change
      where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3
      having sum(n) <> 0 or sum(n * cost) <> 0 or sum(n * coalesce(sales_price, 0)) <> 0
        or sum(n * (sales_price is null)::int) <> 0;
  else
    insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        -count(*), -sum(cost), -coalesce(sum(sales_price), 0), -count(*) filter (where sales_price is null)
      from old_rows where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3;
  end if;
  return null;
end $$;
-- Nobody else writes stock until this is done.
create trigger stock_aged_insert after insert on stock referencing new table as fresh
  for each statement execute function stock_aged();
create trigger stock_aged_update after update on stock referencing old table as old_rows new table as fresh
  for each statement execute function stock_aged();
create trigger stock_aged_delete after delete on stock referencing old table as old_rows
  for each statement execute function stock_aged();
insert into stock_age
  select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
    count(*), sum(cost), coalesce(sum(sales_price), 0), count(*) filter (where sales_price is null)
  from stock where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3;

-- What each person does not want to see on the dashboard any more.
create table put_away (
  user_id int not null references app_user on delete cascade,
  what text not null check (what in ('first steps', 'sample')),
  primary key (user_id, what)
);
