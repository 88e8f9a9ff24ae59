-- Which day of supply an invoice bears that is made before its goods have left: what the seller's country asks for, the
-- invoice's own, or none until they are dispatched (Directive 2006/112/EC, article 226(7)).
alter table company add column supply_day text not null default 'country'
  check (supply_day in ('country', 'invoice', 'dispatch'));
