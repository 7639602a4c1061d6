alter table import_uploads add column "reading" jsonb not null default '{}';
