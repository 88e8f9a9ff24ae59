-- The items that a planned part of a preview is about (`meant`), and hashes of the identifiers of the items that it makes
-- (`brought`), in capitals. By them the server finds the few parts whose plan a change of items may have made wrong,
-- without reading all plans. Both are null in parts that an older version has planned.
alter table import_part add column meant int[], add column brought int[];
