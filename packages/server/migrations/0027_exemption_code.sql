-- The code of why a rate of 0 is exempt (VATEX), for e-invoices; its words stand in exemption_text.
alter table vat add column exemption_code text;
