-- Letters about open invoices: statements of account, and reminders of three levels. A person makes each of them. The data
-- and the PDF never change.
alter table company add column reminder_days int not null default 7 check (reminder_days between 0 and 365);

create table letter (
  id int generated always as identity primary key,
  customer_id int not null references customer,
  kind text not null check (kind in ('statement', 'reminder')),
  level int check (level between 1 and 3),
  way text not null check (way in ('email', 'download')),
  lang text not null,
  made_on date not null,
  pay_by date,
  total bigint not null,
  invoices int not null,
  data jsonb not null,
  file_id int not null references file,
  created_by int references app_user,
  created_at timestamptz(3) not null default now(),
  constraint letter_reminds check ((kind = 'reminder') = (level is not null) and (kind = 'reminder') = (pay_by is not null))
);
create index letter_customer on letter (customer_id, id desc);
create trigger kept before update or delete on letter for each row execute function refuse_change();

-- The invoices of a reminder, with their open sums of that day. `counts` is false if the letter did not leave.
create table letter_line (
  letter_id int not null references letter,
  document_id int not null references document,
  sale_id int not null references sale,
  level int not null check (level between 1 and 3),
  made_on date not null,
  due_on date not null,
  open_amount bigint not null check (open_amount > 0),
  counts boolean not null default true,
  primary key (letter_id, document_id)
);
-- Two people who remind of an invoice at once send one reminder.
create unique index letter_line_once on letter_line (document_id, made_on) where counts;
create index letter_line_sale on letter_line (sale_id, letter_id);
create trigger kept before delete or update of letter_id, document_id, sale_id, level, made_on, due_on, open_amount on letter_line
  for each row execute function refuse_change();

alter table mail add column letter_id int references letter;
create index mail_letter on mail (letter_id, id desc) where letter_id is not null;
