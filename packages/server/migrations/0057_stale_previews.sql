-- A preview asks what has changed stock since its plan was made.
create index import_ended on import (ended_at) where type = 'csv_import' and ended_at is not null;
create index import_undone on import (undone_at) where undone_at is not null;
