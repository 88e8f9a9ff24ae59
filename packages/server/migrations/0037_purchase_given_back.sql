-- What a line of a credit note takes back. 'return': the phone is back, and with it the whole of its purchase, whatever was
-- refunded. 'allowance': the buyer keeps the phone, and its purchase stays deducted. 'void': all that is left of the line.
alter table document_line add column credit_kind text check (credit_kind in ('return', 'allowance', 'void'));
-- What is kept of the price of a returned phone is all margin: its VAT may be more than that of the whole sale was.
alter table document_line drop constraint document_line_margin_vat_check;
alter table document_line add constraint document_line_margin_vat check (margin_vat >= 0 or credit_kind = 'return');

-- Until now an invoice that was replaced went on asking for what was kept of returned items. Those stay as they are.
alter table document add column asks_still boolean not null default false;

-- Whether the line of an invoice or credit note counts in margins. Paper does not show what is changed here.
alter table document disable trigger kept;
alter table document_line disable trigger kept;
update document_line l set credit_kind = case d.reason when 'return' then 'return' else 'void' end
  from document d where d.id = l.document_id and d.kind = 'credit_note';
-- What was refunded in part gave nothing of the purchase back.
with back as (
  update document_line l set cost = o.cost, margin_vat = case when l.margin_rate is null then 0 else
      o.margin_vat - round((o.price - l.price)::numeric * l.margin_rate / (10000 + l.margin_rate)) end
  from document d, document_line o
  where d.id = l.document_id and o.document_id = d.credits_id and o.stock_id = l.stock_id
    and l.credit_kind = 'return' and l.cost = 0 and o.cost > 0 and l.price < o.price
  returning l.document_id, l.stock_id, l.margin_vat)
update document d set total_margin_vat = (
    select sum(coalesce(back.margin_vat, l.margin_vat)) from document_line l left join back using (document_id, stock_id)
    where l.document_id = d.id)
  where id in (select document_id from back);
-- Of what came back for nothing, or was sold for nothing and not sold after all, no credit note speaks, and an invoice that was
-- made after the return has its whole purchase: none of them has a purchase to deduct.
with free as (
  update document_line l set cost = 0,
    margin_vat = case when l.margin_rate is null then 0 else round(l.price::numeric * l.margin_rate / (10000 + l.margin_rate)) end
  from document d join sale_item i on i.sale_id = d.sale_id
  where d.id = l.document_id and d.kind = 'invoice' and i.stock_id = l.stock_id and l.cost > 0
    and not exists (select from document c join document_line e on e.document_id = c.id
      where c.credits_id = d.id and e.stock_id = l.stock_id)
    and (i.released = 'returned' and i.returned_price < coalesce(i.sales_price_vat, i.sales_price)
      or l.price = 0 and (d.replaced_by_id is not null or i.released is not null and i.released <> 'lost'))
  returning l.document_id, l.stock_id, l.margin_vat)
update document d set total_margin_vat = (
    select sum(coalesce(free.margin_vat, l.margin_vat)) from document_line l left join free using (document_id, stock_id)
    where l.document_id = d.id)
  where id in (select document_id from free);
update document d set asks_still = true
  where replaced_by_id is not null and exists (select from document_line l where l.document_id = d.id and l.credited < l.price);
alter table document enable trigger kept;
alter table document_line enable trigger kept;
drop trigger kept on document_line;
create trigger kept before delete or update of document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate,
    margin_vat, credit_kind on document_line for each row execute function document_part_kept();

-- What is left of a sale's lines, as typed: all of what was not taken off less what was given back of it, and the purchase of
-- what has not come back.
create view sale_line_left as
  select i.sale_id, i.stock_id, i.position, i.vat_rate, i.vat_treatment, i.margin_rate,
    coalesce(i.sales_price_vat, i.sales_price) as sold,
    i.returned_price, coalesce(i.sales_price_vat, i.sales_price) - coalesce(i.returned_price, 0) as price,
    i.cost as bought, case when i.released = 'returned' then 0 else i.cost end as cost,
    i.released is not distinct from 'returned' as is_back
  from sale_item i where i.released is distinct from 'removed';

-- What returns take off a sale is worked out for all of its lines together, as its credit notes are: line by line it was a cent
-- more or less where prices include VAT.
alter table sale_item drop column returned_sales;
alter table sale disable trigger touch;
with line as (
    select l.*, s.prices_include_vat from sale_line_left l join sale s on s.id = l.sale_id
    where l.sale_id in (select sale_id from sale_item where released = 'returned')),
  total as (
    select sale_id, prices_include_vat, vat_rate, sum(sold)::numeric as sold, sum(price)::numeric as kept,
      sum(bought) filter (where is_back) as back,
      sum(round(greatest(price - cost, 0)::numeric * margin_rate / (10000 + margin_rate))) filter (where margin_rate is not null) as margin_left
    from line group by sale_id, vat_treatment, vat_rate, prices_include_vat),
  returned as (
    select sale_id, sum(case when prices_include_vat
        then sold - round(sold * vat_rate / (10000 + vat_rate)) - kept + round(kept * vat_rate / (10000 + vat_rate))
        else sold - kept end) as net,
      sum(case when prices_include_vat then sold - kept
        else sold + round(sold * vat_rate / 10000) - kept - round(kept * vat_rate / 10000) end) as gross,
      coalesce(sum(back), 0) as cost, coalesce(sum(margin_left), 0) as margin_left
    from total group by sale_id)
update sale s set returned_sales = r.net, returned_gross = r.gross, returned_cost = r.cost,
    returned_margin_vat = s.total_margin_vat - r.margin_left
  from returned r where r.sale_id = s.id and (s.returned_sales, s.returned_gross, s.returned_cost, s.returned_margin_vat)
    is distinct from (r.net, r.gross, r.cost, s.total_margin_vat - r.margin_left);
alter table sale enable trigger touch;
