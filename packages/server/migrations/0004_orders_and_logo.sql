-- A partner reads its own orders, newest first.
create index sale_partner on sale (partner_id, id desc) where partner_id is not null;

-- The logo is saved apart from the form: its upload must not make an open form out of date.
drop trigger touch on company;
create trigger touch before update on company for each row
  when (old.logo_file_id is not distinct from new.logo_file_id) execute function touch();
