-- GET /referrers/rates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "referrers_rates" t0 where not t0."deleted" and exists (select 1 from "referrers" t1 where t1."id" = t0."idReferrer" and not t1."deleted") order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idReferrer" as "idReferrer",
  t2."kind" as "kind",
  t2."value" as "value",
  t2."idService" as "idService",
  t2."idGroup" as "idGroup",
  t2."dateFrom" as "dateFrom",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "referrers_rates" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "referrers_rates" t0 where not t0."deleted" and exists (select 1 from "referrers" t1 where t1."id" = t0."idReferrer" and not t1."deleted") limit 10001) counted) as total;

-- GET /referrer-acts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "referrer_acts" t0 where not t0."deleted" order by t0."month" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idReferrer" as "idReferrer",
  t1."month" as "month",
  t1."number" as "number",
  t1."state" as "state",
  t1."dateSigned" as "dateSigned",
  t1."reason" as "reason",
  t1."idExpense" as "idExpense",
  ((select count(*)::int from referrer_acts_lines z where z."idAct" = t1."id")) as "lines",
  ((select coalesce(sum(z."sum"), 0)::numeric(14,2) from referrer_acts_lines z where z."idAct" = t1."id")) as "sum",
  (coalesce((select e."sum" from expenses e where e."id" = t1."idExpense"
and e."status" = 'paid' and not e."deleted"), 0)::numeric(14,2)) as "paid",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "referrer_acts" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "referrer_acts" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /referrer-acts/lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "referrer_acts_lines" t0 where exists (select 1 from "referrer_acts" t1 where t1."id" = t0."idAct" and not t1."deleted") and not exists (select 1 from "coupon_services" t2 where t2."id" = t0."idCouponService" and not (not exists (select 1 from "coupons" t3 where t3."id" = t2."idCoupon" and not (not exists (select 1 from "appointments" t4 where t4."id" = t3."idAppointment" and not (not exists (select 1 from "customers" t5 where t5."id" = t4."idCustomer" and (t5."secretLevel" <> 'none' and opened_because($1::bigint, t5."id", 8) is null)))))))) and not exists (select 1 from "appointments" t6 where t6."id" = t0."idAppointment" and not (not exists (select 1 from "customers" t7 where t7."id" = t6."idCustomer" and (t7."secretLevel" <> 'none' and opened_because($2::bigint, t7."id", 8) is null)))) order by t0."localDate", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t8."id" as "id",
  t8."idAct" as "idAct",
  t8."idCouponService" as "idCouponService",
  t8."idAppointment" as "idAppointment",
  t8."localDate" as "localDate",
  t8."name" as "name",
  t8."base" as "base",
  t8."rate" as "rate",
  t8."sum" as "sum",
  t8."isCorrection" as "isCorrection",
  t8."_version" as "_version") x) as j
from page join "referrer_acts_lines" t8 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "referrer_acts_lines" t0 where exists (select 1 from "referrer_acts" t1 where t1."id" = t0."idAct" and not t1."deleted") and not exists (select 1 from "coupon_services" t2 where t2."id" = t0."idCouponService" and not (not exists (select 1 from "coupons" t3 where t3."id" = t2."idCoupon" and not (not exists (select 1 from "appointments" t4 where t4."id" = t3."idAppointment" and not (not exists (select 1 from "customers" t5 where t5."id" = t4."idCustomer" and (t5."secretLevel" <> 'none' and opened_because($3::bigint, t5."id", 8) is null)))))))) and not exists (select 1 from "appointments" t6 where t6."id" = t0."idAppointment" and not (not exists (select 1 from "customers" t7 where t7."id" = t6."idCustomer" and (t7."secretLevel" <> 'none' and opened_because($4::bigint, t7."id", 8) is null)))) limit 10001) counted) as total;
