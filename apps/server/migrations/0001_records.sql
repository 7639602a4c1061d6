create extension if not exists pg_trgm;

-- History of every write, and the outbox of events at the same time (docs/architecture.md).
-- Laid out for partitions by month: it only grows.
create table history (
  "id" bigint generated always as identity,
  "path" text not null,
  "idEntity" bigint not null,
  "action" text not null,
  "idUser" bigint,
  "dateCreate" timestamptz not null default now(),
  "changes" jsonb not null,
  "version" integer not null,
  "idParent" bigint,
  "requestId" text,
  "xid" xid8 not null default pg_current_xact_id(),
  primary key ("id", "dateCreate")
) partition by range ("dateCreate");

create index history_record_idx on history ("path", "idEntity", "id");
create index history_xid_idx on history ("xid");

-- Makes the partitions of a table for this month and the next ones; safe to call at any time, from several processes.
create function ensure_month_partitions(parent text, ahead integer default 3) returns void language plpgsql as $$
declare
  month date;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions ' || parent, 0));
  for i in 0..ahead loop
    month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => i))::date;
    execute format(
      'create table if not exists %I partition of %I for values from (%L) to (%L)',
      parent || to_char(month, '_YYYYMM'), parent, month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00'
    );
  end loop;
end $$;

select ensure_month_partitions('history');
