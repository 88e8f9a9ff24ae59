-- What an import has left, so that it can be undone. `versions` has the updated_at of each item after its row, `was` the
-- columns of updated items as they were, by the item's number; `made` all else that it made, as [["product", 12], …].
alter table import
  add column made jsonb,
  add column undo text check (undo in ('waiting', 'undoing', 'undone', 'failed')),
  add column undo_asked_at timestamptz(3),
  add column undone_at timestamptz(3),
  add column undone_by int references app_user,
  add constraint import_undo_state check (case when undo is null then undo_asked_at is null
    else undo_asked_at is not null and (undo = 'undone') = (undone_at is not null) end);
create index import_undo_open on import (id) where undo in ('waiting', 'undoing');
create index import_open on import (id) where state in ('waiting', 'running');
-- `kept`: what stays although the import is undone, and why.
alter table import_part
  add column versions timestamptz(3)[],
  add column was jsonb,
  add column undone_at timestamptz(3),
  add column restored int,
  add column removed int,
  add column kept jsonb;

-- An undo gives an item its old updated_at back with its old columns. All other writes leave it to the trigger.
drop trigger touch on stock;
create trigger touch before update on stock for each row
  when (new.updated_at is not distinct from old.updated_at) execute function touch();

-- Items and products can only be removed quickly where what refers to them is found quickly.
create index sale_item_stock on sale_item (stock_id);
drop index sale_item_released;
create index document_line_stock on document_line (stock_id);
create index stock_expected_product on stock (expected_product_id) where expected_product_id is not null;
