-- The profile of e-invoices that a customer asks for, and the addresses and references that profiles demand. A document
-- keeps those of its day in its data.
alter table customer
  add column e_invoice_profile text check (e_invoice_profile in ('xrechnung', 'peppol')),
  add column buyer_reference text,
  add column electronic_address text;
alter table company
  add column contact_name text,
  add column electronic_address text;
-- The documents that have a profile. A column of `document` would make a third statement of a sale stale on a server of the
-- last release, which tries a transaction three times.
create table document_profile (
  document_id int primary key references document (id),
  profile text not null check (profile in ('xrechnung', 'peppol'))
);
create function document_profile_kept() returns trigger language plpgsql as $$
begin
  if exists (select from document where id = old.document_id and left_at is not null) then
    raise exception 'Document #% is final: its profile does not change.', old.document_id;
  end if;
  return coalesce(new, old);
end $$;
create trigger kept before update or delete on document_profile for each row execute function document_profile_kept();

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
