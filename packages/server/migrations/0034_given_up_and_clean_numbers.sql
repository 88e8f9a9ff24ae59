-- How often a process has died while it had this job, since the job last got further. `progress` is how far it was then.
create table job_death (job_id bigint primary key, deaths int not null, progress bigint not null);
-- An instance that stops and gives its jobs away: what it breaks off is nobody's death.
alter table worker add column is_leaving boolean not null default false;

-- Why an undo broke off, as the sentence to show.
alter table import add column undo_error text;

-- What the undo of an import would do, as it was judged a moment ago, for the further pages of the dialog. `left_parts` is
-- how many parts were still to be taken back. Lost with a crash, and in no backup.
create unlogged table import_judgement (
  import_id int primary key references import on delete cascade,
  judged_at timestamptz(3) not null default clock_timestamp(),
  left_parts int not null,
  restored int not null,
  removed int not null,
  kept jsonb not null
);

-- VAT numbers, IBANs and BICs as they are saved from now on: storedVatNumber, storedIban and storedBic of the contract.
-- Documents, and the parties of sales, stay as they were.
create function compact_0034(number text) returns text immutable language sql as $$
  select upper(regexp_replace(number, '[\s.,:;_/‐‑‒–—―−-]', '', 'g')) $$;
create function vat_number_0034(number text) returns text immutable language sql as $$
  select case when compact_0034(number) ~ '^(AT|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[A-Z0-9+*]{2,13}$'
      and compact_0034(number) ~ '[0-9].*[0-9]'
    then compact_0034(number) else number end $$;
alter table customer disable trigger touch;
update customer set vat_number = vat_number_0034(vat_number) where vat_number <> vat_number_0034(vat_number);
alter table customer enable trigger touch;
alter table supplier disable trigger touch;
update supplier set vat_number = vat_number_0034(vat_number) where vat_number <> vat_number_0034(vat_number);
alter table supplier enable trigger touch;
alter table company disable trigger touch;
update company set vat_number = vat_number_0034(vat_number),
  iban = case when compact_0034(iban) ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$' then compact_0034(iban) else iban end,
  bic = case when compact_0034(bic) ~ '^[A-Z0-9]{1,11}$' then compact_0034(bic) else bic end;
alter table company enable trigger touch;
drop function vat_number_0034;
drop function compact_0034;
