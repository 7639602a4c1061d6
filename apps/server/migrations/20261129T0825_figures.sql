-- A payment is spread over the services that it closed: which payments that has changed.
alter table ledger_credits add column "xid" xid8;
alter table ledger_credits alter column "xid" set default pg_current_xact_id();
create index ledger_credits_xid_idx on ledger_credits ("xid") where "xid" is not null;
create function ledger_credit_changed() returns trigger language plpgsql as $$
begin
  new."xid" := pg_current_xact_id();
  return new;
end $$;
create trigger ledger_credits_changed before update on ledger_credits for each row
  when (old."free" is distinct from new."free") execute function ledger_credit_changed();

-- Conversions of advertising have no history: when each was made, for the rollups of their days.
create table ad_conversions_made (
  "id" bigint primary key,
  "xid" xid8 not null default pg_current_xact_id()
);
create index ad_conversions_made_xid_idx on ad_conversions_made ("xid");
create function ad_conversion_made() returns trigger language plpgsql as $$
begin
  insert into ad_conversions_made ("id") values (new."id") on conflict ("id") do update set "xid" = pg_current_xact_id();
  return new;
end $$;
create trigger advertising_conversions_made after insert on advertising_conversions
  for each row execute function ad_conversion_made();

-- Appeals that were not to the point when they were collected are collected now: the reports decide what counts.
update ad_collected set "lastId" = 0 where "source" = 'conversion:appeals';

create index appeals_phone_idx on appeals ("customerPhone", "dateStart") where not "deleted";

-- Counters of the months that are over: as they were a week after the month. Without branch and person: of the clinic.
create table kpi_fixed (
  "month" date not null,
  "idFilial" bigint references filials ("id") on delete cascade,
  "idUser" bigint references users ("id") on delete cascade,
  "counts" jsonb not null,
  "dateFixed" timestamptz not null default now(),
  unique nulls not distinct ("month", "idFilial", "idUser")
);
create index kpi_fixed_filial_idx on kpi_fixed ("idFilial");
create index kpi_fixed_user_idx on kpi_fixed ("idUser");
