-- An order as a partner has it: one for each sending, so that a tube taken again is an order of its own there.
create table "laboratory_partner_orders" (
  "key" text primary key,
  "idOrder" bigint not null references "laboratory_orders" ("id") on delete cascade,
  "idLaboratory" bigint not null references "laboratory_list" ("id") on delete cascade,
  "externalNumber" text,
  "state" text not null default 'queued',
  "paper" bytea,
  "dateChange" timestamptz not null default now()
);
create index "laboratory_partner_orders_idOrder_idx" on "laboratory_partner_orders" ("idOrder");
create index "laboratory_partner_orders_idLaboratory_idx" on "laboratory_partner_orders" ("idLaboratory");
create index "laboratory_partner_orders_open_idx" on "laboratory_partner_orders" ("dateChange")
  where "state" in ('accepted', 'part');
