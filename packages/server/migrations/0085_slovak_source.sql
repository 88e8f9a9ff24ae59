-- The note of the Slovak rule says what to check in plain words. A note that somebody has changed stays.
alter table reverse_charge_rule disable trigger touch;
update reverse_charge_rule set note =
  'At least 5,000.00 for phones (VAT act, § 69(12)). Only one indirect source says so: check the sum, and which goods the rule covers.'
where country_code = 'SK'
  and note = 'At least 5,000.00 for phones (VAT act, § 69(12)). From one second-hand source: check it, and which goods it covers.';
alter table reverse_charge_rule enable trigger touch;
