-- A search of the stock also finds products by name; without it every search would read all of them.
create index product_search on product using gin (search gin_trgm_ops);
-- Sales of a week, and the last twelve of them.
create index sale_created on sale (created_at);
