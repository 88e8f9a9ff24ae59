-- A list of one product and status found all items of the product and read each for its status. Now the index tells it.
create index stock_product_status on stock (actual_product_id, status, id desc);
-- Last: from here on nobody reads stock until this transaction ends.
drop index stock_product;
alter index stock_product_status rename to stock_product;
