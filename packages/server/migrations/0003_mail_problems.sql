-- Mails that a person should look at are few among very many.
create index mail_problem on mail (state, sale_id, id) where state in ('unclear', 'failed');
