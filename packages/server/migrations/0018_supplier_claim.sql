-- What goes back to a supplier, and what he credits. An item is in one open claim at most.
create table supplier_claim (
  id int generated always as identity primary key,
  supplier_id int not null references supplier,
  state text not null default 'draft' check (state in ('draft', 'sent', 'settled', 'refused')),
  reference text,
  note text,
  credit_expected bigint check (credit_expected >= 0), -- null: what the items cost
  credit_received bigint check (credit_received >= 0),
  created_by int references app_user,
  sent_at timestamptz(3),
  settled_on date,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search text generated always as (search_text(E'\n' || coalesce(reference, '') || E'\n' || coalesce(note, ''))) stored,
  constraint supplier_claim_state check (case state
    when 'draft' then sent_at is null and settled_on is null and credit_received is null
    when 'sent' then sent_at is not null and settled_on is null and credit_received is null
    else sent_at is not null and settled_on is not null and credit_received is not null end),
  constraint supplier_claim_refused check (state <> 'refused' or credit_received = 0)
);
create index supplier_claim_supplier on supplier_claim (supplier_id, id desc);
create trigger touch before update of supplier_id, state, reference, note, credit_expected, credit_received, settled_on
  on supplier_claim for each row execute function touch();

create table supplier_claim_item (
  claim_id int not null references supplier_claim on delete cascade,
  stock_id int not null references stock,
  reason text not null,
  cost int check (cost >= 0),     -- as it was when the claim was sent
  credit int check (credit >= 0), -- where the supplier says so for each item
  is_open boolean not null default true,  -- the claim is a draft or sent
  is_back boolean not null default false, -- the supplier has sent it back
  primary key (claim_id, stock_id),
  check (not (is_open and (is_back or credit is not null)))
);
create unique index supplier_claim_item_open on supplier_claim_item (stock_id) where is_open;
create index supplier_claim_item_stock on supplier_claim_item (stock_id);

alter table stock
  add column supplier_return_id int references supplier_claim,
  add constraint stock_supplier_return check (supplier_return_id is null or status = 'Returned to Supplier');
create index stock_supplier_return on stock (supplier_return_id) where supplier_return_id is not null;
