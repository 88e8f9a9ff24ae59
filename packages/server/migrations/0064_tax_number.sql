-- The seller's number at its own tax office (BT-32), for a seller without a VAT number.
alter table company add column tax_number text;
