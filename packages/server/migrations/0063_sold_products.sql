-- The product of each line as its item had it when it was sold: a search finds sales and documents by the names of products.
-- No foreign key: a line bears its own name of the product and may outlive it.
alter table sale_item add column product_id int;
update sale_item i set product_id = s.actual_product_id from stock s where s.id = i.stock_id;
create index sale_item_product on sale_item (product_id, sale_id) where released is distinct from 'removed';

-- A server of the last release writes lines without it.
create function fill_sold_product() returns trigger language plpgsql as $$
begin
  new.product_id := (select actual_product_id from stock where id = new.stock_id);
  return new;
end $$;
create trigger sold_product before insert on sale_item for each row when (new.product_id is null)
  execute function fill_sold_product();
