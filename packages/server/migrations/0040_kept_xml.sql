-- The XML of a version of a document in each syntax of EN 16931, as it left the house: made once, with the PDF or when
-- it is first asked for, and sealed by its SHA-256. Versions from before have theirs from the first time on.
create table document_xml (
  document_id int not null,
  version int not null,
  syntax text not null check (syntax in ('cii', 'ubl')),
  content bytea not null,
  sha256 bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (document_id, version, syntax),
  foreign key (document_id, version) references document_version (document_id, version),
  constraint document_xml_sealed check (sha256 = sha256(content))
);

create function document_xml_kept() returns trigger language plpgsql as $$
begin
  raise exception 'The XML of document #% is sealed.', old.document_id;
end $$;
create trigger kept before update or delete on document_xml for each row execute function document_xml_kept();

-- Few documents are without a file, and somebody looks for those.
create index document_not_ready on document (status, id) where status <> 'ready';
