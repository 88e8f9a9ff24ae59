-- Credits of suppliers from before the books knew them lowered no cost of items that had been sold already. If such a credit
-- is put right, it takes from that sale's cost no more than it has brought since: a purchase never costs more than its price.
alter table supplier_credit add column unknown_to int references sale on delete set null;
update supplier_credit c set unknown_to = s.sale_id
  from stock s join sale on sale.id = s.sale_id
  where s.id = c.stock_id and sale.created_at < c.created_at
    and c.created_at <= (select applied_at from migration where name like '0041%');

-- The instance that was taken for dead with a job: if it had lost its database alone, it comes back and takes the death back.
alter table job_death add column worker_id text;
