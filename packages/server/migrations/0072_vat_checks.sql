-- Answers of VIES about customers' VAT numbers. Nobody changes or deletes one.
create table vat_check (
  id int generated always as identity primary key,
  customer_id int not null references customer on delete cascade,
  vat_number text not null,
  checked_on date not null,
  is_valid boolean not null,
  reference text,
  source text not null check (source in ('typed', 'asked')),
  name text,
  address text,
  created_by int references app_user,
  created_at timestamptz(3) not null default now()
);
create index vat_check_number on vat_check (customer_id, vat_number, checked_on, id);

-- The check that a sale was made with. The column does not count as a change of the sale.
alter table sale add column vat_check_id int references vat_check;
create index sale_vat_check on sale (vat_check_id) where vat_check_id is not null;

-- The days after which a check is too old.
alter table company add column vat_check_days int not null default 90 check (vat_check_days between 1 and 3650);
