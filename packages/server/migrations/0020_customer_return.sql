-- What customers give back. An item is in one open return at most, and comes back from a sale once.
create table customer_return (
  id int generated always as identity primary key,
  customer_id int not null references customer,
  state text not null default 'announced' check (state in ('announced', 'received', 'settled', 'refused')),
  note text,
  created_by int references app_user,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || coalesce(note, ''))) stored
);
create index customer_return_customer on customer_return (customer_id, id desc);
create trigger touch before update of customer_id, state, note on customer_return for each row execute function touch();

create table customer_return_item (
  return_id int not null references customer_return on delete cascade,
  sale_id int not null references sale,
  stock_id int not null references stock,
  reason text not null default 'not_stated'
    check (reason in ('not_stated', 'faulty', 'not_as_described', 'wrong_item', 'damaged_in_transit', 'not_wanted', 'other')),
  condition text not null default 'not_checked'
    check (condition in ('not_checked', 'as_sold', 'used', 'damaged', 'defective')),
  outcome text not null default 'restock' check (outcome in ('restock', 'inbound', 'to_supplier', 'scrap')),
  price int check (price >= 0), -- what is given back, as typed on the sale; null: all of it
  received_at timestamptz(3),
  is_open boolean not null default true, -- it is waited for
  credit_id int references document,
  primary key (return_id, stock_id),
  foreign key (sale_id, stock_id) references sale_item,
  constraint customer_return_item_received check (case when received_at is null then credit_id is null
    else price is not null and not is_open end)
);
create unique index customer_return_item_open on customer_return_item (stock_id) where is_open;
create unique index customer_return_item_once on customer_return_item (sale_id, stock_id) where received_at is not null;
create index customer_return_item_stock on customer_return_item (stock_id);
create index customer_return_item_sale on customer_return_item (sale_id, stock_id);

-- What came back before has a return too, which nobody has to see to any more.
with back as materialized (
  select nextval(pg_get_serial_sequence('customer_return', 'id'))::int as id, i.sale_id, i.stock_id, s.customer_id,
    coalesce(c.price, i.sales_price_vat, i.sales_price) as price, c.document_id, coalesce(l.at, s.updated_at) as at, l.user_id
  from sale_item i join sale s on s.id = i.sale_id
  left join lateral (
    select line.document_id, line.price from document d join document_line line on line.document_id = d.id
    where d.sale_id = i.sale_id and d.kind = 'credit_note' and d.reason = 'return' and line.stock_id = i.stock_id limit 1) c on true
  left join lateral (
    select at, user_id from log where loggable_type = 'Stock' and loggable_id = i.stock_id
      and content -> 'data' ->> 'message' = format('Returned from sale #%s.', i.sale_id) order by id desc limit 1) l on true
  where i.released = 'returned'
), returns as (
  insert into customer_return (id, customer_id, state, created_by, created_at, updated_at)
  overriding system value select id, customer_id, 'settled', user_id, at, at from back
)
insert into customer_return_item (return_id, sale_id, stock_id, price, received_at, is_open, credit_id)
select id, sale_id, stock_id, price, at, false, document_id from back;
