-- The papers of purchases whose seller writes none: receipts of private people, and invoices that the shop writes itself.
alter table supplier add column receipt_kind text check (receipt_kind in ('private', 'self_billed'));

-- A receipt never changes. One with `cancels_id` takes another one back. `data` is all that is printed, except the logo.
-- `identifiers` are the IMEIs and serial numbers of its lines, by which a search finds it.
create table purchase_receipt (
  id int generated always as identity primary key,
  year int not null,
  number int not null,
  printed text not null generated always as
    ('PR-' || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0')) stored,
  kind text not null check (kind in ('private', 'self_billed')),
  cancels_id int references purchase_receipt,
  reason text,
  supplier_id int references supplier,
  seller_name text not null,
  issued_on date not null,
  bought_on date not null,
  currency text not null,
  total bigint not null,
  items int not null,
  lang text not null check (lang in ('en', 'de', 'fr', 'nl', 'es', 'it', 'pl')),
  data jsonb not null,
  logo_file_id int references file,
  identifiers text not null,
  created_by int references app_user,
  created_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || 'PR-' || year || '-'
    || lpad(number::text, greatest(5, length(number::text)), '0') || E'\n' || seller_name || E'\n' || identifiers)) stored,
  constraint purchase_receipt_number unique (year, number),
  constraint purchase_receipt_reason check ((cancels_id is null) = (reason is null))
);
-- Two people who cancel a receipt at once cancel it once.
create unique index purchase_receipt_cancelled on purchase_receipt (cancels_id) where cancels_id is not null;
create index purchase_receipt_issued on purchase_receipt (issued_on, id);
create index purchase_receipt_supplier on purchase_receipt (supplier_id, id desc);
create index purchase_receipt_total on purchase_receipt (total, id);
create index purchase_receipt_logo on purchase_receipt (logo_file_id) where logo_file_id is not null;
create index purchase_receipt_search on purchase_receipt using gin (search gin_trgm_ops);
create trigger kept before update or delete on purchase_receipt for each row execute function refuse_change();

-- A line is live until its receipt is cancelled; those of a cancellation never are.
create table purchase_receipt_line (
  receipt_id int not null references purchase_receipt,
  position int not null,
  stock_id int not null references stock,
  description text not null,
  imei text,
  serial_number text,
  price int not null,
  is_live boolean not null,
  primary key (receipt_id, position)
);
-- An item is on one receipt at most.
create unique index purchase_receipt_item_once on purchase_receipt_line (stock_id) where is_live;
create index purchase_receipt_line_item on purchase_receipt_line (stock_id);
create trigger kept_whole before delete on purchase_receipt_line for each row execute function refuse_change();
create trigger kept before update on purchase_receipt_line for each row
  when (not (old.is_live and not new.is_live) or (to_jsonb(old) - 'is_live') <> (to_jsonb(new) - 'is_live'))
  execute function refuse_change();

-- The PDFs of a receipt: one in its own language, and copies in others. A file that is made stays.
create table purchase_receipt_file (
  receipt_id int not null references purchase_receipt,
  lang text not null check (lang in ('en', 'de', 'fr', 'nl', 'es', 'it', 'pl')),
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  error text,
  file_id int references file,
  created_at timestamptz(3) not null default now(),
  primary key (receipt_id, lang),
  constraint purchase_receipt_file_ready check ((status = 'ready') = (file_id is not null))
);
create trigger kept_whole before delete on purchase_receipt_file for each row execute function refuse_change();
create trigger kept before update on purchase_receipt_file for each row when (old.file_id is not null)
  execute function refuse_change();
