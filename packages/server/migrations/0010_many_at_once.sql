-- What one statement writes to many items. Old and new rows are put beside each other by grouping, never by a join: the plan of
-- a join is kept for as long as the connection lives, and one that was made for a single item goes through all pairs of 5,000.
create or replace function stock_written() returns trigger language plpgsql as $$
declare
  changed int[];
begin
  if tg_op = 'INSERT' then
    insert into stock_identifier (stock_id, kind, in_hand, value)
      select fresh.id, k.kind, fresh.in_hand, k.value from fresh,
        lateral (values ('i', fresh.imei), ('s', fresh.serial_number), ('b', fresh.backstock_id)) k (kind, value)
      where k.value is not null;
    insert into stock_count select status, count(*), sum(cost) from fresh group by status;
    insert into stock_move select clock_timestamp(), id, null, status, null, cost from fresh;
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
    insert into stock_count
      select status, sum(n), sum(cost) from (
        select status, -1 as n, -cost as cost from old_rows union all select status, 1, cost from fresh) d
      group by status having sum(n) <> 0 or sum(cost) <> 0;
    insert into stock_move
      select clock_timestamp(), id, max(was), max(now_is), max(cost_was), max(cost_is) from (
        select id, status as was, null::stock_status as now_is, cost as cost_was, null::int as cost_is from old_rows
        union all select id, null, status, null, cost from fresh) pair
      group by id having (max(was), max(cost_was)) is distinct from (max(now_is), max(cost_is));
  else
    insert into stock_count select status, -count(*), -sum(cost) from old_rows group by status;
    insert into stock_move select clock_timestamp(), id, status, null, cost, null from old_rows;
  end if;
  return null;
end $$;

-- A product is also found by its name without the spaces around numbers: iphone13, galaxys21, 128gb. Between two numbers the
-- space stays, and between two words without digits.
alter table product drop column search;
alter table product add column search text generated always as (search_text(E'\n' || display_name || E'\n' || model || E'\n'
  || regexp_replace(display_name, '(?<!\d)\s+(?=\S*\d)|(?<=\d\S*)\s+(?!\d)', '', 'g'))) stored;
create index product_search on product using gin (search gin_trgm_ops) with (gin_pending_list_limit = 512);

-- The cities of both addresses, which customer.ts writes: a generated column sees its own row only.
alter table customer add column cities text not null default '';
alter table customer disable trigger touch;
update customer set cities = concat_ws(E'\n', (select city from address where id = billing_address_id),
  (select city from address where id = delivery_address_id))
where billing_address_id is not null or delivery_address_id is not null;
alter table customer enable trigger touch;
alter table customer drop column search;
alter table customer add column search text generated always as (search_text(E'\n' || first_name || ' ' || last_name || E'\n'
  || email || E'\n' || coalesce(company_name, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(vat_number, '')
  || E'\n' || cities)) stored;
create index customer_search on customer using gin (search gin_trgm_ops) with (gin_pending_list_limit = 512);

alter table sale drop column search;
alter table sale add column search text generated always as (search_text(E'\n' || coalesce(reference_number, '')
  || E'\n' || coalesce(invoice_number, '') || E'\n' || coalesce(outbound_tracking_number, '')
  || E'\n' || coalesce(buyer ->> 'full_name', '') || E'\n' || coalesce(buyer ->> 'company_name', '')
  || E'\n' || coalesce(buyer ->> 'email', '') || E'\n' || coalesce(buyer ->> 'phone', '')
  || E'\n' || coalesce(buyer ->> 'vat_number', '') || E'\n' || coalesce(buyer -> 'billing_address' ->> 'city', '')
  || E'\n' || coalesce(buyer -> 'delivery_address' ->> 'city', ''))) stored;
create index sale_search on sale using gin (search gin_trgm_ops) with (gin_pending_list_limit = 512);
