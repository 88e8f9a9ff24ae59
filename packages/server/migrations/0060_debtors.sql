-- Customers' own accounts in the accountant's program, the bank's account, and the accounts of taxed margins by rate.
alter table accounting_settings
  add column debtor_first int check (debtor_first between 1 and 999999999),
  add column debtor_last int check (debtor_last between 1 and 999999999),
  add column bank_account int check (bank_account between 1 and 99999999),
  add constraint accounting_settings_debtors check ((debtor_first is null) = (debtor_last is null) and debtor_first <= debtor_last);
alter table customer add column debtor_number int check (debtor_number between 1 and 999999999);
create unique index customer_debtor_number on customer (debtor_number) where debtor_number is not null;

create table margin_account (
  rate int primary key check (rate between 1 and 10000),
  account int not null check (account between 1 and 99999999)
);
