-- What invoices print of the seller: its registration as they say it, such as 'KvK 12345678', and whether devices of one product,
-- price and treatment are one line with their IMEIs below.
alter table company
  add column registration text,
  add column group_invoice_lines boolean not null default false;
