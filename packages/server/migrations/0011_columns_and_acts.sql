-- A further column has a number, by which an administrator removes it, and the partner who brought it: each has a share.
alter table attribute_name add column id int generated always as identity unique;
alter table attribute_name add column partner_id int references partner;
alter table attribute_name add column search text
  generated always as (search_text(E'\n' || case kind when 'grading' then 'grading_' else '' end || name)) stored;

-- Entries of many items that one act has changed, of which one entry of its sale or batch tells: no notifications.
alter table log add column of_many boolean not null default false;
drop index log_recent;
create index log_recent on log (user_id, id) where import_id is null and not is_hidden and not of_many;
