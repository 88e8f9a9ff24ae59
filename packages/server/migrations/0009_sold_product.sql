-- A sale keeps what its products were called, also for sheets that are made again later.
alter table sale_item add column make text, add column model text, add column capacity text, add column colour text;
update sale_item i set make = m.name, model = p.model, capacity = p.capacity || ' ' || p.capacity_unit, colour = c.name
from stock s join product p on p.id = s.actual_product_id join make m on m.id = p.make_id left join colour c on c.id = p.colour_id
where s.id = i.stock_id;
