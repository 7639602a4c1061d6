-- The outbox: what has yet to be sent to an outside system, or to be answered by it. The line of the journal of exchange
-- has the same id. A message that is done leaves the table, so that it stays small however long the journal grows.
create table "outbox" (
  "id" bigint primary key references "exchange_messages" ("id") on delete cascade,
  "adapter" text not null,
  "lane" text not null,
  "subject" text,
  "operation" text not null,
  "payload" jsonb not null,
  "state" text not null default 'waiting' check ("state" in ('waiting', 'claimed', 'awaiting', 'unknown', 'dead')),
  "attempts" integer not null default 0,
  -- The last try may have arrived: the other side is asked before anything is sent again.
  "mustAsk" boolean not null default false,
  -- When it is due: the next try, the next question, or the end of the claim. Null: never by itself.
  "dateDue" timestamptz,
  "claim" uuid,
  "correlationId" text,
  -- What the adapter has written down before a try.
  "memo" jsonb,
  -- What its area was told last.
  "told" text,
  "reasons" jsonb not null default '[]'
);
create index "outbox_due" on "outbox" ("lane", "dateDue", "id") where "dateDue" is not null;
create index "outbox_subject" on "outbox" ("adapter", "subject", "id") where "subject" is not null and "state" <> 'dead';
create unique index "outbox_correlation" on "outbox" ("adapter", "correlationId") where "correlationId" is not null;
create index "outbox_stopped" on "outbox" ("adapter", "state", "id") where "state" in ('unknown', 'dead');

-- Receivers that are out of order are left alone for a while.
create table "outbox_lanes" (
  "lane" text primary key,
  "datePaused" timestamptz,
  "failures" integer not null default 0
);

-- Answers that came by themselves, as they came: stored before the other side is told so. The line of the journal has the
-- same id. `new` waits for its message; `unmatched` belongs to none and is kept for people; `unread` could not be read.
create table "outbox_answers" (
  "id" bigint primary key references "exchange_messages" ("id") on delete cascade,
  "adapter" text not null,
  "relatesTo" text not null,
  "state" text not null default 'new' check ("state" in ('new', 'applied', 'unmatched', 'unread')),
  "dateCreate" timestamptz not null default now(),
  "idMessage" bigint,
  "reason" text
);
create index "outbox_answers_new" on "outbox_answers" ("id") where "state" = 'new';
create index "outbox_answers_relates" on "outbox_answers" ("adapter", "relatesTo");

create index "exchange_messages_correlation" on "exchange_messages" ("adapter", "correlationId") where "correlationId" is not null;

-- What was said in messages, by months: a month that is over its term is dropped whole.
create table "exchange_contents" (
  "idMessage" bigint not null,
  "at" timestamptz not null default now(),
  "part" text not null check ("part" in ('request', 'response')),
  "body" text not null
) partition by range ("at");
create table "exchange_contents_other" partition of "exchange_contents" default;
create index "exchange_contents_message" on "exchange_contents" ("idMessage", "at");

-- Makes the tables of this month and of the next two.
create function exchange_contents_months() returns void language plpgsql as $$
declare
  first date;
begin
  for ahead in 0..2 loop
    first := (date_trunc('month', now()) + make_interval(months => ahead))::date;
    execute format('create table if not exists %I partition of exchange_contents for values from (%L) to (%L)',
      'exchange_contents_' || to_char(first, 'YYYYMM'), first, (first + interval '1 month')::date);
  end loop;
end $$;
select exchange_contents_months();

-- Drops the months whose last day is before the given one.
create function exchange_contents_forget(before date) returns integer language plpgsql as $$
declare
  month record;
  dropped integer := 0;
begin
  for month in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'exchange_contents'::regclass and c.relname ~ '^exchange_contents_\d{6}$'
      and (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month')::date <= before
  loop
    execute format('drop table %I', month.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
