-- What a customer who keeps an item got back of its price, as typed.
alter table sale_item add column allowed_price int not null default 0;
alter table sale_item add constraint sale_item_allowed_price
  check (allowed_price = 0 or allowed_price between 0 and coalesce(sales_price_vat, sales_price) - coalesce(returned_price, 0));
alter table document drop constraint document_reason_check;
alter table document add constraint document_reason_check
  check (reason in ('return', 'correction', 'resubmission', 'void', 'allowance'));

create or replace view sale_line_left as
  select i.sale_id, i.stock_id, i.position, i.vat_rate, i.vat_treatment, i.margin_rate,
    coalesce(i.sales_price_vat, i.sales_price) as sold,
    i.returned_price,
    coalesce(i.sales_price_vat, i.sales_price) - coalesce(i.returned_price, 0) - i.allowed_price as price,
    i.cost as bought, case when i.released = 'returned' then 0 else i.cost end as cost,
    i.released is not distinct from 'returned' as is_back, i.allowed_price
  from sale_item i where i.released is distinct from 'removed';
