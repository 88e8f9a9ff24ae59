-- A browser that has logged in to an account before: strangers who guess at the account do not shut it out.
create table login_device (
  token_hash bytea primary key,
  user_id int not null references app_user on delete cascade,
  seen_at timestamptz(3) not null default now()
);
create index login_device_user on login_device (user_id);

-- Worked out from the session's own token, which is kept nowhere: no cookie stands here in the clear.
alter table session drop column csrf;
