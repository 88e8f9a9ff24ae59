-- How people have read the files of a supplier, or, of files without one, their own. import_memory, which this takes the
-- place of, had one memory for everyone's files: nobody knows any more who said those entries, so they stay behind.
create table import_remembered (
  id int generated always as identity primary key,
  supplier_id int references supplier on delete cascade,
  user_id int references app_user,      -- of files without a supplier: whose
  kind text not null check (kind in ('column', 'value', 'default')),
  field_of text not null,               -- of a value or default its field; of a column ''
  seen text not null,                   -- as it is compared
  name text not null,                   -- as the file has it
  means text,                           -- null: a column that is left out
  said_by int references app_user,      -- null: before this was kept
  used_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || name || E'\n' || coalesce(means, ''))) stored,
  check (num_nonnulls(supplier_id, user_id) = 1)
);
create unique index import_remembered_seen on import_remembered (supplier_id, user_id, kind, field_of, seen)
  nulls not distinct;
create index import_remembered_user on import_remembered (user_id) where user_id is not null;
insert into import_remembered (supplier_id, kind, field_of, seen, name, means, used_at)
  select supplier_id, kind, field_of, seen, seen, means, used_at from import_memory
  where supplier_id is not null and (means is not null or kind = 'column') order by id;
