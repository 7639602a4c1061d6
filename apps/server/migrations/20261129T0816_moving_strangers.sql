alter table "moving_files" add column "strangers" text not null default 'leave';
alter table "moving_files" add column "clashes" text not null default 'move';
alter table "customers_past_visits" add column "status" text not null default 'held';
alter table "customers_past_visits" add column "paid" numeric(14,2);
alter table "customers_past_visits" add column "payment" text;
alter table "customers_past_visits" add column "discount" numeric(14,2);
alter table "customers_past_visits" add column "sourceName" text;
alter table "customers_past_visits" add column "bookedBy" text;

-- Runs of a step without progress since the last portion; `state` is the step that a stopped file goes on with.
create table "moving_tries" (
  "idFile" bigint primary key references "moving_files" ("id") on delete cascade,
  "state" text not null,
  "tries" integer not null
);

-- A matching of columns made by hand, for the next file of the same kind with the same heads.
create table "column_matchings" (
  "kind" text not null,
  "heads" text not null,
  "mapping" jsonb not null,
  primary key ("kind", "heads")
);
-- A transaction of any file of a move is looked up by its id.
create index "moving_txs_xid_idx" on "moving_txs" ("xid");
