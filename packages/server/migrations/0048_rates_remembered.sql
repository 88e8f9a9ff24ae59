-- Since when something is remembered as it is: a rate is of its day. `used_at` moves with each import.
alter table import_remembered add column said_at timestamptz(3) not null default now();
update import_remembered set said_at = used_at;
