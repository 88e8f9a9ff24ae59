-- Cells that somebody has typed in a preview, as {"row column": true}: another encoding of the file does not change them.
alter table import_part add column mended jsonb;
