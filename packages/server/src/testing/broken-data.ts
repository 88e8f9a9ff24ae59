const dispatched = `(select sale_id from sale_item join sale on sale.id = sale_id where status = 'Dispatched' limit 1)`
const someSale = `(select max(id) from sale where status = 'New')`
const someInvoice = `(select min(id) from document where kind = 'invoice')`
const someCreditNote = `(select min(id) from document where kind = 'credit_note')`
const TAXED = 'items that are sold under the margin scheme were bought under it'
const NUMBERS = 'numbers of documents have neither gaps nor doubles'
const SEALED = 'a document that is ready has its file, and the file is the one that was sealed'
const TOTALS = "a document's totals are those of its lines, of its VAT and of what is printed"
const PAYMENTS = 'what was paid for a sale is the sum of its payments, and each is reversed once and whole'
const CREDITS = 'credit notes take back what their invoice has, and no more'
const PURCHASES = 'the whole deduction of a returned phone is taken back, and no purchase is deducted twice'
const BOOKED = 'the accounting has the credit of each settled claim, and of each of its items'
const sentClaim = `(select max(id) from supplier_claim where state = 'sent')`
const receivedReturn = `(select max(id) from customer_return where state = 'received')`
const doneImport = `(select max(id) from import where failed > 0)`

const bankEntry = `with file as (insert into bank_file (name, sha256) values ('a', '') returning id)
  insert into bank_entry (file_id, fingerprint, account, booked_on, amount) select id, '', 'A', '2001-01-01', 10000000 from file;`

/** A receipt with its line and its file. `rest` is SQL that breaks it. */
const receipt = (rest: string) => `
  insert into number_series values ('purchase_receipt', 2001, 1);
  insert into purchase_receipt (year, number, kind, seller_name, issued_on, bought_on, currency, total, items, lang, data,
    identifiers) values (2001, 1, 'private', 'A', '2001-01-01', '2001-01-01', 'EUR', 5, 1, 'en',
    '{"number": "PR-2001-00001", "total": 5, "lines": [{"price": 5}]}', '');
  insert into purchase_receipt_line select id, 1, 1, 'A', null, null, 5, true from purchase_receipt;
  insert into purchase_receipt_file (receipt_id, lang) select id, 'en' from purchase_receipt;
  set local session_replication_role = replica; ${rest}; set local session_replication_role = origin`
const RECEIPT_TOTALS = 'a purchase receipt has the total and the number of items of its lines, and its PDF prints them'
const RECEIPT_ITEMS = 'an item is on one purchase receipt at most, and a cancelled one frees its items'
const RECEIPT_FILES = 'a purchase receipt has its file, and the file is the one that was made'

/** A reminder by download of one invoice, which is well formed. */
const reminder = `with made as (
    insert into letter (customer_id, kind, level, way, lang, made_on, pay_by, total, invoices, data, file_id)
    select customer_id, 'reminder', 1, 'download', 'en', due_on + 1, due_on + 8, 500, 1, '{}', 1
    from document where id = ${someInvoice} returning *)
  insert into letter_line (letter_id, document_id, sale_id, level, made_on, due_on, open_amount)
  select made.id, d.id, d.sale_id, 1, made_on, due_on, 500 from made, document d where d.id = ${someInvoice};`
const REMINDED = 'a reminder names overdue invoices of its customer, and each of its lines has its level and day'
const REMINDER_SUM = 'the invoices of a reminder come to its sum and number'

/** Each entry is SQL that breaks the data of a shop with all kinds of records, and the invariant that must report it. */
export const BROKEN: [sql: string, invariant: string][] = [
  [`${reminder} update letter set customer_id = customer_id + 1`, REMINDED],
  [`${reminder} update letter_line set sale_id = sale_id + 1`, REMINDED],
  [`${reminder} update letter_line set due_on = made_on`, REMINDED],
  [`${reminder} update letter_line set level = 2`, REMINDED],
  [`${reminder} update letter set total = 501`, REMINDER_SUM],
  [`${reminder} update letter set kind = 'statement', level = null, pay_by = null`, REMINDER_SUM],
  [
    `${reminder} update letter set way = 'email'`,
    'a letter to be sent by email has an email, and one to be downloaded has none',
  ],
  [
    `${bankEntry} update bank_entry set booked = 1`,
    'the payments of a bank entry add up to its booked amount, which is within its amount',
  ],
  [
    `${bankEntry} insert into bank_booking select (select min(id) from payment where amount > 0), id from bank_entry`,
    'a payment of a bank entry has the day and the sign of the entry',
  ],
  [
    `with checked as (insert into vat_check (customer_id, vat_number, checked_on, is_valid, source)
        select customer_id, 'DE0', '2001-01-01', true, 'typed' from sale where id = ${someSale} returning id)
      update sale set vat_check_id = checked.id from checked where sale.id = ${someSale}`,
    "a sale's VAT check is about the VAT number of its buyer",
  ],
  [
    receipt('update number_series set last = 2 where year = 2001'),
    'numbers of purchase receipts have neither gaps nor doubles',
  ],
  [
    receipt('delete from number_series where year = 2001'),
    'numbers of purchase receipts have neither gaps nor doubles',
  ],
  [
    `update reverse_charge_rule set series = 'PR' where id = (select min(id) from reverse_charge_rule)`,
    'no reverse charge rule has the series of purchase receipts',
  ],
  [
    receipt(`update document set series = 'PR', year = 2001, number = 1 where id = ${someInvoice}`),
    'numbers of purchase receipts have neither gaps nor doubles',
  ],
  [receipt('update purchase_receipt set total = 6'), RECEIPT_TOTALS],
  [receipt('update purchase_receipt_line set price = 6'), RECEIPT_TOTALS],
  [receipt(`update purchase_receipt set data = jsonb_set(data, '{lines,0,price}', '6')`), RECEIPT_TOTALS],
  [receipt('update purchase_receipt_line set is_live = false'), RECEIPT_ITEMS],
  [
    receipt(`drop index purchase_receipt_item_once; insert into purchase_receipt_line
      select receipt_id, 2, stock_id, description, null, null, 0, true from purchase_receipt_line`),
    RECEIPT_ITEMS,
  ],
  [receipt('delete from purchase_receipt_file'), RECEIPT_FILES],
  [receipt(`update purchase_receipt_file set status = 'failed'`), RECEIPT_FILES],
  [
    receipt(`with f as (insert into file (name, media_type, size, sha256) values ('a.pdf', 'application/pdf', 3, 'other')
        returning id), c as (insert into file_chunk select id, 0, 'abc' from f)
      update purchase_receipt_file set status = 'ready', file_id = f.id from f`),
    RECEIPT_FILES,
  ],
  [
    `drop index sale_item_held; insert into sale_item (sale_id, stock_id, position, product_name, vat_rate, sales_price, cost)
      select ${dispatched}, stock_id, 99, 'Twice', 0, 0, 0 from sale_item where sale_id = ${someSale} limit 1`,
    'no item is on two open sales',
  ],
  [
    `update stock set sale_id = ${dispatched} where sale_id = ${someSale}`,
    'an item is Sold exactly while a sale holds it',
  ],
  [
    `alter table stock drop constraint stock_state; update stock set sale_id = null, status = 'In Stock'
      where sale_id = ${someSale}`,
    'an item is Sold exactly while a sale holds it',
  ],
  [
    `alter table stock drop constraint stock_state; update stock set batch_id = null where status = 'In Batch'`,
    "an item's status agrees with its batch",
  ],
  [`update stock set in_hand = true where sale_id = ${dispatched}`, 'in_hand says whether the shop has the item'],
  [`update stock set in_hand = false where sale_id = ${someSale}`, 'in_hand says whether the shop has the item'],
  [
    `update stock set imei = '35' || substr(imei, 3) || '9' where id = 1`,
    'the table of identifiers has those of the items',
  ],
  [`delete from stock_identifier where stock_id = 2`, 'the table of identifiers has those of the items'],
  [
    `delete from stock_identifier where (stock_id, kind) in (select stock_id, kind from stock_identifier where kind = 'j' limit 1)`,
    'the table of identifiers has those of the items',
  ],
  [
    `update stock set serial_number = 'same' where id in (select id from stock where in_hand limit 2)`,
    'no two items in hand have the same identifier',
  ],
  [
    `update stock set imei2 = (select max(imei) from stock where in_hand) where id = (select min(id) from stock where in_hand)`,
    'no two items in hand have the same identifier',
  ],
  [`insert into stock_count values ('Inbound', 1, 0)`, 'the counters agree with the items, in number and cost'],
  [
    `update stock set purchase_price = purchase_price + 1 where id = 3`,
    'the counters agree with the items, in number and cost',
  ],
  [
    `update stock_age set sales = sales + 1 where ctid = (select min(ctid) from stock_age)`,
    'unsold items are counted by their age',
  ],
  [`update stock_age set newest = 0`, 'the newest item of each age is known'],
  [`insert into product_count values ('Inbound', 1, true, 1)`, 'items are counted by product and by lock'],
  [`insert into supplier_count values ('Inbound', null, 1, 1)`, 'items are counted by supplier and by grade'],
  [`update address set city = 'Elsewhere' where id = 1`, 'a customer is found by the cities of both addresses'],
  [`delete from stock_move where stock_id = 4`, 'the stock moves of each item add up to its present state'],
  [
    `update stock set purchase_price = purchase_price + 1 where id = 3; update stock set purchase_price = purchase_price - 1
      where id = (select min(id) from stock where id <> 3 and status = (select status from stock where id = 3))`,
    'the stock moves of each item add up to its present state',
  ],
  [
    `update stock_move set held_is = true where not held_is and now_is = 'Sold'`,
    'the stock moves of each item add up to its present state',
  ],
  [
    `update stock_move set at = at + interval '1 day' where stock_id = 4`,
    'the daily sums of stock add up to its moves',
  ],
  [
    `update stock_day set cost = cost + 1 where day = (select min(day) from stock_day)`,
    'the daily sums of stock add up to its moves',
  ],
  [`update sale set status = 'Voided' where id = ${someSale}`, "a sale's status agrees with its items"],
  [
    `update sale set status = 'Awaiting Payment' where status = 'Requires Attention'`,
    "a sale's status agrees with its items",
  ],
  [
    `update sale set total_sales_price = total_sales_price + 1 where id = ${someSale}`,
    "a sale's totals and VAT are those of its items",
  ],
  [`update sale_vat set vat = vat - 1 where sale_id = ${someSale}`, "a sale's totals and VAT are those of its items"],
  [
    `update sale_item set sales_price = sales_price + 1 where sale_id = ${someSale}`,
    "a sale's totals and VAT are those of its items",
  ],
  [
    `update sale set returned_cost = returned_cost + 1 where id = ${dispatched}`,
    "a sale's totals and VAT are those of its items",
  ],
  [
    `update sale set returned_gross = returned_gross + 1 where id = ${dispatched}`,
    "a sale's totals and VAT are those of its items",
  ],
  [
    `update sale_item set vat_treatment = 'margin', purchase_treatment = 'standard', margin_rate = 2100
      where sale_id = ${someSale}`,
    TAXED,
  ],
  [`update number_series set last = last + 1`, NUMBERS],
  [`delete from document where id = ${someInvoice}`, NUMBERS],
  [
    `alter table document drop constraint invoice_series_year_number_key; update document set number = number + 1
      where id = ${someInvoice}`,
    NUMBERS,
  ],
  [
    `update number_series set series = 'ISP' where series = 'sample'; update document set series = 'ISP' where series = 'sample'`,
    NUMBERS,
  ],
  [`update document set kind = 'credit_note', credits_id = id, reason = 'void' where id = ${someInvoice}`, NUMBERS],
  [
    `update sale set invoice_number = null where id = (select sale_id from document limit 1)`,
    'a sale has the number of its invoice that no other replaced, and each document prints its own number',
  ],
  [
    `update document_version set data = data || '{"number": "2020-00001"}' where document_id = ${someInvoice}`,
    'a sale has the number of its invoice that no other replaced, and each document prints its own number',
  ],
  [`update document_version set file_id = null where document_id = ${someInvoice}`, SEALED],
  [
    `with f as (insert into file (name, media_type, size, sha256) values ('a.pdf', 'application/pdf', 3, 'other') returning id),
        c as (insert into file_chunk select id, 0, 'abc' from f)
      update document_version set file_id = f.id from f where document_id = ${someInvoice}`,
    SEALED,
  ],
  [
    `alter table document_xml drop constraint document_xml_sealed; insert into document_xml (document_id, version, syntax,
      content, sha256) select document_id, version, 'ubl', '<Invoice/>', sha256('<Other/>') from document_version
      where document_id = ${someInvoice} and version = 1`,
    SEALED,
  ],
  [
    `insert into document_handover (document_id, file_name, state) values (${someInvoice}, 'a.xml', 'waiting')`,
    'a document that was handed over is final, has a profile, and its e-invoice is kept',
  ],
  [
    `update document_version set file_id = null where document_id = ${someInvoice}; update document set status = 'failed'
      where id = ${someInvoice}`,
    'a document that has a number has a file, or gets one',
  ],
  [`update document_vat set net = net + 1 where document_id = ${someInvoice}`, TOTALS],
  [`update document_line set net = net + 1 where document_id = ${someInvoice}`, TOTALS],
  [`update document_line set rate = rate + 1 where document_id = ${someInvoice}`, TOTALS],
  [
    `update document_version set data = jsonb_set(data, '{vat_totals,0,vat}', '1') where document_id = ${someInvoice}`,
    TOTALS,
  ],
  [
    `update document_version set data = jsonb_set(data, '{total_gross}', '1') where document_id = ${someInvoice}`,
    TOTALS,
  ],
  [`update sale set invoiced_total = invoiced_total + 1 where id = ${someSale}`, TOTALS],
  [`update sale set paid_total = paid_total + 1 where id = ${someSale}`, PAYMENTS],
  [
    `alter table payment disable trigger kept; update payment set undoes_id = (select min(id) from payment)
      where id = (select max(id) from payment)`,
    PAYMENTS,
  ],
  [`update document_line set credited = 1 where document_id = ${someInvoice}`, CREDITS],
  [`update document_line set treatment = 'zero' where document_id = ${someCreditNote}`, CREDITS],
  [`update document set replaced_by_id = id where id = ${someInvoice}`, CREDITS],
  [`update document_line set credit_kind = null where document_id = ${someCreditNote}`, CREDITS],
  [`update document_line set credit_kind = 'void' where document_id = ${someInvoice}`, CREDITS],
  [`update document_line set cost = 0 where treatment = 'margin' and credit_kind is null`, PURCHASES],
  [
    `update document_line set treatment = 'margin', margin_rate = 2100, cost = case when credit_kind is null then 1 else 0 end
      where stock_id in (select stock_id from document_line where credit_kind is not null)`,
    PURCHASES,
  ],
  // The VAT in the margin: on an invoice, and on a credit note for a part of it.
  [
    `update document_line set margin_vat = margin_vat + 1 where treatment = 'margin' and credit_kind is null and
      stock_id not in (select stock_id from document_line where credit_kind is not null)`,
    PURCHASES,
  ],
  [
    `update document_line l set treatment = 'margin', margin_rate = 2100,
        margin_vat = case when credit_kind is null then 0 else 1 end,
        cost = (select max(price) from document_line i where i.stock_id = l.stock_id and i.credit_kind is null)
      where stock_id in (select stock_id from document_line where credit_kind = 'return')`,
    PURCHASES,
  ],
  [`delete from customer_return_item where return_id = ${receivedReturn}`, 'a returned item has a return'],
  [
    `update sale_item set released = 'lost', returned_price = null where (sale_id, stock_id) in (
      select sale_id, stock_id from customer_return_item where return_id = ${receivedReturn})`,
    'a returned item has a return',
  ],
  [
    `update customer_return set customer_id = (select max(id) from customer) where id = ${receivedReturn}`,
    "a return has items of its customer's sales, and its state fits them",
  ],
  [
    `update customer_return set state = 'refused' where id = ${receivedReturn}`,
    "a return has items of its customer's sales, and its state fits them",
  ],
  [
    `update customer_return_item set is_open = false where is_open`,
    'as long as a return is open, it awaits the items that have not come',
  ],
  [
    `update customer_return_item set price = price + 1 where return_id = ${receivedReturn}`,
    "what was given back is at most an item's price, and is what its credit note says",
  ],
  [
    `update customer_return_item set price = price - 1 where return_id = ${receivedReturn}`,
    "what was given back is at most an item's price, and is what its credit note says",
  ],
  [
    `update import set total = total + 1, succeeded = succeeded + 1 where id = ${doneImport}`,
    "an import's parts have all of its rows",
  ],
  [
    `update import set succeeded = succeeded - 1 where id = ${doneImport}`,
    'an import that is done has done every part and counted every row',
  ],
  [
    `update import_part set done_at = null where import_id = ${doneImport}`,
    'an import that is done has done every part and counted every row',
  ],
  [
    `update import set succeeded = succeeded + 1, failed = failed - 1 where id = ${doneImport}`,
    'what an import counts is what its parts say',
  ],
  [`delete from import_error where import_id = ${doneImport}`, 'what an import counts is what its parts say'],
  [
    `update import set preview = '{}', plan = '{"counts": {}}' where id = ${doneImport}`,
    'a preview that is planned says of each row what becomes of it, and counts them all',
  ],
  [
    `update import_error set row_no = row_no + 10000 where import_id = ${doneImport}`,
    'each row of a part that is done has an item or an error',
  ],
  [
    `update import set undo = 'undone', undo_asked_at = now(), undone_at = now() where id = ${doneImport}`,
    'an import that is undone has taken back every part, and accounts for each item that it made or changed',
  ],
  [
    `update import_part set undone_at = now(), removed = cardinality(stock_ids), restored = 0, kept = '[]'
      where import_id = ${doneImport}`,
    'an import that is undone has taken back every part, and accounts for each item that it made or changed',
  ],
  [`delete from stock where id = 5`, "a log entry's record is there, or an entry says that it was deleted"],
  [`delete from batch`, "a log entry's record is there, or an entry says that it was deleted"],
  [`delete from sale where id = ${someSale}`, "a log entry's record is there, or an entry says that it was deleted"],
  [
    `insert into log (user_id, loggable_type, loggable_id, content) values (9999, 'Stock', 1, '{}')`,
    "a log entry's author, import and bulk edit are there",
  ],
  [
    `insert into log (user_id, bulk_id, loggable_type, loggable_id, content) values (1, 9999, 'Stock', 1, '{}')`,
    "a log entry's author, import and bulk edit are there",
  ],
  [
    `insert into bulk_edit (user_id, kind, changes, items, found, versions, before)
      values (1, 'edit', '{}', '{7,7}', '{now,now}', '{now,now}', '[{},{}]')`,
    'a bulk edit names each of its items once, and the log of each item has an entry of it',
  ],
  [
    `insert into bulk_edit (user_id, kind, changes, items, found, versions, before)
      values (1, 'receive', '{}', '{}', '{}', '{}', '[]')`,
    'a bulk edit that received items has one import or one delivery check, and any other has neither',
  ],
  [`insert into delivery_check (name, expected) values ('Twice', '{3,3}')`, 'a delivery check expects each item once'],
  [
    `with c as (insert into delivery_check (name, expected) values ('Other', '{3}') returning id)
      insert into delivery_scan (check_id, key, code, stock_id, result) select id, '#4', '#4', 4, 'matched' from c`,
    'a delivery check says rightly whether it expected a scanned item',
  ],
  [
    `with c as (insert into delivery_check (name, expected) values ('Other', '{3}') returning id)
      insert into delivery_scan (check_id, key, code, stock_id, result) select id, '?4', '4', 4, 'unexpected' from c`,
    'a delivery check says rightly whether it expected a scanned item',
  ],
  [`update basket set items = items || 999999`, 'a basket has only items that exist, each once'],
  [`update basket set items = items || items[1]`, 'a basket has only items that exist, each once'],
  [
    `update app_user set deleted_at = now() where role = 'ROLE_ADMIN'`,
    'a closed account has neither sessions nor a basket, and an administrator is left',
  ],
  [
    `insert into file (name, media_type, size, sha256) values ('a.pdf', 'application/pdf', 3, '')`,
    'a file has all of its pieces',
  ],
  [
    `insert into file (name, media_type, size, sha256) values ('a.pdf', 'application/pdf', 0, '')`,
    'every file belongs to something',
  ],
  [
    `insert into mail (sale_id, message_id, sender, recipient, subject, body, file_ids)
      values (${someSale}, '<1@a>', '{}', '{}', '', '', '{999}')`,
    'an email has its files, and the times that its state needs',
  ],
  [
    `update stock set supplier_return_id = null where supplier_return_id = ${sentClaim}`,
    'an item is with its supplier exactly while a claim that was sent holds it',
  ],
  [
    `update supplier_claim_item set is_back = true
      where claim_id = (select id from supplier_claim where state = 'settled')`,
    'an item is with its supplier exactly while a claim that was sent holds it',
  ],
  [
    `update supplier_claim_item set is_open = false where claim_id = ${sentClaim}`,
    'an item is in one open claim at most, and a draft or sent claim is open',
  ],
  [
    `update supplier_claim set credit_received = credit_received + 1 where state = 'settled'`,
    'a claim that was sent has items with their cost, and what was credited for each adds up',
  ],
  ...[
    `update supplier_claim set credit_received = credit_received + 1 where state = 'settled'`,
    `delete from supplier_credit where id = 1`,
    `update supplier_credit set amount = amount + 1 where id = 1`,
    `insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
      select booked_on, claim_id, (select min(id) from stock where supplier_credit = 0), 1, 1 from supplier_credit limit 1`,
    `update supplier_credit set booked_on = booked_on - 1 where id = 1`,
    `update supplier_credit set lowers = lowers - 1 where id = 1`,
    `update stock set supplier_credit = supplier_credit + 1 where id = (select min(stock_id) from supplier_credit)`,
  ].map((sql): [string, string] => [sql, BOOKED]),
  [
    `insert into purchase_correction (booked_on, document_id, stock_id, claim_id, treatment, margin_rate, purchase, margin, margin_vat)
      select c.booked_on, l.document_id, l.stock_id, c.claim_id, 'margin', l.margin_rate, -100, 100, 16
      from supplier_credit c, document_line l where l.document_id = ${someInvoice} limit 1`,
    'if a credit changes a sale, the accounting has the change of its cost, its margin and the VAT in it',
  ],
  [
    `update sale_item set cost = cost - 1 where (sale_id, stock_id) = (select d.sale_id, l.stock_id from document d
        join document_line l on l.document_id = d.id where d.id = ${someInvoice} and l.cost > 0 limit 1);
      insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
      select current_date, c.claim_id, l.stock_id, 1, 1 from supplier_credit c, document_line l where l.document_id = ${someInvoice}`,
    'if a credit changes a sale, the accounting has the change of its cost, its margin and the VAT in it',
  ],
  [
    `update supplier_claim_item set cost = null where claim_id = ${sentClaim}`,
    'a claim that was sent has items with their cost, and what was credited for each adds up',
  ],
  [`update stock set batch_id = 9999 where status = 'In Batch'`, 'stock.batch_id is there'],
  [`delete from customer where id = (select min(customer_id) from sale)`, 'sale.customer_id is there'],
  [
    `insert into revenue_account values ('margin', 0, 81234567)`,
    'the accounts of DATEV have no more digits than the account length',
  ],
  [
    `insert into credit_account values ('margin', 81234567)`,
    'the accounts of DATEV have no more digits than the account length',
  ],
]
