-- What decided of a line on the day of its sale, beside `purchase_treatment`: its VAT type's rate in hundredths of a percent and
-- what that meant, null where it had none or nobody had said; whether it was of the goods of reverse charge; the reason for no VAT.
alter table sale_item
  add column type_rate int,
  add column type_treatment text check (type_treatment in ('standard', 'zero', 'margin', 'exempt')),
  add column is_reverse_charge_good boolean not null default false,
  add column exemption_text text,
  add column exemption_code text;
-- Within how many days it is to be paid: the customer's own, else those of the company on that day.
alter table sale add column payment_days int check (payment_days >= 0);

-- What a line says itself counts; of the rest nobody knows more than what is so today.
update sale_item i set
    type_rate = case when i.vat_treatment = 'standard' then i.vat_rate
      when i.vat_treatment in ('zero', 'exempt', 'none') or i.vat_treatment = 'margin' and i.purchase_treatment = 'unknown' then 0
      else v.rate end,
    type_treatment = case when i.vat_treatment in ('standard', 'zero', 'exempt') then i.vat_treatment
      when i.vat_treatment = 'margin' and i.purchase_treatment = 'unknown' then 'margin'
      when i.vat_treatment <> 'none' then v.treatment end,
    is_reverse_charge_good = i.vat_treatment = 'reverse_charge' or coalesce((select c.is_reverse_charge_good from stock s
      join product p on p.id = s.actual_product_id join category c on c.id = p.category_id where s.id = i.stock_id), false),
    exemption_text = case when i.vat_treatment = 'exempt' then v.exemption_text end,
    exemption_code = case when i.vat_treatment = 'exempt' then v.exemption_code end
  from sale_item o left join vat v on v.id = o.vat_id
  where (o.sale_id, o.stock_id) = (i.sale_id, i.stock_id) and (o.vat_id is not null or o.vat_treatment not in ('none'));
update sale s set payment_days = coalesce(
    (select (v.data -> 'seller' ->> 'payment_days')::int from document d join document_version v on v.document_id = d.id
      where d.sale_id = s.id and d.kind = 'invoice' order by d.id desc, v.version desc limit 1),
    (s.buyer ->> 'payment_days')::int, c.payment_days)
  from company c;
