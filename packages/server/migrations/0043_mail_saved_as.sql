-- The file in the folder `mail` of the data folder that a mail became, since no mail server was set up; null where a mail
-- server took it, and for mails from before this was kept.
alter table mail add column saved_as text;
