-- GET /customer-plans?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customer_plans" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."idCustomer" as "idCustomer",
  t2."idDoctor" as "idDoctor",
  t2."idFilial" as "idFilial",
  t2."diagnosis" as "diagnosis",
  t2."icd10" as "icd10",
  t2."variant" as "variant",
  t2."idFirst" as "idFirst",
  t2."validTo" as "validTo",
  t2."note" as "note",
  (case when t2."dateRefused" is not null then 'refused'
when t2."dateAgreed" is null then case when t2."dateOffered" is null then 'draft' else 'offered' end
else (select case when count(*) filter (where not i."cancelled" and i."qtyDone" < i."qty") = 0 then 'done'
when coalesce(sum(i."qtyDone" + i."qtyBooked"), 0) > 0 then 'inWork' else 'agreed' end from (select i.*, greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") as total, f."qtyDone", f."qtyBooked",
f."done", (select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = i."id") as paid
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
cross join lateral (select coalesce(sum(l."qty") filter (where l."completed"), 0)::int as "qtyDone",
  coalesce(sum(l."qty") filter (where not l."completed"), 0)::int as "qtyBooked",
  coalesce(sum(l."planSum") filter (where l."completed"), 0) as "done"
from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) f
where s."idPlan" = t2."id" and not s."deleted") i) end) as "status",
  ((select count(*)::int from "customer_plans_stages" t3 where t3."idPlan" = t2."id" and not t3."deleted")) as "stagesCount",
  ((select coalesce(sum(case when i."cancelled" then (select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
else greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") end), 0)
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
where s."idPlan" = t2."id" and not s."deleted")) as "sum",
  (case when t2."dateAgreed" is null then 0 else (select coalesce(sum(case when i."cancelled" then (select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
else greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") end), 0)
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
where s."idPlan" = t2."id" and not s."deleted") end) as "agreed",
  (case when t2."dateAgreed" is null then 0 else (select coalesce(sum(l."planSum"), 0) from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t2."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end) as "done",
  (case when t2."dateAgreed" is null then 0 else (select coalesce(sum(case when i."cancelled" then (select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
else greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") end), 0)
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
where s."idPlan" = t2."id" and not s."deleted") - case when t2."dateAgreed" is null then 0 else (select coalesce(sum(l."planSum"), 0) from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t2."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end end) as "left",
  (case when t2."dateAgreed" is null then 0 else (select coalesce(sum(paid."allocated"), 0)::numeric / 100 from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" join coupon_services l on l."idPlanItem" = i."id"
join ledger_lines paid on paid."idLine" = l."id" where s."idPlan" = t2."id") end) as "paid",
  (case when t2."dateAgreed" is null then null else (select max(c."localDate") from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t2."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end) as "lastVisit",
  ((case when t2."dateAgreed" is null or t2."dateRefused" is not null
or coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $2),
$3::int) = 0 or (t2."dateAgreed" at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$4::text))::date >= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$5::text))::date - coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $6),
$7::int) then false
else case when t2."dateRefused" is not null then 'refused'
when t2."dateAgreed" is null then case when t2."dateOffered" is null then 'draft' else 'offered' end
else (select case when count(*) filter (where not i."cancelled" and i."qtyDone" < i."qty") = 0 then 'done'
when coalesce(sum(i."qtyDone" + i."qtyBooked"), 0) > 0 then 'inWork' else 'agreed' end from (select i.*, greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") as total, f."qtyDone", f."qtyBooked",
f."done", (select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = i."id") as paid
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
cross join lateral (select coalesce(sum(l."qty") filter (where l."completed"), 0)::int as "qtyDone",
  coalesce(sum(l."qty") filter (where not l."completed"), 0)::int as "qtyBooked",
  coalesce(sum(l."planSum") filter (where l."completed"), 0) as "done"
from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) f
where s."idPlan" = t2."id" and not s."deleted") i) end in ('agreed', 'inWork')
and (select count(*) filter (where not l."completed") from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t2."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and true) = 0
and coalesce(case when t2."dateAgreed" is null then null else (select max(c."localDate") from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t2."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$8::text))::date - coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $9),
$10::int), true) end)) as "overdue",
  t2."dateOffered" as "dateOffered",
  t2."dateAgreed" as "dateAgreed",
  t2."signMethod" as "signMethod",
  t2."idRelation" as "idRelation",
  t2."representative" as "representative",
  t2."idFile" as "idFile",
  t2."dateRefused" as "dateRefused",
  t2."refuseReason" as "refuseReason",
  t2."refuseNote" as "refuseNote",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "customer_plans" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customer_plans" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($11::bigint, t1."id", 8) is not null)) limit 10001) counted) as total;

-- GET /customer-plans/stages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customer_plans_stages" t0 where not t0."deleted" and exists (select 1 from "customer_plans" t1 where t1."id" = t0."idPlan" and not t1."deleted" and exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and not t2."deleted" and (not (t2."secretLevel" <> 'none') or opened_because($1::bigint, t2."id", 8) is not null))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idPlan" as "idPlan",
  t3."order" as "order",
  t3."name" as "name",
  t3."plannedMonth" as "plannedMonth",
  t3."zone" as "zone",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "customer_plans_stages" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customer_plans_stages" t0 where not t0."deleted" and exists (select 1 from "customer_plans" t1 where t1."id" = t0."idPlan" and not t1."deleted" and exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and not t2."deleted" and (not (t2."secretLevel" <> 'none') or opened_because($2::bigint, t2."id", 8) is not null))) limit 10001) counted) as total;

-- GET /customer-plans/items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customer_plans_items" t0 where not t0."deleted" and exists (select 1 from "customer_plans_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "customer_plans" t2 where t2."id" = t1."idPlan" and not t2."deleted" and exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and not t3."deleted" and (not (t3."secretLevel" <> 'none') or opened_because($1::bigint, t3."id", 8) is not null)))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idStage" as "idStage",
  t4."order" as "order",
  t4."idService" as "idService",
  t4."qty" as "qty",
  t4."price" as "price",
  t4."discount" as "discount",
  (greatest(0, coalesce(t4."price", 0) * t4."qty" - t4."discount")) as "total",
  (case when t4."cancelled" then 'cancelled'
when (select coalesce(sum(l."qty") filter (where l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t4."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) >= t4."qty" then 'done'
when (select coalesce(sum(l."qty") filter (where not l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t4."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) > 0 then 'booked' else 'planned' end) as "status",
  ((select coalesce(sum(l."qty") filter (where l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t4."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))) as "qtyDone",
  ((select coalesce(sum(l."qty") filter (where not l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t4."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))) as "qtyBooked",
  ((select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t4."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled"
and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))) as "done",
  ((select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = t4."id")) as "paid",
  t4."cancelled" as "cancelled",
  t4."cancelReason" as "cancelReason",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "customer_plans_items" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customer_plans_items" t0 where not t0."deleted" and exists (select 1 from "customer_plans_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "customer_plans" t2 where t2."id" = t1."idPlan" and not t2."deleted" and exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and not t3."deleted" and (not (t3."secretLevel" <> 'none') or opened_because($2::bigint, t3."id", 8) is not null)))) limit 10001) counted) as total;
