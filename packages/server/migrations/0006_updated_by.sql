-- Whoever has an older form open is told who changed the record. Others of these have logs that tell.
alter table make add column updated_by int;
alter table colour add column updated_by int;
alter table category add column updated_by int;
alter table vat add column updated_by int;
alter table partner add column updated_by int;
alter table company add column updated_by int;
