-- Payments are never changed: a wrong one is taken back by another. `paid_on` is null where a sale was paid before payments
-- were recorded, so that no report of a period counts it.
create table payment (
  id int generated always as identity primary key,
  sale_id int not null references sale,
  paid_on date,
  amount bigint not null check (amount <> 0), -- negative where money went back
  note text,
  undoes_id int unique references payment,
  created_by int references app_user,
  created_at timestamptz(3) not null default now()
);
create index payment_sale on payment (sale_id, id);
create index payment_paid on payment (paid_on, id);

-- What was given back of the price as it was typed, and what the returns of a sale take off its price with VAT.
alter table sale_item add column returned_price int check (returned_price >= 0);
update sale_item set returned_price = coalesce(sales_price_vat, sales_price) where released = 'returned';
alter table sale_item add constraint sale_item_returned_price
  check ((released is not distinct from 'returned') = (returned_price is not null));

-- What its documents ask for, and without any its price less what came back; a voided sale asks for nothing.
alter table sale
  add column returned_gross bigint not null default 0,
  add column paid_total bigint not null default 0 check (paid_total >= 0),
  add column open_amount bigint not null generated always as (case when status = 'Voided' then 0
    when invoice_number is not null then invoiced_total else total_sales_price_vat - returned_gross end - paid_total) stored;

-- Per treatment and rate: the VAT of all lines less that of those that are left.
with line as (
    select i.sale_id, i.vat_treatment, i.vat_rate, s.prices_include_vat, coalesce(i.sales_price_vat, i.sales_price)::numeric as price,
      i.released is not distinct from 'returned' as is_back
    from sale_item i join sale s on s.id = i.sale_id
    where i.released is distinct from 'removed' and s.returned_cost + s.returned_sales > 0),
  total as (
    select sale_id, vat_rate, prices_include_vat, sum(price) as sold, coalesce(sum(price) filter (where not is_back), 0) as kept
    from line group by sale_id, vat_treatment, vat_rate, prices_include_vat)
update sale set returned_gross = back.gross from (
  select sale_id, sum(case when prices_include_vat then sold - kept
    else sold + round(sold * vat_rate / 10000) - kept - round(kept * vat_rate / 10000) end) as gross
  from total group by sale_id) back
where back.sale_id = sale.id;

-- Until now 'paid' meant that a sale had come to Awaiting Dispatch.
update sale set paid_total = open_amount where status in ('Awaiting Dispatch', 'Dispatched') and open_amount > 0;
insert into payment (sale_id, amount, note)
  select id, paid_total, 'Paid before payments were recorded.' from sale where paid_total > 0;

-- Few sales are open. Each list by payment reads one of these alone, and so do the sums of customers and of the shop.
create index sale_open on sale (id desc) include (due_on, paid_total, open_amount) where open_amount > 0;
create index sale_paid on sale (id desc) where open_amount = 0 and paid_total > 0;
create index sale_refund on sale (id desc) where open_amount < 0;
create index sale_owed on sale (customer_id) include (open_amount, due_on) where open_amount <> 0;

create function payment_added() returns trigger language plpgsql as $$
begin
  update sale set paid_total = paid_total + new.amount where id = new.sale_id;
  return new;
end $$;
create trigger added after insert on payment for each row execute function payment_added();
create trigger kept before delete or update of sale_id, paid_on, amount, note, undoes_id, created_by on payment
  for each row execute function refuse_change();
