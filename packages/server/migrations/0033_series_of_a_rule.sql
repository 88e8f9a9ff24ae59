-- A rule's own series: an invoice of nothing but reverse charge at home takes its number from it, printed as
-- 'ISP-2026-00001'. 'CN' and 'SAMPLE' are the beginnings of other numbers.
alter table reverse_charge_rule add column series text
  check (series ~ '^[A-Z][A-Z0-9]{0,7}$' and series not in ('CN', 'SAMPLE'));
-- Spain asks for it (Ley 37/1992, article 84.Uno.2.g; Real Decreto 1619/2012, article 6.1.a). ISP: inversión del sujeto
-- pasivo.
-- It is no change of the law that somebody has written down, so that open forms stay as good as they were.
alter table reverse_charge_rule disable trigger touch;
update reverse_charge_rule set series = 'ISP' where country_code = 'ES';
alter table reverse_charge_rule enable trigger touch;

-- Both in one statement, so that the table is written once.
alter table document
  alter column printed set expression as (case series
      when 'invoice' then '' when 'sample' then 'SAMPLE-' when 'credit_note' then 'CN-'
      when 'sample_credit_note' then 'SAMPLE-CN-' else series || '-' end
    || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0')),
  alter column search set expression as (search_text(E'\n' || (case series
      when 'invoice' then '' when 'sample' then 'SAMPLE-' when 'credit_note' then 'CN-'
      when 'sample_credit_note' then 'SAMPLE-CN-' else series || '-' end
    || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0'))
    || E'\n' || buyer_name || E'\n' || coalesce(buyer_vat_number, '')));
