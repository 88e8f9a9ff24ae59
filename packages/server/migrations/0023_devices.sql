-- What a device is. How it looks is graded by the shop's own list; the raw words of its supplier stay in stock.grading_data.
create table grade (
  id int generated always as identity primary key,
  name text not null,
  position int not null check (position between 0 and 1000), -- the lowest is the best
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  updated_by int,
  search text generated always as (search_text(E'\n' || name || E'\n' || coalesce(description, ''))) stored
);
create unique index grade_name on grade (lower(name));
create trigger touch before update on grade for each row execute function touch();
insert into grade (name, position, description) values
  ('A+', 1, 'Like new, without any mark'),
  ('A', 2, 'Hardly any marks of use'),
  ('B', 3, 'Light marks of use'),
  ('C', 4, 'Clear marks of use'),
  ('D', 5, 'Heavy marks or damage');

-- One statement, so that the rows are read once for all checks. None is rewritten.
alter table stock
  add column grade_id int references grade,
  add column functional text check (functional in ('working', 'minor faults', 'faulty', 'untested')),
  add column battery_health smallint check (battery_health between 0 and 100), -- percent
  add column imei2 text,
  add column meid text,
  add column eid text,
  add column location text;
create index stock_grade on stock (grade_id) where grade_id is not null;
-- What the shop has had under a type allocation code, the newest first.
create index stock_tac on stock ("left"(imei, 8), id);

-- What it was graded when it was sold, for its invoice.
alter table sale_item add column grade text;

alter table stock_identifier drop constraint stock_identifier_kind_check,
  add constraint stock_identifier_kind_check -- IMEI, serial number, Backstock ID, IMEI 2, MEID, EID
    check (kind in ('i', 's', 'b', 'j', 'm', 'e'));
drop index stock_identifier_imei, stock_identifier_other;
create unique index stock_identifier_imei on stock_identifier ("left"(value, 14), nullif(in_hand, false))
  where kind in ('i', 'j');
-- An EID need not be the only one. Servers of the version before look for `kind <> 'i'`.
create unique index stock_identifier_other
  on stock_identifier (kind, upper(value), nullif(in_hand and kind not in ('j', 'e'), false)) where kind <> 'i';

-- As before, with more identifiers. An IMEI that stands in both slots of one phone is kept once.
create or replace function stock_written() returns trigger language plpgsql as $$
declare
  changed int[];
  moment constant timestamptz(3) := clock_timestamp();
  today constant date := moment at time zone 'UTC';
begin
  if tg_op = 'INSERT' then
    insert into stock_identifier (stock_id, kind, in_hand, value)
      select fresh.id, k.kind, fresh.in_hand, k.value from fresh,
        lateral (values ('i', fresh.imei), ('s', fresh.serial_number), ('b', fresh.backstock_id),
          ('j', case when left(fresh.imei2, 14) is distinct from left(fresh.imei, 14) then fresh.imei2 end),
          ('m', fresh.meid), ('e', fresh.eid)) k (kind, value)
      where k.value is not null;
    with of_day as (
      insert into stock_day select today, status, in_hand, count(*), sum(cost) from fresh group by status, in_hand
      returning status, n, cost)
    insert into stock_count select status, sum(n), sum(cost) from of_day group by status;
    insert into stock_move (at, stock_id, now_is, cost_is, held_is) select moment, id, status, cost, in_hand from fresh;
  elsif tg_op = 'UPDATE' then
    changed := array(select id from (
      select id, imei, serial_number, backstock_id, imei2, meid, eid, in_hand from fresh
      except
      select id, imei, serial_number, backstock_id, imei2, meid, eid, in_hand from old_rows) c);
    if changed <> '{}' then
      delete from stock_identifier where stock_id = any(changed);
      insert into stock_identifier (stock_id, kind, in_hand, value)
        select s.id, k.kind, s.in_hand, k.value from stock s,
          lateral (values ('i', s.imei), ('s', s.serial_number), ('b', s.backstock_id),
            ('j', case when left(s.imei2, 14) is distinct from left(s.imei, 14) then s.imei2 end),
            ('m', s.meid), ('e', s.eid)) k (kind, value)
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
