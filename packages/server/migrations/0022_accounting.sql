-- What the accountant's program calls the company, and its accounts; one row.
create table accounting_settings (
  one boolean primary key default true check (one),
  consultant_number int check (consultant_number between 1001 and 9999999),
  client_number int check (client_number between 1 and 99999),
  fiscal_month int not null default 1 check (fiscal_month between 1 and 12),
  account_length int not null default 4 check (account_length between 4 and 8),
  -- A personal account may have a digit more than the others.
  debtor_account int check (debtor_account > 0 and length(debtor_account::text) <= account_length + 1),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  updated_by int
);
insert into accounting_settings default values;
create trigger touch before update on accounting_settings for each row execute function touch();

-- Where sales under a treatment and rate are booked.
create table revenue_account (
  treatment text not null check (treatment in
    ('standard', 'zero', 'margin', 'reverse_charge', 'intra_community', 'export', 'exempt', 'none')),
  rate int not null check (rate between 0 and 10000),
  account int not null check (account between 1 and 99999999),
  primary key (treatment, rate),
  check (rate = 0 or treatment = 'standard')
);
