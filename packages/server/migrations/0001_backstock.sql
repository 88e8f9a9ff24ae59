-- Money is int in hundredths (sums bigint), rates are int in hundredths of a percent.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- For what people read in order: numbers inside text by their value. Never indexed on: ICU changes with the machine.
create collation human (provider = icu, locale = 'und-u-kn-true');

-- unaccent() is only stable because its dictionary could be replaced; ours never is.
create function search_text(text) returns text language sql immutable parallel safe strict
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));

create function touch() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 ms');
  return new;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;

-- ---------------------------------------------------------------- files
create table file (
  id int generated always as identity primary key,
  name text not null,
  media_type text not null,
  size int not null,
  sha256 bytea not null,
  created_at timestamptz(3) not null default now()
);
create table file_chunk (
  file_id int not null references file on delete cascade,
  seq int not null,
  data bytea not null,
  primary key (file_id, seq)
);
alter table file_chunk alter column data set storage external;

-- ---------------------------------------------------------------- people and sessions
create table app_user (
  id int generated always as identity primary key,
  name text not null,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('ROLE_USER', 'ROLE_ADMIN')),
  avatar_file_id int references file,
  avatar_version int not null default 0,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name || E'\n' || email)) stored
);
create unique index app_user_email on app_user (lower(email)) where deleted_at is null;

create table session (
  token_hash bytea primary key,
  user_id int not null references app_user on delete cascade,
  csrf text not null,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index session_of_user on session (user_id);
create index session_expires on session (expires_at);

-- Losing these at a crash of the database costs nothing but a few more tries.
create unlogged table throttle (
  key text primary key,
  window_start timestamptz(3) not null,
  n int not null
);

create table idempotency (
  owner text not null, -- user:7, partner:2
  key text not null,
  body_hash bytea not null,
  http_status int not null,
  answer jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (owner, key)
);
create index idempotency_created on idempotency (created_at);

-- ---------------------------------------------------------------- the seller
create table company (
  one boolean primary key default true check (one),
  name text not null default 'Backstock',
  address_1 text, address_2 text, city text, state text, postal_code text, country_code text,
  vat_number text, email text, phone text, bank_name text, iban text, bic text,
  payment_terms text,
  payment_days int not null default 14,
  mail_from text,
  time_zone text not null default 'UTC',
  logo_file_id int references file,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
insert into company default values;

-- ---------------------------------------------------------------- lookups
create table make (
  id int generated always as identity primary key,
  name text not null,
  logo_image text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name)) stored
);
create unique index make_name on make (lower(name));
create table colour (
  id int generated always as identity primary key,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name)) stored
);
create unique index colour_name on colour (lower(name));
create table category (
  id int generated always as identity primary key,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name)) stored
);
create unique index category_name on category (lower(name));
create table vat (
  id int generated always as identity primary key,
  name text not null,
  rate int not null check (rate between 0 and 10000),
  treatment text not null default 'standard',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name)) stored
);
create unique index vat_name on vat (lower(name));
create table supplier (
  id int generated always as identity primary key,
  company_name text not null,
  first_name text,
  last_name text,
  email_address text,
  phone_number text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || company_name || E'\n' || coalesce(first_name || ' ', '')
    || coalesce(last_name, '') || E'\n' || coalesce(email_address, '') || E'\n' || coalesce(phone_number, ''))) stored
);
create index supplier_name on supplier (lower(company_name));

create table product (
  id int generated always as identity primary key,
  make_id int not null references make,
  category_id int not null references category,
  colour_id int references colour,
  model text not null,
  capacity int,
  capacity_unit text check (capacity_unit in ('MB', 'GB', 'TB')),
  active boolean not null default true,
  display_name text not null, -- written by product.ts from the parts; renaming a make or colour rewrites it
  image_url text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || display_name || E'\n' || model)) stored,
  check ((capacity is null) = (capacity_unit is null))
);
create unique index product_identity on product (make_id, lower(model), capacity, capacity_unit, colour_id) nulls not distinct;
create index product_category on product (category_id);
create index product_colour on product (colour_id);

-- ---------------------------------------------------------------- customers and partners
create table address (
  id int generated always as identity primary key,
  address_1 text not null,
  address_2 text,
  city text not null,
  state text,
  postal_code text not null,
  country_code text not null
);
create table customer (
  id int generated always as identity primary key,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  company_name text,
  vat_number text,
  billing_address_id int unique references address,
  delivery_address_id int unique references address,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || first_name || ' ' || last_name || E'\n' || last_name || E'\n'
    || email || E'\n' || coalesce(company_name, '') || E'\n' || coalesce(phone, ''))) stored
);
create index customer_search on customer using gin (search gin_trgm_ops);

create table partner (
  id int generated always as identity primary key,
  name text not null,
  customer_id int references customer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name)) stored
);
create index partner_customer on partner (customer_id);
create table partner_key (
  id int generated always as identity primary key,
  partner_id int not null references partner on delete cascade,
  hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);
create unique index partner_key_live on partner_key (partner_id) where revoked_at is null;

-- ---------------------------------------------------------------- batches and stock
create table batch (
  id int generated always as identity primary key,
  user_id int not null references app_user,
  name text not null,
  priority int not null default 0,
  is_locked boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name)) stored
);
create index batch_priority on batch (priority desc, id desc);
create index batch_user on batch (user_id);

-- ---------------------------------------------------------------- sales
create table sale (
  id int generated always as identity primary key,
  customer_id int not null references customer,
  partner_id int references partner,
  created_by int references app_user,
  batch_id int, -- the batch sold from; it may be gone
  status text not null default 'New'
    check (status in ('New', 'Awaiting Payment', 'Awaiting Dispatch', 'Requires Attention', 'Dispatched', 'Voided')),
  reference_number text,
  buyer jsonb not null, -- the customer and both addresses as they were when the sale was made
  prices_include_vat boolean not null,
  total_items int not null,
  total_purchase_price bigint not null,
  total_sales_price bigint not null,
  total_sales_price_vat bigint not null,
  returned_cost bigint not null default 0,
  returned_sales bigint not null default 0,
  courier text,
  outbound_tracking_number text,
  email_sent boolean not null default false,
  resend_needed boolean not null default false,
  excel_status text not null default 'none' check (excel_status in ('none', 'pending', 'ready', 'failed')),
  invoice_number text, -- as printed, repeated from invoice for lists and search
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || coalesce(reference_number, '') || E'\n' || coalesce(invoice_number, '')
    || E'\n' || coalesce(buyer ->> 'full_name', '') || E'\n' || coalesce(buyer ->> 'company_name', '')
    || E'\n' || coalesce(buyer ->> 'email', ''))) stored
);
create index sale_status on sale (status, id desc);
create index sale_customer on sale (customer_id, id desc);
create index sale_search on sale using gin (search gin_trgm_ops);

create type stock_status as enum ('Inbound', 'In Stock', 'In Batch', 'Sold', 'Returned to Supplier', 'Deleted');
create table stock (
  id int generated always as identity primary key,
  status stock_status not null,
  actual_product_id int not null references product,
  expected_product_id int references product,
  supplier_id int references supplier,
  vat_id int references vat,
  partner_id int references partner, -- who pushed it
  batch_id int references batch,
  sale_id int references sale,       -- who holds it
  in_hand boolean not null default true,
  backstock_id text,
  imei text,
  serial_number text,
  purchase_price int not null check (purchase_price between 0 and 100000000),
  purchase_currency text not null default 'EUR' check (purchase_currency = 'EUR'),
  cost int not null generated always as (purchase_price) stored, -- in EUR: every sum uses it
  purchase_date date,
  sales_price int check (sales_price between 0 and 100000000),
  sales_currency text not null default 'EUR' check (sales_currency = 'EUR'),
  network_locked boolean not null default false,
  engineer_notes text,
  grading_data jsonb not null default '{}',
  attributes jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (imei is not null or serial_number is not null),
  constraint stock_state check (case status
    when 'In Batch' then batch_id is not null and sale_id is null and in_hand
    when 'Sold' then sale_id is not null -- in hand until dispatched
    when 'Deleted' then sale_id is null and not in_hand
    when 'Returned to Supplier' then batch_id is null and sale_id is null and not in_hand
    else batch_id is null and sale_id is null and in_hand end)
);
-- Each further index here costs the import.
create index stock_newest on stock (status, id desc);
create index stock_sales_price on stock (status, sales_price, id);
create index stock_purchase_price on stock (status, purchase_price, id);
create index stock_product on stock (actual_product_id);
create index stock_batch on stock (batch_id) where batch_id is not null;

-- Apart from stock, so that a change of status or price leaves the trigram index alone.
create table stock_identifier (
  stock_id int not null references stock on delete cascade,
  kind char(1) not null check (kind in ('i', 's', 'b')), -- IMEI, serial number, Backstock ID
  in_hand boolean not null,
  value text not null,
  primary key (stock_id, kind)
);
create unique index stock_identifier_imei on stock_identifier ("left"(value, 14)) where in_hand and kind = 'i';
create unique index stock_identifier_other on stock_identifier (kind, upper(value)) where in_hand and kind <> 'i';
-- The same for those that have left: a small part, and nothing that a new item pays for.
create index stock_identifier_gone_imei on stock_identifier ("left"(value, 14)) where not in_hand and kind = 'i';
create index stock_identifier_gone_other on stock_identifier (kind, upper(value)) where not in_hand and kind <> 'i';
create index stock_identifier_search on stock_identifier using gin (value gin_trgm_ops);

-- Insert-only deltas: the total of a status is sum(n). Rows are folded by a job.
create table stock_count (status stock_status not null, n bigint not null, cost bigint not null);
-- What changed when: any past day's stock and its value.
create table stock_move (
  at timestamptz(3) not null,
  stock_id int not null,
  was stock_status,
  now_is stock_status,
  cost_was int,
  cost_is int
);
create index stock_move_at on stock_move using brin (at);

create function stock_written() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stock_identifier (stock_id, kind, in_hand, value)
      select fresh.id, k.kind, fresh.in_hand, k.value from fresh,
        lateral (values ('i', fresh.imei), ('s', fresh.serial_number), ('b', fresh.backstock_id)) k (kind, value)
      where k.value is not null;
    insert into stock_count select status, count(*), sum(cost) from fresh group by status;
    insert into stock_move select clock_timestamp(), id, null, status, null, cost from fresh;
  elsif tg_op = 'UPDATE' then
    if exists (select from fresh join old_rows o using (id)
        where (o.imei, o.serial_number, o.backstock_id, o.in_hand)
          is distinct from (fresh.imei, fresh.serial_number, fresh.backstock_id, fresh.in_hand)) then
      delete from stock_identifier s using fresh join old_rows o using (id)
        where s.stock_id = fresh.id and (o.imei, o.serial_number, o.backstock_id, o.in_hand)
          is distinct from (fresh.imei, fresh.serial_number, fresh.backstock_id, fresh.in_hand);
      insert into stock_identifier (stock_id, kind, in_hand, value)
        select fresh.id, k.kind, fresh.in_hand, k.value from fresh join old_rows o using (id),
          lateral (values ('i', fresh.imei), ('s', fresh.serial_number), ('b', fresh.backstock_id)) k (kind, value)
        where k.value is not null and (o.imei, o.serial_number, o.backstock_id, o.in_hand)
          is distinct from (fresh.imei, fresh.serial_number, fresh.backstock_id, fresh.in_hand);
    end if;
    insert into stock_count
      select status, sum(n), sum(cost) from (
        select o.status, -count(*) as n, -sum(o.cost) as cost from old_rows o join fresh using (id)
          where (o.status, o.cost) is distinct from (fresh.status, fresh.cost) group by o.status
        union all
        select fresh.status, count(*), sum(fresh.cost) from old_rows o join fresh using (id)
          where (o.status, o.cost) is distinct from (fresh.status, fresh.cost) group by fresh.status) d
      group by status;
    insert into stock_move
      select clock_timestamp(), fresh.id, o.status, fresh.status, o.cost, fresh.cost from old_rows o join fresh using (id)
      where (o.status, o.cost) is distinct from (fresh.status, fresh.cost);
  else
    insert into stock_count select status, -count(*), -sum(cost) from old_rows group by status;
    insert into stock_move select clock_timestamp(), id, status, null, cost, null from old_rows;
  end if;
  return null;
end $$;
create trigger stock_inserted after insert on stock referencing new table as fresh
  for each statement execute function stock_written();
create trigger stock_updated after update on stock referencing old table as old_rows new table as fresh
  for each statement execute function stock_written();
create trigger stock_deleted after delete on stock referencing old table as old_rows
  for each statement execute function stock_written();

-- Names of attribute columns that an import has brought, so that an export knows its header before its first row.
create table attribute_name (
  kind text not null check (kind in ('grading', 'attribute')),
  name text not null,
  primary key (kind, name)
);

-- ---------------------------------------------------------------- what a sale holds
create table sale_item (
  sale_id int not null references sale on delete cascade,
  stock_id int not null references stock,
  position int not null,
  product_name text not null,
  imei text,
  serial_number text,
  vat_id int references vat,
  vat_name text,
  vat_rate int not null,
  vat_treatment text not null default 'standard',
  sales_price int not null,   -- net
  sales_price_vat int,        -- as typed, where prices include VAT
  cost int not null,
  released text check (released in ('lost', 'removed', 'voided', 'returned')),
  primary key (sale_id, stock_id)
);
-- A double sale cannot be written, whatever the code does.
create unique index sale_item_held on sale_item (stock_id) where released is null;
create index sale_item_released on sale_item (stock_id) where released is not null;
create table sale_vat (
  sale_id int not null references sale on delete cascade,
  treatment text not null,
  rate int not null,
  net bigint not null,
  vat bigint not null,
  primary key (sale_id, treatment, rate)
);

-- ---------------------------------------------------------------- invoices, files, mail
create table number_series (
  series text not null, -- 'invoice', 'sample'
  year int not null,
  last int not null default 0,
  primary key (series, year)
);
create table invoice (
  id int generated always as identity primary key,
  series text not null,
  year int not null,
  number int not null,
  sale_id int not null unique references sale on delete restrict,
  issued_on date not null,
  status text not null check (status in ('none', 'pending', 'ready', 'failed')),
  error text,
  created_at timestamptz(3) not null default now(),
  unique (series, year, number)
);
create table invoice_version (
  invoice_id int not null references invoice on delete restrict,
  version int not null,
  lang text not null,
  data jsonb not null, -- all that is printed
  file_id int references file,
  created_at timestamptz(3) not null default now(),
  primary key (invoice_id, version)
);
create table sale_file (
  id int generated always as identity primary key,
  sale_id int not null references sale on delete cascade,
  slot text not null check (slot in ('invoice', 'label', 'excel')), -- invoice: an uploaded one
  file_id int not null references file,
  removed_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create unique index sale_file_slot on sale_file (sale_id, slot) where removed_at is null;
create table mail (
  id int generated always as identity primary key,
  sale_id int references sale on delete set null,
  user_id int references app_user, -- who asked for it
  message_id text not null unique,
  sender jsonb not null,           -- {name, address}
  recipient jsonb not null,        -- {name, address}
  subject text not null,
  body text not null,
  body_html text,
  file_ids int[] not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'unclear', 'failed')),
  attempts int not null default 0,
  error text,
  sending_since timestamptz(3),
  sent_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index mail_sale on mail (sale_id, id desc);
create index mail_open on mail (state) where state in ('waiting', 'sending');

create table basket (
  user_id int primary key references app_user on delete cascade,
  items int[] not null default '{}',
  version int not null default 1
);

-- ---------------------------------------------------------------- imports
create table import (
  id int generated always as identity primary key,
  type text not null check (type in ('csv_import', 'api_import')),
  user_id int references app_user,
  partner_id int references partner,
  file_name text,
  update_existing boolean not null default false,
  header jsonb,                  -- column names in the file's order
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  total int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  error text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index import_user on import (user_id, id desc);
create table import_part (
  import_id int not null references import on delete cascade,
  part int not null,
  lines int[] not null,          -- for each row, its line in the file
  cells jsonb not null,          -- up to 1,000 rows, each a list of cells in the header's order
  done_at timestamptz(3),
  stock_ids int[],               -- one for each row; null where it failed
  actions text[],                -- created, updated, failed
  primary key (import_id, part)
);
create table import_error (
  import_id int not null references import on delete cascade,
  row_no int not null,           -- the row's line in the file
  backstock_id text,
  errors jsonb not null,         -- field to message
  primary key (import_id, row_no)
);

-- ---------------------------------------------------------------- logs and workers
create table log (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  user_id int,
  partner_id int,
  import_id int,
  loggable_type text not null,
  loggable_id int not null,
  is_hidden boolean not null default false,
  content jsonb not null
);
create index log_record on log (loggable_type, loggable_id, id);
create index log_recent on log (user_id, id) where import_id is null and not is_hidden;
create trigger log_append_only before update or delete on log for each row execute function refuse_change();
create trigger log_no_truncate before truncate on log for each statement execute function refuse_change();
create trigger invoice_version_kept before delete on invoice_version for each row execute function refuse_change();

-- The lease of who runs jobs: the id under which graphile_worker locks them.
create table worker (id text primary key, seen_at timestamptz(3) not null default now());

do $$
declare name text;
begin
  foreach name in array array['app_user', 'company', 'make', 'colour', 'category', 'vat', 'supplier', 'product', 'customer',
    'partner', 'batch', 'stock'] loop
    execute format('create trigger touch before update on %I for each row execute function touch()', name);
  end loop;
end $$;

-- Without what jobs write: a sale's page must not be out of date because its mail has gone.
create trigger touch before update of customer_id, batch_id, status, reference_number, courier, outbound_tracking_number,
    total_items, total_purchase_price, total_sales_price, total_sales_price_vat, returned_cost, returned_sales on sale
  for each row execute function touch();
