-- Whether VAT is owed on each item's margin or, where the member state allows it, on that of a whole period (Directive
-- 2006/112/EC, articles 315 and 318).
alter table company add column margin_method text not null default 'item' check (margin_method in ('item', 'period'));
