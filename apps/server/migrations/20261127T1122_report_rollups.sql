-- Days of reports that are counted already. The tables of the counts are made by the server, from the declarations, in a
-- schema of their own; what they hold can be counted anew at any time.
create schema rollups;

create table report_rollups (
  -- The table in the schema `rollups`: another definition of the report has another name.
  "name" text primary key,
  "report" text not null,
  -- What was committed before it has marked its days.
  "snapshot" text not null,
  "dateCreate" timestamptz not null default now(),
  "dateMarked" timestamptz not null default now(),
  "dateCounted" timestamptz,
  "error" text,
  "dateError" timestamptz
);

-- A day without a row is not counted; one that is dirty is counted of its facts by whoever reads it.
create table report_rollup_days (
  "name" text not null references report_rollups ("name") on delete cascade,
  "day" date not null,
  "dirty" timestamptz,
  primary key ("name", "day")
);
create index report_rollup_days_dirty_idx on report_rollup_days ("name", "day") where "dirty" is not null;

-- The ledger writes no history: its own rows tell which transaction has changed them last.
alter table ledger_txs add column "xid" xid8;
alter table ledger_txs alter column "xid" set default pg_current_xact_id();
create index ledger_txs_xid_idx on ledger_txs ("xid") where "xid" is not null;

alter table ledger_lines add column "xid" xid8;
alter table ledger_lines alter column "xid" set default pg_current_xact_id();
create index ledger_lines_xid_idx on ledger_lines ("xid") where "xid" is not null;
create function ledger_line_changed() returns trigger language plpgsql as $$
begin
  new."xid" := pg_current_xact_id();
  return new;
end $$;
create trigger ledger_lines_changed before update on ledger_lines for each row
  when (old."allocated" is distinct from new."allocated") execute function ledger_line_changed();

-- A shift is shortened by the absences of its employee.
create index staff_events_absences_idx on staff_events ("idUser", "dateFrom") include ("dateTo")
  where "type" <> 'shift' and not "deleted";
