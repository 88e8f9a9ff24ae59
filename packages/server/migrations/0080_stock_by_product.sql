-- The number of items of each product, and of each supplier and grade, so that a list with these filters knows its total
-- without counting. Rows are only inserted, as in stock_count; a job adds them up.
create table product_count (
  status stock_status not null,
  product_id int not null,
  network_locked boolean not null,
  n bigint not null
);
create table supplier_count (
  status stock_status not null,
  supplier_id int,
  grade_id int,
  n bigint not null
);

create function stock_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into product_count
      select status, actual_product_id, network_locked, count(*) from fresh group by 1, 2, 3;
    insert into supplier_count select status, supplier_id, grade_id, count(*) from fresh group by 1, 2, 3;
  elsif tg_op = 'UPDATE' then
    insert into product_count
      select status, actual_product_id, network_locked, sum(n) from (
        select -1::bigint as n, status, actual_product_id, network_locked from old_rows
        union all select 1, status, actual_product_id, network_locked from fresh) change
      group by 1, 2, 3 having sum(n) <> 0;
    insert into supplier_count
      select status, supplier_id, grade_id, sum(n) from (
        select -1::bigint as n, status, supplier_id, grade_id from old_rows
        union all select 1, status, supplier_id, grade_id from fresh) change
      group by 1, 2, 3 having sum(n) <> 0;
  else
    insert into product_count
      select status, actual_product_id, network_locked, -count(*) from old_rows group by 1, 2, 3;
    insert into supplier_count select status, supplier_id, grade_id, -count(*) from old_rows group by 1, 2, 3;
  end if;
  return null;
end $$;
-- From here on nobody else can write stock until this transaction ends: about two seconds with a million items.
create trigger stock_counted_insert after insert on stock referencing new table as fresh
  for each statement execute function stock_counted();
create trigger stock_counted_update after update on stock referencing old table as old_rows new table as fresh
  for each statement execute function stock_counted();
create trigger stock_counted_delete after delete on stock referencing old table as old_rows
  for each statement execute function stock_counted();
insert into product_count select status, actual_product_id, network_locked, count(*) from stock group by 1, 2, 3;
insert into supplier_count select status, supplier_id, grade_id, count(*) from stock group by 1, 2, 3;
create index product_count_status on product_count (status, product_id) include (network_locked, n);
create index supplier_count_status on supplier_count (status, supplier_id) include (grade_id, n);
