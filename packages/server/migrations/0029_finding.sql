-- Whatever a list filters stock by stands in the index that it comes from: what matches is counted in it alone, and not by
-- reading a hundred thousand items.
create index stock_newest_filtered on stock (status, id desc)
  include (supplier_id, grade_id, actual_product_id, sales_price, cost, network_locked, purchase_date, created_at);
-- The items of a supplier, also where somebody wants to delete it.
create index stock_supplier on stock (supplier_id, status, id desc) where supplier_id is not null;
-- Last: from here on nobody reads stock until all of this is done.
drop index stock_newest;
alter index stock_newest_filtered rename to stock_newest;
