-- A preview is an import that nobody has started yet. Its rows are staged as ever; what each would do is its plan.
alter table import
  drop constraint import_state_check,
  add constraint import_state_check check (state in ('waiting', 'running', 'done', 'failed', 'previewing', 'previewed')),
  add column supplier_id int references supplier on delete set null,
  add column preview jsonb,             -- how the file is read; null where its own column names say so
  add column plan jsonb,                -- counts, reasons, unknown names
  add column models jsonb,              -- of the file that are taken apart, as the catalogue has them
  add column plan_no int not null default 0, -- goes up with each change: results of an older plan do not count
  add column touched_at timestamptz(3);
-- A preview is started later than it was made.
create index import_newest on import (user_id, created_at desc, id desc);
create unique index import_open_preview on import (user_id) where state in ('previewing', 'previewed');
create index import_supplier on import (supplier_id) where supplier_id is not null;

alter table import_part
  add column plan jsonb,                -- what each row would do
  add column planned int[],             -- of these how many are new, updated, unchanged, failed
  add column plan_no int,
  add column encoding text;             -- by which the cells were read; null: not known, or not by a preview

-- What a supplier's columns and names mean, as people have said; of nobody's supplier: everyone's.
create table import_memory (
  id int generated always as identity primary key,
  supplier_id int references supplier on delete cascade,
  kind text not null check (kind in ('column', 'value', 'default')),
  field_of text not null,               -- of a value or default its field; of a column ''
  seen text not null,                   -- in small letters
  means text,                           -- null: a column that is left out
  used_at timestamptz(3) not null default now()
);
create unique index import_memory_seen on import_memory (supplier_id, kind, field_of, seen) nulls not distinct;
