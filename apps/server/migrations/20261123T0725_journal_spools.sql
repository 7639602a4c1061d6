-- How many bytes of each server's file of the journal stand in the table; the statement that adds their lines moves it.
create table access_spools (
  name text primary key,
  bytes bigint not null,
  dt timestamptz not null default now()
);
-- Nothing asks by the record; each line paid for it.
drop index "access_log_entity";
