-- The version whose XML is handed over: a copy that is made meanwhile, perhaps in another language, changes nothing.
alter table document_handover add column version int;

-- The profile is that of the document's newest version. The database keeps it so, because a server of the last release
-- makes versions that know no profile.
create function document_profile_of_version() returns trigger language plpgsql as $$
begin
  delete from document_profile p using made v
    where p.document_id = v.document_id and p.profile is distinct from v.data ->> 'profile';
  insert into document_profile (document_id, profile)
    select document_id, data ->> 'profile' from made where data ? 'profile'
    on conflict do nothing;
  return null;
end $$;
create trigger profile after insert on document_version referencing new table as made
  for each statement execute function document_profile_of_version();
