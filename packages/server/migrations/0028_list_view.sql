-- A name for an address of a list.
create table list_view (
  id int generated always as identity primary key,
  area text not null,
  name text not null,
  user_id int references app_user,     -- null: everybody's
  created_by int not null references app_user,
  address text not null check (length(address) <= 2000),
  position int not null,               -- among those of its list and owner
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  updated_by int,
  search text generated always as (search_text(E'\n' || name)) stored
);
create unique index list_view_name on list_view (area, user_id, lower(name)) nulls not distinct;
-- Another place is no change: whoever has a view open may still save it.
create trigger touch before update of name, user_id, address on list_view for each row execute function touch();
