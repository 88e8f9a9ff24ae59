-- Invoices and credit notes are documents: one table, one job, one seal. What has left the house never changes.
alter table invoice rename to document;
alter table invoice_version rename to document_version;
alter table document_version rename column invoice_id to document_id;

-- The buyer, the day it is due and the totals are repeated from what the newest version prints, for lists and the books.
alter table document
  add column kind text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
  add column credits_id int references document,
  add column replaced_by_id int references document deferrable initially deferred,
  add column reason text check (reason in ('return', 'correction', 'resubmission', 'void')),
  add column left_at timestamptz(3),
  add column due_on date,
  add column customer_id int references customer,
  add column buyer_name text,
  add column buyer_country text,
  add column buyer_vat_number text,
  add column total_net bigint not null default 0,
  add column total_gross bigint not null default 0,
  add column total_margin_vat bigint not null default 0,
  add constraint document_credits check ((kind = 'credit_note') = (credits_id is not null)
    and (kind = 'credit_note') = (reason is not null) and (kind = 'invoice' or replaced_by_id is null));
-- The invoice that stands; those that were corrected stay beside it.
alter table document drop constraint invoice_sale_id_key;
alter table document add column printed text not null generated always as (case series
    when 'sample' then 'SAMPLE-' when 'credit_note' then 'CN-' when 'sample_credit_note' then 'SAMPLE-CN-' else '' end
  || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0')) stored;
create unique index document_standing on document (sale_id) where kind = 'invoice' and replaced_by_id is null;
create index document_sale on document (sale_id);
create index document_credit on document (credits_id) where credits_id is not null;
create index document_issued on document (issued_on, id);
create index document_customer on document (customer_id, id desc);

-- `is_copy`: the same again, of what had left already. A version is sealed by its file, whose SHA-256 stands in `file`.
alter table document_version add column is_copy boolean not null default false;

-- The lines of a document. `credited`: how much of an invoice's line credit notes have taken back.
create table document_line (
  document_id int not null references document,
  stock_id int not null references stock,
  position int not null,
  net int not null,
  price int not null check (price >= 0), -- as typed: gross where the sale's prices include VAT
  treatment text not null,
  rate int not null,
  cost int not null,
  margin_rate int,
  margin_vat int not null default 0 check (margin_vat >= 0),
  credited int not null default 0,
  primary key (document_id, stock_id),
  check (credited between 0 and price)
);
create table document_vat (
  document_id int not null references document,
  treatment text not null,
  rate int not null,
  net bigint not null,
  vat bigint not null,
  primary key (document_id, treatment, rate)
);

-- What the documents of a sale ask for together, and until when. What a return took off the sale's turnover.
alter table sale
  add column invoiced_total bigint not null default 0,
  add column due_on date;
alter table sale_item add column returned_sales int check (returned_sales >= 0);
update sale_item set returned_sales = sales_price where released = 'returned';
alter table sale_item add constraint sale_item_returned check ((released is not distinct from 'returned') = (returned_sales is not null));

-- Which documents a mail carries, once each of them is made.
alter table mail add column document_ids int[] not null default '{}';
update mail set document_ids = array[d.id] from document d
  where d.sale_id = mail.sale_id and mail.state = 'waiting' and mail.attempts = 0 and mail.file_ids = '{}';

-- What is there already stays as it is, and counts as having left: nobody noted who has seen it.
update document d set
    left_at = (select min(v.created_at) from document_version v where v.document_id = d.id and v.file_id is not null),
    due_on = d.issued_on + coalesce((select (v.data -> 'seller' ->> 'payment_days')::int from document_version v
      where v.document_id = d.id order by v.version desc limit 1), 0),
    customer_id = s.customer_id,
    buyer_name = coalesce(s.buyer ->> 'company_name', s.buyer ->> 'full_name'),
    buyer_country = coalesce(s.buyer -> 'billing_address' ->> 'country_code', s.buyer -> 'delivery_address' ->> 'country_code'),
    buyer_vat_number = s.buyer ->> 'vat_number',
    total_net = s.total_sales_price,
    total_gross = s.total_sales_price_vat,
    total_margin_vat = s.total_margin_vat
  from sale s where s.id = d.sale_id;
update sale s set invoiced_total = d.total_gross, due_on = d.due_on from document d where d.sale_id = s.id;
insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate, margin_vat)
  select d.id, i.stock_id, row_number() over (partition by d.id order by i.position), i.sales_price,
    coalesce(i.sales_price_vat, i.sales_price), i.vat_treatment, i.vat_rate, i.cost, i.margin_rate, i.margin_vat
  from document d join sale_item i on i.sale_id = d.sale_id where i.released is distinct from 'removed';
insert into document_vat (document_id, treatment, rate, net, vat)
  select d.id, v.treatment, v.rate, v.net, v.vat from document d join sale_vat v on v.sale_id = d.sale_id;
alter table document
  alter column customer_id set not null,
  alter column buyer_name set not null,
  alter column due_on set not null;

alter table document add column search text generated always as
  (search_text(E'\n' || (case series when 'sample' then 'SAMPLE-' when 'credit_note' then 'CN-' when 'sample_credit_note' then 'SAMPLE-CN-'
      else '' end || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0'))
    || E'\n' || buyer_name || E'\n' || coalesce(buyer_vat_number, ''))) stored;
create index document_search on document using gin (search gin_trgm_ops);

create function document_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A document is never deleted.';
  end if;
  if old.left_at is not null and (new.left_at is null, new.series, new.year, new.number, new.sale_id, new.kind, new.credits_id,
      new.reason, new.issued_on, new.due_on, new.customer_id, new.buyer_name, new.buyer_country, new.buyer_vat_number, new.total_net,
      new.total_gross, new.total_margin_vat)
    is distinct from (false, old.series, old.year, old.number, old.sale_id, old.kind, old.credits_id,
      old.reason, old.issued_on, old.due_on, old.customer_id, old.buyer_name, old.buyer_country, old.buyer_vat_number, old.total_net,
      old.total_gross, old.total_margin_vat) then
    raise exception 'Document #% has left the house: it does not change.', old.id;
  end if;
  return new;
end $$;
create trigger kept before update or delete on document for each row execute function document_kept();

create function document_version_kept() returns trigger language plpgsql as $$
begin
  if old.file_id is not null then
    raise exception 'Version % of document #% is sealed.', old.version, old.document_id;
  end if;
  return new;
end $$;
create trigger kept before update on document_version for each row execute function document_version_kept();

create function document_part_kept() returns trigger language plpgsql as $$
begin
  if exists (select from document where id = old.document_id and left_at is not null) then
    raise exception 'Document #% has left the house: it does not change.', old.document_id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
-- How much of a line is credited goes on changing.
create trigger kept before delete or update of document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate,
    margin_vat on document_line for each row execute function document_part_kept();
create trigger kept before delete or update on document_vat for each row execute function document_part_kept();
