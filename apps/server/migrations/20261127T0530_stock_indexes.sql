alter table "warehouse_moves" alter column "dateCreate" drop default;
create index "warehouse_stock_idWarehouse_idx" on "warehouse_stock" ("idWarehouse") where not "deleted";
create index "warehouse_moves_idProduct_idx" on "warehouse_moves" ("idProduct") where not "deleted";
create index "warehouse_moves_idBatch_idx" on "warehouse_moves" ("idBatch") where not "deleted";
create index "warehouse_moves_idReverses_idx" on "warehouse_moves" ("idReverses") where not "deleted";
