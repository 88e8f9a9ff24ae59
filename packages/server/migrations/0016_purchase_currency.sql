-- Prices of purchase in other currencies, with the rate of that day: units of it for one EUR. A cost fits an int at any rate allowed.
-- Rewrites the table, for the new cost.
alter table stock
  drop constraint stock_purchase_currency_check,
  add column fx_rate numeric(14, 6) check (fx_rate between 0.05 and 1000000),
  add constraint stock_purchase_currency check (purchase_currency ~ '^[A-Z]{3}$'),
  add constraint stock_currency_and_rate check ((purchase_currency = 'EUR') = (fx_rate is null)),
  alter column cost set expression as (round(purchase_price / coalesce(fx_rate, 1))::int);
-- A list by the price of purchase is one by what it came to in EUR.
drop index stock_purchase_price;
create index stock_cost on stock (status, cost, id);
-- For the last rate of a currency.
create index stock_fx_rate on stock (purchase_currency, id desc) where fx_rate is not null;
