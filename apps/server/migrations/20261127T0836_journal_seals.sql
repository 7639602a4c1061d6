-- The journal of access as a chain: each seal is the hash of the one before and of the lines since it.
create table journal_seals (
  "id" bigint generated always as identity primary key,
  "fromId" bigint not null,
  "toId" bigint not null unique,
  "lines" integer not null,
  "hash" bytea not null,
  "dateCreate" timestamptz not null default now()
);
create trigger journal_seals_keep before update or delete on journal_seals for each row execute function access_log_keep();
create index "access_log_id" on access_log ("id");
