-- What an import has changed in a record that was there before; null: it made the record.
alter table import_records add column "changes" jsonb;
-- Told when the import was taken back: the record stays as the import left it, or partly.
alter table import_errors add column "kept" boolean not null default false;
