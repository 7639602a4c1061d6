/** Query of the differences in the books of stock: rows equal moves, values equal both, nothing is negative. */
export const STOCK_DIFFERENCES = `
  select 'stock' as what from warehouse_stock s full join (select "idWarehouse", "idBatch", sum(qty) as qty from warehouse_moves group by 1, 2) m
    using ("idWarehouse", "idBatch") where coalesce(s.qty, 0) <> coalesce(m.qty, 0)
  union all select 'values' from warehouse_values v full join (select "idWarehouse", "idProduct", sum(qty) as qty, sum(cost) as cost from warehouse_moves group by 1, 2) m
    using ("idWarehouse", "idProduct") where coalesce(v.qty, 0) <> coalesce(m.qty, 0) or coalesce(v.cost, 0) <> coalesce(m.cost, 0)
  union all select 'values of batches' from warehouse_stock s full join (select "idWarehouse", "idBatch", sum(cost) as cost from warehouse_moves group by 1, 2) m
    using ("idWarehouse", "idBatch") where coalesce(s.cost, 0) <> coalesce(m.cost, 0)
  union all select 'empty goods are worth nothing' from warehouse_values where qty = 0 and cost <> 0
  union all select 'goods worth less than nothing' from warehouse_values where cost < 0
  union all select 'below zero on a day' from (select sum(sum(qty)) over (partition by "idWarehouse", "idBatch" order by "localDate") as left
    from warehouse_moves group by "idWarehouse", "idBatch", "localDate") t where t.left < 0
  union all select 'reserves' from warehouse_stock s left join (select "idWarehouse", "idBatch", sum(qty) as qty from warehouse_reserves group by 1, 2) r
    using ("idWarehouse", "idBatch") where s.reserved <> coalesce(r.qty, 0)`
