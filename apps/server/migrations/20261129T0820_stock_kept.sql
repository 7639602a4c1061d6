alter table "warehouse_documents" add column "arrivalDate" date;
alter table "warehouse_lines" add column "sourceQty" numeric(15,3);
alter table "warehouse_lines" add column "sourceUnit" text;
alter table "warehouse_moves" add column "byBatch" boolean;
alter table "warehouse_moves" add column "idCorrects" bigint;
alter table "warehouse_stock" add column "cost" numeric(14,2) not null default 0;
update "warehouse_stock" s set "cost" = m."cost"
  from (select "idWarehouse", "idBatch", sum("cost") as "cost" from "warehouse_moves" group by 1, 2) m
  where s."idWarehouse" = m."idWarehouse" and s."idBatch" = m."idBatch";
update "warehouse_documents" set "arrivalDate" = "localDate" where "kind" = 'transfer' and "status" = 'posted';
alter table "warehouse_moves" add constraint "warehouse_moves_idCorrects_fkey" foreign key ("idCorrects") references "warehouse_moves" ("id");
create index "warehouse_moves_idCorrects_idx" on "warehouse_moves" ("idCorrects") where not "deleted";
