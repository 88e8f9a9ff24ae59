-- One index for those in hand, of which there is one, and for those that have left, of which there may be many: nulls are
-- distinct. Whoever looks for both walks it once.
drop index stock_identifier_imei, stock_identifier_other, stock_identifier_gone_imei, stock_identifier_gone_other;
create unique index stock_identifier_imei on stock_identifier ("left"(value, 14), nullif(in_hand, false)) where kind = 'i';
create unique index stock_identifier_other on stock_identifier (kind, upper(value), nullif(in_hand, false)) where kind <> 'i';
