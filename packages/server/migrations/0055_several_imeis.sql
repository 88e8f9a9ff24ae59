-- Rows of a preview whose several IMEIs became rows of their own: what they were, by the numbers of their lines
-- (`rows`), and of which line each new one is (`of`).
alter table import_part add column pieces jsonb;
