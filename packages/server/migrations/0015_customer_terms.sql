-- What a customer's invoices are written in and when they are due; null as the country has it, and as the company says.
alter table customer
  add column registration text,
  add column lang text check (lang in ('en', 'de', 'fr', 'nl', 'es', 'it', 'pl')),
  add column payment_days int check (payment_days between 0 and 365);
