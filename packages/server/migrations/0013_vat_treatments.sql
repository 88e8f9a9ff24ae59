-- How a line is taxed, for exactly one reason: standard, zero, margin, reverse_charge, intra_community, export, exempt, none. Old lines
-- stay as they are.
-- Of VAT types: what a rate of 0 means; 'standard' there means that nobody has said so yet.
alter table vat
  add column exemption_text text,
  add constraint vat_treatment check (treatment in ('standard', 'zero', 'margin', 'exempt')),
  add constraint vat_treatment_of_rate check (rate = 0 or treatment = 'standard');

create type purchase_treatment as enum ('unknown', 'standard', 'margin', 'reverse_charge', 'intra_community', 'import');
alter table supplier
  add column vat_number text,
  add column country_code text,
  add column default_purchase_treatment purchase_treatment not null default 'unknown';
alter table stock add column purchase_treatment purchase_treatment not null default 'unknown';

-- Phones and the like, for which states know reverse charge at home.
alter table category add column is_reverse_charge_good boolean not null default false;
-- The rate of the VAT in margins, in hundredths of a percent.
alter table company add column margin_rate int check (margin_rate between 1 and 10000);

create table reverse_charge_rule (
  id int generated always as identity primary key,
  country_code text not null,
  valid_from date not null,
  valid_to date,
  threshold bigint check (threshold >= 0),
  threshold_currency text not null default 'EUR' check (threshold_currency ~ '^[A-Z]{3}$'),
  resellers_any boolean not null default false,
  note text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  updated_by int,
  search text generated always as (search_text(E'\n' || country_code || E'\n' || coalesce(note, ''))) stored,
  check (valid_to >= valid_from)
);
create unique index reverse_charge_rule_start on reverse_charge_rule (country_code, valid_from);
create trigger touch before update on reverse_charge_rule for each row execute function touch();
-- Directive 2006/112/EC, article 199a(1)(c), in force until the end of 2026 (Directive (EU) 2022/890). Spain says 'over' 10,000.
insert into reverse_charge_rule (country_code, valid_from, valid_to, threshold, threshold_currency, resellers_any, note)
select country_code, '2022-06-07', '2026-12-31', threshold, currency, resellers_any, note from (values
  ('DE', 500000, 'EUR', false, null),
  ('NL', 1000000, 'EUR', false, 'For each supply.'),
  ('ES', 1000001, 'EUR', true, 'Resellers with any sum, others over 10,000.00; needs invoices in a series of its own.'),
  ('AT', 500000, 'EUR', false, 'The sum has not been checked.'),
  ('RO', 2250000, 'RON', false, 'The sum has not been checked.'),
  ('SE', 10000000, 'SEK', false, 'The sum has not been checked.'),
  ('CY', null, 'EUR', false, 'Check whether a sum applies.'),
  ('CZ', null, 'CZK', false, 'Check whether a sum applies.'),
  ('DK', null, 'DKK', false, 'Check whether a sum applies.'),
  ('GR', null, 'EUR', false, 'Check whether a sum applies.'),
  ('IT', null, 'EUR', false, 'Check whether a sum applies.'),
  ('LV', null, 'EUR', false, 'Check whether a sum applies.'))
  as rule (country_code, threshold, currency, resellers_any, note);

-- What decided of a sale's lines, as it was when the sale was made; sales of before have none.
-- The day of supply; of sales from before it is not known.
alter table sale
  add column dispatched_on date,
  add column treatment_route jsonb,
  add column total_margin_vat bigint not null default 0,
  add column returned_margin_vat bigint not null default 0;
alter table sale_item
  add column vat_why text,
  add column purchase_treatment purchase_treatment not null default 'unknown',
  add column margin_rate int,
  add column margin_vat int not null default 0 check (margin_vat >= 0),
  add constraint sale_item_treatment check (vat_treatment in
    ('standard', 'zero', 'margin', 'reverse_charge', 'intra_community', 'export', 'exempt', 'none')),
  add constraint sale_item_margin check ((vat_treatment = 'margin') = (margin_rate is not null)
    and (vat_treatment = 'margin' or margin_vat = 0) and (vat_treatment <> 'margin' or vat_rate = 0)),
  add constraint sale_item_rate check (vat_rate = 0 or vat_treatment = 'standard');
alter table sale_vat add constraint sale_vat_treatment check (treatment in
  ('standard', 'zero', 'margin', 'reverse_charge', 'intra_community', 'export', 'exempt', 'none'));
drop trigger touch on sale;
create trigger touch before update of customer_id, batch_id, status, reference_number, courier, outbound_tracking_number,
    total_items, total_purchase_price, total_sales_price, total_sales_price_vat, total_margin_vat, returned_cost, returned_sales,
    returned_margin_vat on sale
  for each row execute function touch();
