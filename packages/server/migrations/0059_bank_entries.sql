-- What banks say of the shop's accounts. A file is known again by its content, an entry by what makes it this one: it may
-- stand in several files.
create table bank_file (
  id int generated always as identity primary key,
  name text not null,
  sha256 bytea not null,
  created_by int references app_user,
  created_at timestamptz(3) not null default now()
);
create unique index bank_file_content on bank_file (sha256);

-- `amount` is below 0 where money went out. `booked` is what its payments come to, those taken back left out.
create table bank_entry (
  id int generated always as identity primary key,
  file_id int not null references bank_file,
  fingerprint bytea not null,
  account text not null,
  booked_on date not null,
  amount bigint not null check (amount <> 0),
  booked bigint not null default 0,
  is_reversal boolean not null default false,
  is_aside boolean not null default false,
  name text,
  iban text,
  end_to_end text,
  bank_reference text,
  remittance text not null default '',
  state text not null generated always as (case when is_aside then 'aside' when booked = amount then 'booked'
    when booked <> 0 then 'partly' else 'open' end) stored check (state in ('open', 'partly', 'booked', 'aside')),
  updated_by int references app_user,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || coalesce(name, '') || E'\n' || coalesce(iban, '') || E'\n' || remittance
    || E'\n' || coalesce(end_to_end, '') || E'\n' || coalesce(bank_reference, '')
    || E'\n' || (abs(amount) / 100) || '.' || lpad((abs(amount) % 100)::text, 2, '0'))) stored,
  -- Nobody books more of an entry than it brought: two who book it at once book it once.
  constraint bank_entry_booked check (booked between least(amount, 0) and greatest(amount, 0)),
  constraint bank_entry_aside check (not is_aside or booked = 0)
);
create unique index bank_entry_once on bank_entry (fingerprint);
create index bank_entry_file on bank_entry (file_id);
create index bank_entry_state on bank_entry (state, id desc);
create index bank_entry_day on bank_entry (booked_on, id);
create index bank_entry_amount on bank_entry (amount, id);
create index bank_entry_payer on bank_entry (iban) where booked <> 0;
create index bank_entry_search on bank_entry using gin (search gin_trgm_ops);
create trigger touch before update of booked, is_aside on bank_entry for each row execute function touch();

-- The payments that an entry became.
create table bank_booking (
  payment_id int primary key references payment,
  entry_id int not null references bank_entry
);
create index bank_booking_entry on bank_booking (entry_id);

create function bank_booking_added() returns trigger language plpgsql as $$
begin
  update bank_entry set booked = booked + (select amount from payment where id = new.payment_id) where id = new.entry_id;
  return new;
end $$;
create trigger added after insert on bank_booking for each row execute function bank_booking_added();
create trigger kept before delete or update on bank_booking for each row execute function refuse_change();

-- A payment that is taken back frees its entry.
create function bank_booking_undone() returns trigger language plpgsql as $$
begin
  update bank_entry e set booked = e.booked + new.amount
    from bank_booking b where b.payment_id = new.undoes_id and e.id = b.entry_id;
  return new;
end $$;
create trigger undone after insert on payment for each row when (new.undoes_id is not null) execute function bank_booking_undone();

-- Texts of transfers name invoices by their numbers, often without what stands before them.
create index document_number on document (number);
