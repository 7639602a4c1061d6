/**
 * What a referrer has earned, derived anew from the visit, its lines, the ledger and the rates each time: a refund, a
 * discount, a cancelled visit, another referrer or another rate need no copy. Acts, the report and the totals read it.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { isGivenSql } from '#areas/counted/index.ts'
import { lineDueSql, soldFieldSql } from '#areas/money/index.ts'

/** The rate of a line: of the service, else of its nearest group, else of everything; the latest that has begun. */
const rateSql = sql`(select r."kind", r."value", case when r."kind" = 'share' then
      replace(trim_scale(r."value")::text, '.', ',') || ' %' else replace(r."value"::text, '.', ',') || ' ₽' end as words
    from referrers_rates r left join lateral (with recursive up as (
        select g."id", g."idParentGroup", 1 as depth from services_groups g where g."id" = s."idGroup"
        union all select g."id", g."idParentGroup", up.depth + 1 from up join services_groups g on g."id" = up."idParentGroup"
          where up.depth < 20
      ) select min(up.depth) as depth from up where up."id" = r."idGroup") g on r."idGroup" is not null
    where r."idReferrer" = a."idReferrer" and not r."deleted" and r."dateFrom" <= c."localDate"
      and (r."idService" is null or r."idService" = l."idService") and (r."idGroup" is null or g.depth is not null)
    order by r."idService" is null, g.depth nulls last, r."dateFrom" desc, r."id" desc limit 1)`

/**
 * SQL of a query over given lines of visits with a referrer whose contract covers the day: `idLine`, `idReferrer`,
 * `idAppointment`, `idCustomer`, `idFilial`, `idUser`, `idService`, `localDate`, `name`, `rate` in words, `base` (rubles paid,
 * net of refunds) and `due` (rubles to the referrer). A sum for a service is due when the service is paid in full.
 * @param which a condition over the visit `a`, the coupon `c` and the line `l`
 */
export const accruedSql = (which: Sql): Sql => sql`
  select l."id"::int as "idLine", a."idReferrer", a."id" as "idAppointment", a."idCustomer", c."idFilial", c."idUser", l."idService",
    c."localDate", ${soldFieldSql(raw('l'), raw('s'), 'nameService')} as name, coalesce(r.words, 'без ставки') as rate, p.base,
    coalesce(case when p.base <= 0 then 0 when r."kind" = 'share' then round(p.base * r."value" / 100, 2)
      when p.base >= ${lineDueSql(raw('l'))} then round(r."value" * l."qty", 2) else 0 end, 0)::numeric(14,2) as due
  from appointments a join referrers k on k."id" = a."idReferrer"
    join coupons c on c."idAppointment" = a."id" join coupon_services l on l."idCoupon" = c."id" join services s on s."id" = l."idService"
    cross join lateral (select (coalesce((select b."allocated" from ledger_lines b where b."idLine" = l."id"), 0) / 100.0)::numeric(14,2) as base) p
    left join lateral ${rateSql} r on true
  where a."idReferrer" is not null and ${isGivenSql}
    and c."localDate" >= k."dateFrom" and (k."dateTo" is null or c."localDate" <= k."dateTo") and ${which}`

/** SQL of the rubles of a line that signed acts of a referrer have. */
export const inActsSql = (
  idLine: Sql,
  idReferrer: Sql,
): Sql => sql`coalesce((select sum(z."sum") from referrer_acts_lines z
  join referrer_acts y on y."id" = z."idAct" and y."state" = 'signed' and not y."deleted"
  where z."idCouponService" = ${idLine} and y."idReferrer" = ${idReferrer}), 0)::numeric(14,2)`
