/** Balances, turnovers and costs of goods from the stock ledger. */
import sql, { type Sql } from 'sql-template-tag'

/** SQL of the stock at the end of a day, `t("idWarehouse", "idBatch", "idProduct", "qty", "cost")`. */
export const balanceAt = (day: Sql): Sql => sql`
  select "idWarehouse", "idBatch", "idProduct", sum("qty") as "qty", sum("cost") as "cost" from (
    select "idWarehouse", "idBatch", "idProduct", "qty", "cost" from warehouse_months
    where "month" = date_trunc('month', ${lastClose(day, true)})::date
    union all
    select "idWarehouse", "idBatch", "idProduct", "qty", "cost" from warehouse_moves
    where "localDate" > ${lastClose(day, true)} and "localDate" <= ${day}
  ) parts group by 1, 2, 3`

/**
 * SQL of the values of goods in warehouses at the end of a day, and of the incoming and outgoing totals since the
 * beginning, `t("idWarehouse", "idProduct", "qty", "cost", "came", "went", "wentCost", "used")`. The turnover of a
 * period is the difference of two days. `used`: given out to patients and sold.
 */
export const turnsAt = (day: Sql): Sql => sql`
  select "idWarehouse", "idProduct", sum("qty") as "qty", sum("cost") as "cost", sum("came") as "came", sum("went") as "went",
    sum("wentCost") as "wentCost", sum("used") as "used" from (
    select "idWarehouse", "idProduct", "qty", "cost", "came", "went", "wentCost", "used" from warehouse_turns
    where "day" = ${lastClose(day)}
    union all
    select "idWarehouse", "idProduct", ${turnOf} from warehouse_moves where "localDate" > ${lastClose(day)} and "localDate" <= ${day}
  ) parts group by 1, 2`

/** SQL of a move as turnover. A reversal reduces the side of the original move; a correction is of its original's side. */
export const turnOf: Sql = sql`"qty", "cost",
  case when ("qty" > 0) = ("idReverses" is null) then "qty" else 0 end as "came",
  case when ("qty" < 0) = ("idReverses" is null) then -"qty" else 0 end as "went",
  case when case when "idCorrects" is null then ("qty" < 0) = ("idReverses" is null) and "qty" <> 0
      else (select o."qty" < 0 from warehouse_moves o where o."id" = warehouse_moves."idCorrects") end
    then -"cost" else 0 end as "wentCost",
  case when "kind" in ('issue', 'sale') then -"qty" else 0 end as "used"`

/** The latest closed day up to this one; only month ends when batches are requested. */
const lastClose = (day: Sql, ofBatches = false): Sql =>
  sql`coalesce((select max("day") from warehouse_closes where "day" <= ${day} and (not ${ofBatches} or "endsMonth")), '-infinity')`

/**
 * SQL of the unit cost at the end of a day over all warehouses, as rows of "idProduct" and "cost": the mean of the
 * stock, or the cost of the last move if the stock is zero. Goods without moves have no row.
 * @param goods SQL that selects distinct "idProduct"
 */
export const unitCostsAt = (day: Sql, goods: Sql): Sql => sql`
  select g."idProduct", coalesce(b."cost", l."cost") as "cost" from (${goods}) g
    left join (select "idProduct", sum("cost") / sum("qty") as "cost" from (${balanceAt(day)}) t group by 1
      having sum("qty") > 0) b using ("idProduct")
    left join lateral (select m."cost" / m."qty" as "cost" from warehouse_moves m where m."idProduct" = g."idProduct"
      and m."localDate" <= ${day} and m."qty" <> 0 order by m."localDate" desc, m."id" desc limit 1) l on true
  where coalesce(b."cost", l."cost") is not null`

/** SQL of the rubles written off for these visit services and not reversed, as rows of "idLine" and "cost". */
export const writtenOff = (lines: Sql): Sql => sql`
  select d."idCouponService" as "idLine", -sum(m."cost") as "cost" from (${lines}) g("id")
    join warehouse_lines d on d."idCouponService" = g."id" join warehouse_moves m on m."idLine" = d."id"
  group by 1 having sum(m."qty") < 0`
