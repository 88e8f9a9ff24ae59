-- What suppliers gave back, by the day of their credit. `amount` is below 0 where a credit was put right; `lowers` is by how
-- much the item's purchase price fell with it, which never falls below 0.
create table supplier_credit (
  id int generated always as identity primary key,
  booked_on date not null,
  claim_id int not null references supplier_claim,
  stock_id int not null references stock,
  amount bigint not null check (amount <> 0),
  lowers int not null,
  created_at timestamptz(3) not null default now()
);
create index supplier_credit_booked on supplier_credit (booked_on, id);
create index supplier_credit_item on supplier_credit (stock_id);
create index supplier_credit_claim on supplier_credit (claim_id);
create trigger kept before delete or update of claim_id, stock_id, amount, lowers on supplier_credit
  for each row execute function refuse_change();

-- What a credit changes in what invoices say that items have cost. `margin` and `margin_vat` are of the margin scheme alone.
create table purchase_correction (
  id int generated always as identity primary key,
  booked_on date not null,
  document_id int not null references document,
  stock_id int not null references stock,
  claim_id int not null references supplier_claim,
  treatment text not null,
  margin_rate int,
  purchase int not null,
  margin int not null,
  margin_vat int not null,
  created_at timestamptz(3) not null default now()
);
create index purchase_correction_booked on purchase_correction (booked_on, id);
create index purchase_correction_line on purchase_correction (document_id, stock_id);
create index purchase_correction_item on purchase_correction (stock_id);
create index purchase_correction_claim on purchase_correction (claim_id);
create trigger kept before delete or update of document_id, stock_id, claim_id, treatment, margin_rate, purchase, margin, margin_vat
  on purchase_correction for each row execute function refuse_change();

-- What an item has cost is its purchase price less what its supplier gave back. Rewrites the table.
alter table stock
  add column supplier_credit bigint not null default 0 check (supplier_credit >= 0),
  alter column cost set expression as
    (greatest(round(purchase_price / coalesce(fx_rate, 1)) - supplier_credit, 0)::int);

-- The claims of before: what was credited for all together is split by what the items cost. What was sold meanwhile keeps the
-- cost and the margin of the day of its sale.
with line as (
    select i.claim_id, i.stock_id, c.settled_on, i.credit, c.credit_received::numeric as whole,
      bool_or(i.credit is not null) over claim as by_item,
      (case when sum(i.cost) over claim = 0 then 1 else i.cost end)::numeric as weight
    from supplier_claim c join supplier_claim_item i on i.claim_id = c.id
    where c.state = 'settled' and c.credit_received > 0
    window claim as (partition by c.id)),
  part as (
    select *, div(whole * weight, sum(weight) over claim) as least, mod(whole * weight, sum(weight) over claim) as remainder
    from line window claim as (partition by claim_id)),
  spread as (
    select *, case when by_item then coalesce(credit, 0) else least + case when row_number() over (
      partition by claim_id order by remainder desc, stock_id) <= whole - sum(least) over (partition by claim_id) then 1 else 0 end
      end as amount
    from part)
insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
  select settled_on, claim_id, stock_id, amount, 0 from spread where amount > 0 order by settled_on, claim_id, stock_id;

alter table supplier_credit disable trigger kept;
with earlier as (
  select c.id, c.amount, s.cost,
    coalesce(sum(c.amount) over (partition by c.stock_id order by c.id rows between unbounded preceding and 1 preceding), 0) as before
  from supplier_credit c join stock s on s.id = c.stock_id)
update supplier_credit c set lowers = least(e.amount, greatest(e.cost - e.before, 0)) from earlier e where e.id = c.id;
alter table supplier_credit enable trigger kept;
update stock set supplier_credit = given.amount
  from (select stock_id, sum(amount) as amount from supplier_credit group by stock_id) given where stock.id = given.stock_id;

-- Where credits are booked in the accountant's program: the suppliers' account, and one by what the items were bought under.
alter table accounting_settings add column creditor_account int
  check (creditor_account > 0 and length(creditor_account::text) <= account_length + 1);
create table credit_account (
  treatment text primary key check (treatment in
    ('unknown', 'standard', 'margin', 'reverse_charge', 'intra_community', 'import')),
  account int not null check (account between 1 and 99999999)
);
