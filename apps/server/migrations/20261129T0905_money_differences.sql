-- What the nightly comparison has found to differ between our books and ЮKassa, the registers and the terminals.
create table money_differences (
  "id" bigint generated always as identity primary key,
  -- Names the difference, so that it is reported once.
  "key" text not null unique,
  "idDesk" bigint not null references cash_desks ("id") on delete cascade,
  "words" text not null,
  "dateCreate" timestamptz not null default now()
);
create index "money_differences_idDesk_idx" on money_differences ("idDesk");
-- A payment at ЮKassa is looked up by its id there.
create index "payments_parts_rrn_idx" on payments_parts (("terminal"->>'rrn'));
