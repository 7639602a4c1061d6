alter table "warehouse_moves" alter column "dateCreate" drop default;
create index "warehouse_stock_idWarehouse_idx" on "warehouse_stock" ("idWarehouse") where not "deleted";
create index "warehouse_moves_idProduct_idx" on "warehouse_moves" ("idProduct") where not "deleted";
create index "warehouse_moves_idBatch_idx" on "warehouse_moves" ("idBatch") where not "deleted";
create index "warehouse_moves_idReverses_idx" on "warehouse_moves" ("idReverses") where not "deleted";

-- All that balances and turnovers read of a day's moves, so that the heap is not touched.
drop index warehouse_moves_day_idx;
create index warehouse_moves_day_idx on warehouse_moves ("localDate")
  include ("idWarehouse", "idBatch", "idProduct", "qty", "cost", "kind", "idReverses");
