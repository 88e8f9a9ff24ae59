-- The profile of e-invoices that a customer asks for, and the addresses and references that profiles demand. A document
-- keeps those of its day in its data.
alter table customer
  add column e_invoice_profile text check (e_invoice_profile in ('xrechnung', 'peppol')),
  add column buyer_reference text,
  add column electronic_address text;
alter table company
  add column contact_name text,
  add column electronic_address text;
alter table document add column profile text check (profile in ('xrechnung', 'peppol'));
-- Few documents have a profile, and somebody looks for those that are to be handed over.
create index document_profiled on document (id) where profile is not null;

alter table document_xml
  drop constraint document_xml_syntax_check,
  add constraint document_xml_syntax_check check (syntax in ('cii', 'ubl', 'xrechnung-ubl', 'xrechnung-cii', 'peppol'));

-- The XML of a document that a person hands over to a connector, which sends it to the buyer: once for each document.
create table document_handover (
  document_id int primary key references document (id),
  file_name text not null,
  state text not null check (state in ('waiting', 'done', 'failed')),
  error text,
  user_id int references app_user (id),
  asked_at timestamptz(3) not null default now(),
  done_at timestamptz(3),
  check ((state = 'done') = (done_at is not null)),
  check ((state = 'failed') = (error is not null))
);

create or replace function document_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A document is never deleted.';
  end if;
  if old.left_at is not null and (new.left_at is null, new.series, new.year, new.number, new.sale_id, new.kind, new.credits_id,
      new.reason, new.issued_on, new.due_on, new.customer_id, new.buyer_name, new.buyer_country, new.buyer_vat_number, new.total_net,
      new.total_gross, new.total_margin_vat, new.profile)
    is distinct from (false, old.series, old.year, old.number, old.sale_id, old.kind, old.credits_id,
      old.reason, old.issued_on, old.due_on, old.customer_id, old.buyer_name, old.buyer_country, old.buyer_vat_number, old.total_net,
      old.total_gross, old.total_margin_vat, old.profile) then
    raise exception 'Document #% has left the house: it does not change.', old.id;
  end if;
  return new;
end $$;
