-- A credit never lowers a purchase below 0. If a purchase price is corrected after the credit, another part of the credit
-- may lower it than was booked. The books get the difference on the day of the correction, as a row without an amount,
-- because rows never change.
alter table supplier_credit drop constraint supplier_credit_amount_check;

create function credited_price_corrected() returns trigger language plpgsql as $$
begin
  insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
  select greatest((clock_timestamp() at time zone company.time_zone)::date, c.settled_on), c.id, new.id, 0,
    round(new.purchase_price / coalesce(new.fx_rate, 1)) - new.cost
      - (round(old.purchase_price / coalesce(old.fx_rate, 1)) - old.cost)
  from company, supplier_claim c where c.id = (select max(claim_id) from supplier_credit where stock_id = new.id);
  return null;
end $$;
create trigger price_corrected after update of purchase_price, fx_rate on stock for each row
  when (new.supplier_credit > 0 and round(new.purchase_price / coalesce(new.fx_rate, 1)) - new.cost
    <> round(old.purchase_price / coalesce(old.fx_rate, 1)) - old.cost)
  execute function credited_price_corrected();

-- The prices that were corrected before.
insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
  select greatest((now() at time zone company.time_zone)::date, c.settled_on), c.id, s.id, 0,
    round(s.purchase_price / coalesce(s.fx_rate, 1)) - s.cost - given.lowers
  from company, (select stock_id, max(claim_id) as claim_id, sum(lowers) as lowers from supplier_credit group by stock_id) given
    join stock s on s.id = given.stock_id join supplier_claim c on c.id = given.claim_id
  where round(s.purchase_price / coalesce(s.fx_rate, 1)) - s.cost <> given.lowers
  order by s.id;
