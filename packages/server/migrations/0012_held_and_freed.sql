-- What later parts of an import must know of the rows before, also where another process goes on with it: for each row that failed
-- the item that it would have changed, and the keys that rows took off items, each with its line in the file.
alter table import_part add column held int[], add column freed jsonb;
