-- What stock was worth on any past day. `held` is stock.in_hand at that time: false of a sold item from its dispatch on.
-- The sums of a day, which is one of UTC, so that the company's time zone may change. Insert-only deltas: what a day has changed is
-- the sum of its rows. Rows are folded by a job.
create table stock_day (
  day date not null,
  status stock_status not null,
  held boolean not null,
  n bigint not null,
  cost bigint not null
);

alter table stock_move rename to old_move;
drop index stock_move_at;
create table stock_move (
  at timestamptz(3) not null,
  stock_id int not null,
  was stock_status,
  now_is stock_status,
  cost_was int,
  cost_is int,
  held_was boolean,
  held_is boolean
);

-- Dispatches had no move of their own. Each gets one: at the time of its log entry; where there is none, on the day of dispatch that
-- the sale bears; where it bears none, when the sale was made. An item that leaves the status Sold had been dispatched where its
-- last move from that status was a dispatch.
set local work_mem = '256MB';
with logged as (
  select loggable_id as sale_id, max(at) as at from log
  where loggable_type = 'Sale' and content -> 'data' @> '[{"attributeName": "status", "to": "Dispatched"}]'
  group by loggable_id
), story as (
  select at, stock_id, was, now_is, cost_was, cost_is, false as is_dispatch from old_move
  union all
  -- `greatest` passes over null.
  select coalesce(logged.at, greatest(dispatched_on::timestamp at time zone company.time_zone, sale.created_at)),
    stock_id, 'Sold', 'Sold', cost, cost, true
  from sale join sale_item on sale_item.sale_id = sale.id left join logged on logged.sale_id = sale.id, company
  where sale.status = 'Dispatched' and (released is null or released = 'returned')
)
insert into stock_move
select at, stock_id, was, now_is, cost_was, cost_is,
  case when is_dispatch then true when was = 'Sold' then not lag(is_dispatch, 1, false) over out_of
    else was in ('Inbound', 'In Stock', 'In Batch') end,
  case when is_dispatch then false else now_is in ('Inbound', 'In Stock', 'In Batch', 'Sold') end
from story
window out_of as (partition by stock_id, was order by at)
order by at;
drop table old_move;
-- What is new is summarised at once: the hours between midnight of UTC and that of the company are read from here.
create index stock_move_at on stock_move using brin (at) with (autosummarize = on);

insert into stock_day
select (at at time zone 'UTC')::date, status, held, sum(n), sum(n * cost) from stock_move,
  lateral (values (now_is, held_is, 1, cost_is::bigint), (was, held_was, -1, cost_was)) change (status, held, n, cost)
where status is not null
group by 1, 2, 3 having sum(n) <> 0 or sum(n * cost) <> 0;

-- As before, but that a change of `in_hand` is a move too, and that each statement adds to its day. All that it writes bears one time.
create or replace function stock_written() returns trigger language plpgsql as $$
declare
  changed int[];
  moment constant timestamptz(3) := clock_timestamp();
  today constant date := moment at time zone 'UTC';
begin
  if tg_op = 'INSERT' then
    insert into stock_identifier (stock_id, kind, in_hand, value)
      select fresh.id, k.kind, fresh.in_hand, k.value from fresh,
        lateral (values ('i', fresh.imei), ('s', fresh.serial_number), ('b', fresh.backstock_id)) k (kind, value)
      where k.value is not null;
    with of_day as (
      insert into stock_day select today, status, in_hand, count(*), sum(cost) from fresh group by status, in_hand
      returning status, n, cost)
    insert into stock_count select status, sum(n), sum(cost) from of_day group by status;
    insert into stock_move (at, stock_id, now_is, cost_is, held_is) select moment, id, status, cost, in_hand from fresh;
  elsif tg_op = 'UPDATE' then
    changed := array(select id from (
      select id, imei, serial_number, backstock_id, in_hand from fresh
      except
      select id, imei, serial_number, backstock_id, in_hand from old_rows) c);
    if changed <> '{}' then
      delete from stock_identifier where stock_id = any(changed);
      insert into stock_identifier (stock_id, kind, in_hand, value)
        select s.id, k.kind, s.in_hand, k.value from stock s,
          lateral (values ('i', s.imei), ('s', s.serial_number), ('b', s.backstock_id)) k (kind, value)
        where s.id = any(changed) and k.value is not null;
    end if;
    with of_day as (
      insert into stock_day
        select today, status, in_hand, sum(n), sum(cost) from (
          select status, in_hand, -1 as n, -cost as cost from old_rows
          union all select status, in_hand, 1, cost from fresh) d
        group by status, in_hand having sum(n) <> 0 or sum(cost) <> 0
      returning status, n, cost)
    insert into stock_count
      select status, sum(n), sum(cost) from of_day group by status having sum(n) <> 0 or sum(cost) <> 0;
    insert into stock_move
      select moment, id, max(was), max(now_is), max(cost_was), max(cost_is), bool_or(held_was), bool_or(held_is) from (
        select id, status as was, null::stock_status as now_is, cost as cost_was, null::int as cost_is,
          in_hand as held_was, null::boolean as held_is from old_rows
        union all select id, null, status, null, cost, null, in_hand from fresh) pair
      group by id
      having (max(was), max(cost_was), bool_or(held_was)) is distinct from (max(now_is), max(cost_is), bool_or(held_is));
  else
    with of_day as (
      insert into stock_day select today, status, in_hand, -count(*), -sum(cost) from old_rows group by status, in_hand
      returning status, n, cost)
    insert into stock_count select status, sum(n), sum(cost) from of_day group by status;
    insert into stock_move (at, stock_id, was, cost_was, held_was) select moment, id, status, cost, in_hand from old_rows;
  end if;
  return null;
end $$;
