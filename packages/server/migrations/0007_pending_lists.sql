-- What was written since the last cleaning stands in a list that every search reads whole: 4 MB of it by default, which an
-- import fills, take as long as the search itself. Cleaning more often costs an import less than a tenth.
alter index stock_identifier_search set (gin_pending_list_limit = 512);
alter index customer_search set (gin_pending_list_limit = 512);
alter index sale_search set (gin_pending_list_limit = 512);
alter index product_search set (gin_pending_list_limit = 512);
