-- When a partner was last asked about an order: rounds of questions go on where the last one ended.
alter table "laboratory_partner_orders" add column "dateAsked" timestamptz;
drop index "laboratory_partner_orders_open_idx";
create index "laboratory_partner_orders_open_idx" on "laboratory_partner_orders" ("dateAsked" nulls first, "key")
  where "state" in ('accepted', 'part');
