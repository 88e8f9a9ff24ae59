-- What one act has changed of many items: what each was, and the time of change that the act found, left and, undone, gave back.
create table bulk_edit (
  id int generated always as identity primary key,
  user_id int not null references app_user,
  kind text not null check (kind in ('edit', 'receive')),
  changes jsonb not null,              -- what was to be changed
  import_id int references import,     -- whose items were received
  check_id int,                        -- the delivery check that received them
  items int[] not null,
  found timestamptz(3)[] not null,     -- one for each item, as all of these
  versions timestamptz(3)[] not null,
  before jsonb not null,               -- the columns that have changed, as they were
  given_back timestamptz(3)[],         -- null for an item that was kept
  created_at timestamptz(3) not null default now(),
  undone_at timestamptz(3),
  undone_by int references app_user,
  search text generated always as (E'\n' || kind) stored,
  constraint bulk_edit_whole check (
    cardinality(found) = cardinality(items) and cardinality(versions) = cardinality(items)
    and jsonb_array_length(before) = cardinality(items)),
  constraint bulk_edit_undone check (case when undone_at is null then given_back is null and undone_by is null
    else undone_by is not null and cardinality(given_back) = cardinality(items) end)
);
create index bulk_edit_import on bulk_edit (import_id) where import_id is not null;
create index bulk_edit_check on bulk_edit (check_id) where check_id is not null;
create index bulk_edit_undone on bulk_edit (undone_at) where undone_at is not null;

-- Entries of items bear it; the entry of the act itself is the notification.
alter table log add column bulk_id int;

-- What is to arrive, and what was scanned of it.
create table delivery_check (
  id int generated always as identity primary key,
  import_id int references import,
  supplier_id int references supplier, -- where all items are of one
  name text not null,
  expected int[] not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  created_by int references app_user,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  search text generated always as (search_text(E'\n' || name)) stored,
  constraint delivery_check_closed check ((state = 'closed') = (closed_at is not null))
);
create unique index delivery_check_open on delivery_check (import_id) where state = 'open';
create index delivery_check_import on delivery_check (import_id) where import_id is not null;
create index delivery_check_supplier on delivery_check (supplier_id) where supplier_id is not null;
create trigger touch before update on delivery_check for each row execute function touch();
alter table bulk_edit add foreign key (check_id) references delivery_check;

create table delivery_scan (
  id int generated always as identity unique,
  check_id int not null references delivery_check on delete cascade,
  key text not null,                   -- the item, or the code where no item has it
  code text not null,                  -- as it was scanned first
  stock_id int references stock on delete set null,
  result text not null check (result in ('matched', 'received', 'unexpected', 'unknown')), -- as it was told at the time
  user_id int references app_user,
  at timestamptz(3) not null default clock_timestamp(),
  n int not null default 1 check (n > 0),
  primary key (check_id, key)
);
create index delivery_scan_stock on delivery_scan (stock_id) where stock_id is not null;
