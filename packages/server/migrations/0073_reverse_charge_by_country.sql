-- The rules of reverse charge at home, gone through with public sources on 2026-11-27. docs/decisions has them by country
-- (2026-11-27-reverse-charge-by-country.md). A rule that somebody has changed stays as it is.
alter table reverse_charge_rule disable trigger touch;
update reverse_charge_rule r set threshold = now.threshold, note = now.note
from (values
  ('DE', 500000, 500000, null,
    'Phones, tablets, game consoles, integrated circuits; not laptops (§ 13b(2) no. 10 UStG).'),
  ('AT', 500000, 500000, 'The sum has not been checked.',
    'At least 5,000.00 for game consoles, laptops, tablets (UStBBKV § 2). For phones (§ 19(1e) UStG) the sum has not been checked.'),
  ('RO', 2250000, 2250000, 'The sum has not been checked.',
    'At least 22,500.00 for phones, integrated circuits, game consoles, tablets, laptops (Fiscal Code, article 331).'),
  ('SE', 10000000, 10000001, 'The sum has not been checked.',
    'Over 100,000.00 in the invoice for phones, integrated circuits, game consoles, tablets, laptops (ML, chapter 16 § 16).'),
  ('CY', null, null, 'Check whether a sum applies.',
    'Phones, integrated circuits, game consoles, tablets, laptops for business use (article 11E). No source names a sum.'),
  ('CZ', null, 10000001, 'Check whether a sum applies.',
    'Over 100,000.00 for phones, integrated circuits, tablets, laptops, game consoles; below it if both agree in writing (§ 92f).'),
  ('DK', null, null, 'Check whether a sum applies.',
    'No sum. Not for shops that sell more than half of such goods to private people (Momsloven § 46(1) nos. 8 to 10).'),
  ('GR', null, null, 'Check whether a sum applies.',
    'Phones, game consoles, tablets, laptops (article 39a). Confirm the buyer with the tax office’s service first. No source names a sum.'),
  ('IT', null, null, 'Check whether a sum applies.',
    'No sum. Only before the retail stage (DPR 633/1972, article 17(6)(b) and (c)).'),
  ('LV', null, null, 'Check whether a sum applies.',
    'Phones, tablets, laptops, integrated circuits, if the buyer does not pay in cash. No source names a sum.'))
  as now (country_code, was_threshold, threshold, was_note, note)
where r.country_code = now.country_code and r.valid_from = '2022-06-07' and r.valid_to = '2026-12-31'
  and r.threshold is not distinct from now.was_threshold and r.note is not distinct from now.was_note;
alter table reverse_charge_rule enable trigger touch;

insert into reverse_charge_rule (country_code, valid_from, valid_to, threshold, note)
select country_code, valid_from::date, '2026-12-31', threshold, note from (values
  ('LU', '2024-01-01', 1000001,
    'Over 10,000.00 for phones, integrated circuits, game consoles, tablets, laptops, headphones (VAT law, article 61(3)).'),
  ('SK', '2022-06-07', 500000,
    'At least 5,000.00 for phones (VAT act, § 69(12)). From one second-hand source: check it, and which goods it covers.'))
  as new (country_code, valid_from, threshold, note)
where not exists (select from reverse_charge_rule r where r.country_code = new.country_code);
