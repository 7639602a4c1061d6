-- One table of idempotency keys for all calls.
alter table "money_keys" rename to "request_keys";
alter index "money_keys_pkey" rename to "request_keys_pkey";
-- Null: a key from before calls were recorded.
alter table "request_keys" add column "call" text;
alter table "request_keys" alter column "fingerprint" drop not null;
-- Keys of orders were stored with the user before them.
insert into "request_keys" ("key", "call", "idResult")
  select substring("key" from position(':' in "key") + 1), 'POST /laboratory/orders/place', "idOrder"
  from "laboratory_order_keys" on conflict do nothing;
drop table "laboratory_order_keys";
