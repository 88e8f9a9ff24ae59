/**
 * The statements of the limits. They give the same answers as the server with bare SQL: as few statements as possible,
 * written by hand, each with the best known plan.
 */

const RELATED_SALE = `case s.status when 'Sold' then s.sale_id when 'Deleted' then (
  select max(i.sale_id) from sale_item i join sale on sale.id = i.sale_id
  where i.stock_id = s.id and i.released = 'lost' and sale.status = 'Requires Attention') end`

const ROW = `s.id, s.backstock_id, s.expected_product_id, s.actual_product_id, s.supplier_id, s.batch_id,
  s.supplier_return_id, s.vat_id as vat_type_id, s.status, s.imei, s.imei2, s.serial_number, s.meid, s.eid,
  s.engineer_notes, s.purchase_price, s.purchase_currency, s.fx_rate, s.cost, s.purchase_treatment, s.purchase_date,
  s.sales_price, s.sales_currency, s.network_locked, s.grade_id, s.functional, s.battery_health, s.location,
  p.model as product_name, p.display_name as product_display_name, v.company_name as supplier_name, b.name as batch_name,
  g.name as grade_name, coalesce(b.is_locked, false) as is_batch_locked, ${RELATED_SALE} as related_sale_id,
  s.created_at, s.updated_at`

const JOINS = `join product p on p.id = s.actual_product_id left join supplier v on v.id = s.supplier_id
  left join batch b on b.id = s.batch_id left join grade g on g.id = s.grade_id`

const IN_STOCK = `(select sum(n)::int from stock_count where status = 'In Stock') as total`

const listed = (ids: string, order: string) =>
  `select ${ROW}, ${IN_STOCK} from (${ids}) page join stock s on s.id = page.id ${JOINS} order by ${order}`

const RECORD = `${ROW}, s.grading_data, s.attributes, e.display_name as expected_name, t.name as vat_name, t.rate as vat_rate`
const RECORD_JOINS = `${JOINS} left join product e on e.id = s.expected_product_id left join vat t on t.id = s.vat_id`

const search = (table: string) => `${table}.search like search_text($1)`
const found = (table: string, columns: string) => `
  with hit as materialized (select * from ${table} where ${search(table)})
  select ${columns}, (select count(*)::int from hit) as total from hit order by id desc limit 10`

export const LIMITS = {
  newest: listed(`select id from stock where status = 'In Stock' order by id desc limit 10`, 's.id desc'),
  byPrice: listed(
    `select id from stock where status = 'In Stock' and sales_price is not null order by sales_price desc, id desc limit 10`,
    's.sales_price desc, s.id desc',
  ),
  deep: listed(`select id from stock where status = 'In Stock' order by id desc limit 10 offset $1`, 's.id desc'),

  /** $1 is the pattern to search for. */
  search: `
    with hit as materialized (select distinct stock_id as id from stock_identifier where value like $1)
    select ${ROW}, (select count(*)::int from hit) as total from (select id from hit order by id desc limit 10) page
    join stock s on s.id = page.id ${JOINS} order by s.id desc`,
  whole: `
    select ${ROW}, 1 as total from stock_identifier i join stock s on s.id = i.stock_id ${JOINS}
    where i.in_hand and i.kind = 'i' and left(i.value, 14) = left($1, 14)`,

  quickStock: `
    with hit as materialized (select distinct stock_id as id from stock_identifier where value like $1)
    select s.id, s.status, s.imei, s.serial_number, p.display_name as product_display_name,
      (select count(*)::int from hit) as total
    from (select id from hit order by id desc limit 10) page join stock s on s.id = page.id
    join product p on p.id = s.actual_product_id order by s.id desc`,
  quickBatch: found('batch', 'id, user_id, name, priority, is_locked'),
  quickSale: found('sale', 'id, status, reference_number, invoice_number, customer_id'),
  quickCustomer: found('customer', 'id, first_name, last_name, email, phone, company_name, vat_number'),
  quickUser: found('app_user', 'id, name, email, role'),
  quickSupplier: found('supplier', 'id, company_name, first_name, last_name, email_address, phone_number'),

  /** $1 is the list of lines. */
  quickOrder: `
    select w.line, ${ROW} from unnest($1::text[]) with ordinality as w (line, n)
    left join lateral (
      select stock_id from stock_identifier where in_hand and kind = 'i' and left(value, 14) = left(w.line, 14)
      union all
      select stock_id from stock_identifier where in_hand and kind <> 'i' and kind = 's' and upper(value) = upper(w.line)
      limit 1) i on true
    left join stock s on s.id = i.stock_id left ${JOINS} order by w.n`,

  /** $1 is the id of the item. */
  record: `select ${RECORD} from stock s ${RECORD_JOINS} where s.id = $1`,
  logs: `
    select l.id, l.user_id, l.loggable_id, l.loggable_type, l.content, l.at as created_at, l.is_hidden,
      coalesce(u.name, p.name) as user_name
    from log l left join app_user u on u.id = l.user_id left join partner p on p.id = l.partner_id
    where l.loggable_type = 'Stock' and l.loggable_id = $1 and not l.is_hidden order by l.id desc limit 20`,

  /** $1 is the id of the item, $2 its new price, $3 the id of the user. */
  edit: `
    with written as (update stock set sales_price = $2 where id = $1 returning old.sales_price as was, new.*),
      logged as (insert into log (user_id, loggable_type, loggable_id, content)
        select $3, 'Stock', id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'sales_price', 'from', was, 'to', sales_price))) from written)
    select ${RECORD} from written s ${RECORD_JOINS}`,

  /** $1 is the id of the user, $2 the ids of the items. */
  basket: `
    with put as (insert into basket (user_id, items) values ($1, $2::int[])
      on conflict (user_id) do update set items = excluded.items, version = basket.version + 1)
    select ${ROW} from unnest($2::int[]) with ordinality as given (id, n) join stock s using (id) ${JOINS} order by n`,

  /**
   * $1 are the items, $2 is the id of the customer, $3 that of the user. This one statement writes all that the server
   * writes.
   */
  sell: `
    with line as materialized (
        select s.*, given.n, p.display_name, m.name as make, p.model, p.capacity || ' ' || p.capacity_unit as capacity,
          c.name as colour, g.name as grade, t.name as vat_name, coalesce(t.rate, 0) as rate, t.rate as type_rate,
          t.treatment as type_treatment, coalesce(t.treatment, 'standard') as treatment
        from unnest($1::int[]) with ordinality as given (id, n) join stock s using (id)
        join product p on p.id = s.actual_product_id join make m on m.id = p.make_id left join colour c on c.id = p.colour_id
        left join grade g on g.id = s.grade_id left join vat t on t.id = s.vat_id for no key update of s),
      rates as (select treatment, rate, sum(sales_price) as net, (sum(sales_price) * rate * 2 + 10000) / 20000 as vat
        from line group by treatment, rate),
      made as (
        insert into sale (customer_id, created_by, buyer, prices_include_vat, total_items, total_purchase_price,
          total_sales_price, total_sales_price_vat, treatment_route, payment_days, vat_check_id)
        select c.id, $3, jsonb_build_object('first_name', c.first_name, 'last_name', c.last_name, 'full_name',
            c.first_name || ' ' || c.last_name, 'company_name', c.company_name, 'email', c.email, 'phone', c.phone,
            'vat_number', c.vat_number, 'billing_address', to_jsonb(b) - 'id', 'delivery_address', to_jsonb(d) - 'id'),
          false, cardinality($1::int[]), (select sum(cost) from line), (select sum(net) from rates),
          (select sum(net + vat) from rates),
          jsonb_build_object('day', current_date, 'seller', w.country_code, 'rules', '[]'::jsonb, 'buyer',
            jsonb_build_object('vat_number', c.vat_number, 'country_code', b.country_code), 'delivery', d.country_code),
          coalesce(c.payment_days, w.payment_days),
          (select k.id from vat_check k where k.customer_id = c.id and k.vat_number = c.vat_number
            order by k.checked_on desc, k.id desc limit 1)
        from customer c cross join company w left join address b on b.id = c.billing_address_id
        left join address d on d.id = c.delivery_address_id
        where c.id = $2 returning *),
      items as (
        insert into sale_item (sale_id, stock_id, position, product_id, product_name, make, model, capacity, colour, imei,
          serial_number, grade, vat_id, vat_name, vat_rate, vat_treatment, vat_why, type_rate, type_treatment,
          is_reverse_charge_good, purchase_treatment, sales_price, cost)
        select made.id, line.id, n, actual_product_id, display_name, make, model, capacity, colour, imei, serial_number,
          grade, vat_id, vat_name, rate, treatment, 'type', type_rate, type_treatment, false,
          purchase_treatment, sales_price, line.cost
        from line, made),
      vats as (insert into sale_vat select made.id, treatment, rate, net, vat from rates, made),
      marked as (update stock set status = 'Sold', sale_id = made.id from made where stock.id = any($1::int[])),
      emptied as (update basket set version = version + 1, items = array(
          select item from unnest(items) with ordinality as kept (item, n) where item <> all($1::int[]) order by n)
        where user_id = $3 and items && $1::int[]),
      logged as (
        insert into log (user_id, loggable_type, loggable_id, content)
        select $3, 'Stock', line.id, jsonb_build_object('type', 'item_sold', 'data', jsonb_build_object('sale_id', made.id))
          from line, made
        union all
        select $3, 'Stock', line.id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'status', 'from', status, 'to', 'Sold'))) from line
        union all
        select $3, 'Sale', made.id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'status', 'from', null, 'to', 'New'))) from made)
    select made.*, (select json_agg(json_build_object('rate', rate, 'net', net, 'vat', vat)) from rates) as vat_totals from made`,
  /** $1 are the ids of the items, $2 is the id of the user. */
  fillBatch: `
    with made as (insert into batch (user_id, name) values ($2, 'Many') returning *),
      moved as (update stock set status = 'In Batch', batch_id = made.id from made where stock.id = any($1::int[])
        returning stock.id, made.name),
      logged as (insert into log (user_id, loggable_type, loggable_id, content)
        select $2::int, 'Stock', id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'status', 'from', 'In Stock', 'to', 'In Batch'),
          jsonb_build_object('attributeName', 'batch', 'from', null, 'to', name))) from moved
        union all
        select $2::int, 'Batch', id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'name', 'from', null, 'to', name))) from made)
    select * from made`,
  /** $1 are the ids of the items, $2 is the id of the batch that they join, $3 that of the user. */
  moveBatch: `
    with moved as (update stock set batch_id = $2 where id = any($1::int[])
        returning id, old.batch_id as was),
      logged as (insert into log (user_id, loggable_type, loggable_id, content)
        select $3, 'Stock', moved.id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'batch', 'from', b.name, 'to', n.name)))
        from moved join batch b on b.id = was join batch n on n.id = $2)
    select * from batch where id = $2`,
  /** $1 is the id of the batch. */
  batchItems: `select ${ROW} from stock s ${JOINS} where s.batch_id = $1 order by s.id desc`,
  /** $1 is the id of the batch, $2 that of the user. */
  emptyBatch: `
    with freed as (update stock set status = 'In Stock', batch_id = null where batch_id = $1 returning id)
    insert into log (user_id, loggable_type, loggable_id, content)
      select $2::int, 'Stock', freed.id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
        jsonb_build_object('attributeName', 'status', 'from', 'In Batch', 'to', 'In Stock'),
        jsonb_build_object('attributeName', 'batch', 'from', b.name, 'to', null)))
      from freed join batch b on b.id = $1
      union all select $2, 'Batch', $1::int, jsonb_build_object('type', 'message', 'data', jsonb_build_object('message', 'Deleted.'))`,
  deleteBatch: 'delete from batch where id = $1',
  /** $1 is the id of the sale, $2 that of the user. */
  voidSale: `
    with freed as (update sale_item set released = 'voided' where sale_id = $1 and released is null returning stock_id),
      back as (update stock set status = 'In Stock', sale_id = null from freed where stock.id = stock_id returning stock.id),
      logged as (insert into log (user_id, loggable_type, loggable_id, content)
        select $2::int, 'Stock', id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'status', 'from', 'Sold', 'to', 'In Stock'))) from back)
    update sale set status = 'Voided' where id = $1 returning *`,

  /** $1 is the id of the sale. */
  soldItems: `
    select i.product_name, i.imei as sold_imei, i.serial_number as sold_serial_number, i.grade as sold_grade, i.vat_name,
      i.vat_rate, i.vat_treatment, i.vat_why, i.purchase_treatment as sold_treatment, i.margin_vat, i.returned_price,
      i.allowed_price, i.sales_price as sold_for, i.cost as sold_cost, ${ROW}
    from sale_item i join stock s on s.id = i.stock_id ${JOINS} where i.sale_id = $1 order by i.position`,

  /** All columns of the export. Cells that look like formulas are not escaped. */
  export: `
    select s.id, s.backstock_id, s.imei, s.serial_number, s.status, m.name, p.model, p.capacity, p.capacity_unit, c.name, k.name,
      v.company_name, (s.purchase_price * 0.01)::numeric(12, 2), s.purchase_currency, s.purchase_date,
      (s.sales_price * 0.01)::numeric(12, 2), s.sales_currency, t.name, s.network_locked::text, s.engineer_notes, b.name,
      s.grading_data ->> 'body', s.grading_data ->> 'screen'
    from stock s join product p on p.id = s.actual_product_id join make m on m.id = p.make_id
    join category k on k.id = p.category_id left join colour c on c.id = p.colour_id
    left join supplier v on v.id = s.supplier_id left join vat t on t.id = s.vat_id left join batch b on b.id = s.batch_id`,
}

/**
 * The statement for a search for this many words. Each word has two patterns, one for the beginning of a text and one
 * for that of a later word. It is planned anew for each search.
 */
export function wordsStatement(words: number): string {
  const all = Array.from({ length: words }, (_, n) => [`$${2 * n + 1}`, `$${2 * n + 2}`] as const)
  const named = all.map(
    ([first, later]) => `(search like '%\n' || search_text(${first}) or search like '%' || search_text(${later}))`,
  )
  const identified = all.map(
    ([first, later]) => `select stock_id from stock_identifier where value ilike ${first} or value ilike ${later}`,
  )
  const ofNamed = 'any(array(select id from of_product where true = all(has)))'
  return `
    with of_product as materialized (select id, array[${named}] as has from product where ${named.join(' or ')}),
      ${identified.map((ids, n) => `word_${n} as materialized (${ids})`).join(', ')},
      hit as materialized (
        select id from stock
        where id = any(array(${all.map((_, n) => `select stock_id from word_${n}`).join(' union all ')}))
          and not actual_product_id = ${ofNamed} and ${all
            .map(
              (_, n) => `(actual_product_id = any(array(select id from of_product where has[${n + 1}]))
              or id in (select stock_id from word_${n}))`,
            )
            .join(' and ')})
    select ${ROW}, (select count(*)::int from hit) + (select count(*)::int from stock where actual_product_id = ${ofNamed}) as total
    from (select id from ((select id from stock where actual_product_id = ${ofNamed} order by id desc limit 10)
        union all select id from hit) found order by id desc limit 10) page
    join stock s on s.id = page.id ${JOINS} order by s.id desc`
}
