-- GET /customer-plans?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customer_plans" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."idCustomer" as "idCustomer",
  t3."idDoctor" as "idDoctor",
  t3."idFilial" as "idFilial",
  t3."diagnosis" as "diagnosis",
  t3."icd10" as "icd10",
  t3."variant" as "variant",
  t3."idFirst" as "idFirst",
  t3."validTo" as "validTo",
  t3."note" as "note",
  (case when t3."dateRefused" is not null then 'refused'
when t3."dateAgreed" is null then case when t3."dateOffered" is null then 'draft' else 'offered' end
else (select case when count(*) filter (where not i."cancelled" and i."qtyDone" < i."qty") = 0 then 'done'
when coalesce(sum(i."qtyDone" + i."qtyBooked"), 0) > 0 then 'inWork' else 'agreed' end from (select i.*, greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") as total, f."qtyDone", f."qtyBooked",
f."done", (select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = i."id") as paid
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
cross join lateral (select coalesce(sum(l."qty") filter (where l."completed"), 0)::int as "qtyDone",
  coalesce(sum(l."qty") filter (where not l."completed"), 0)::int as "qtyBooked",
  coalesce(sum(l."planSum") filter (where l."completed"), 0) as "done"
from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) f
where s."idPlan" = t3."id" and not s."deleted") i) end) as "status",
  ((select count(*)::int from "customer_plans_stages" t4 where t4."idPlan" = t3."id" and not t4."deleted")) as "stagesCount",
  ((select coalesce(sum(case when i."cancelled" then (select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
else greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") end), 0)
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
where s."idPlan" = t3."id" and not s."deleted")) as "sum",
  (case when t3."dateAgreed" is null then 0 else (select coalesce(sum(case when i."cancelled" then (select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
else greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") end), 0)
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
where s."idPlan" = t3."id" and not s."deleted") end) as "agreed",
  (case when t3."dateAgreed" is null then 0 else (select coalesce(sum(l."planSum"), 0) from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t3."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end) as "done",
  (case when t3."dateAgreed" is null then 0 else (select coalesce(sum(case when i."cancelled" then (select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
else greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") end), 0)
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
where s."idPlan" = t3."id" and not s."deleted") - case when t3."dateAgreed" is null then 0 else (select coalesce(sum(l."planSum"), 0) from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t3."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end end) as "left",
  (case when t3."dateAgreed" is null then 0 else (select coalesce(sum(paid."allocated"), 0)::numeric / 100 from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" join coupon_services l on l."idPlanItem" = i."id"
join ledger_lines paid on paid."idLine" = l."id" where s."idPlan" = t3."id") end) as "paid",
  (case when t3."dateAgreed" is null then null else (select max(c."localDate") from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t3."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end) as "lastVisit",
  ((case when t3."dateAgreed" is null or t3."dateRefused" is not null
or coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $3),
$4::int) = 0 or (t3."dateAgreed" at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$5::text))::date >= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$6::text))::date - coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $7),
$8::int) then false
else case when t3."dateRefused" is not null then 'refused'
when t3."dateAgreed" is null then case when t3."dateOffered" is null then 'draft' else 'offered' end
else (select case when count(*) filter (where not i."cancelled" and i."qtyDone" < i."qty") = 0 then 'done'
when coalesce(sum(i."qtyDone" + i."qtyBooked"), 0) > 0 then 'inWork' else 'agreed' end from (select i.*, greatest(0, coalesce(i."price", 0) * i."qty" - i."discount") as total, f."qtyDone", f."qtyBooked",
f."done", (select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = i."id") as paid
from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
cross join lateral (select coalesce(sum(l."qty") filter (where l."completed"), 0)::int as "qtyDone",
  coalesce(sum(l."qty") filter (where not l."completed"), 0)::int as "qtyBooked",
  coalesce(sum(l."planSum") filter (where l."completed"), 0) as "done"
from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = i."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) f
where s."idPlan" = t3."id" and not s."deleted") i) end in ('agreed', 'inWork')
and (select count(*) filter (where not l."completed") from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t3."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and true) = 0
and coalesce(case when t3."dateAgreed" is null then null else (select max(c."localDate") from customer_plans_stages s
join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
join appointments a on a."id" = c."idAppointment"
where s."idPlan" = t3."id" and not s."deleted" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved') and l."completed") end < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$9::text))::date - coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $10),
$11::int), true) end)) as "overdue",
  t3."dateOffered" as "dateOffered",
  t3."dateAgreed" as "dateAgreed",
  t3."signMethod" as "signMethod",
  t3."idRelation" as "idRelation",
  t3."representative" as "representative",
  t3."idFile" as "idFile",
  t3."dateRefused" as "dateRefused",
  t3."refuseReason" as "refuseReason",
  t3."refuseNote" as "refuseNote",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."dateChange" as "dateChange",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "customer_plans" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customer_plans" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($12::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($13::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /customer-plans/stages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customer_plans_stages" t0 where not t0."deleted" and exists (select 1 from "customer_plans" t1 where t1."id" = t0."idPlan" and not t1."deleted" and exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and not t2."deleted" and (not (t2."secretLevel" <> 'none') or opened_because($1::bigint, t2."id", 8) is not null)) and not exists (select 1 from "customers" t3 where t3."id" = t1."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idPlan" as "idPlan",
  t4."order" as "order",
  t4."name" as "name",
  t4."plannedMonth" as "plannedMonth",
  t4."zone" as "zone",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "customer_plans_stages" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customer_plans_stages" t0 where not t0."deleted" and exists (select 1 from "customer_plans" t1 where t1."id" = t0."idPlan" and not t1."deleted" and exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and not t2."deleted" and (not (t2."secretLevel" <> 'none') or opened_because($3::bigint, t2."id", 8) is not null)) and not exists (select 1 from "customers" t3 where t3."id" = t1."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($4::bigint, t3."id", 8) is null))) limit 10001) counted) as total;

-- GET /customer-plans/items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customer_plans_items" t0 where not t0."deleted" and exists (select 1 from "customer_plans_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "customer_plans" t2 where t2."id" = t1."idPlan" and not t2."deleted" and exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and not t3."deleted" and (not (t3."secretLevel" <> 'none') or opened_because($1::bigint, t3."id", 8) is not null)) and not exists (select 1 from "customers" t4 where t4."id" = t2."idCustomer" and (t4."secretLevel" <> 'none' and opened_because($2::bigint, t4."id", 8) is null)))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idStage" as "idStage",
  t5."order" as "order",
  t5."idService" as "idService",
  t5."qty" as "qty",
  t5."price" as "price",
  t5."discount" as "discount",
  (greatest(0, coalesce(t5."price", 0) * t5."qty" - t5."discount")) as "total",
  (case when t5."cancelled" then 'cancelled'
when (select coalesce(sum(l."qty") filter (where l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t5."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) >= t5."qty" then 'done'
when (select coalesce(sum(l."qty") filter (where not l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t5."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved')) > 0 then 'booked' else 'planned' end) as "status",
  ((select coalesce(sum(l."qty") filter (where l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t5."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))) as "qtyDone",
  ((select coalesce(sum(l."qty") filter (where not l."completed"), 0)::int from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t5."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))) as "qtyBooked",
  ((select coalesce(sum(l."planSum") filter (where l."completed"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment" where l."idPlanItem" = t5."id" and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))) as "done",
  ((select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = t5."id")) as "paid",
  t5."cancelled" as "cancelled",
  t5."cancelReason" as "cancelReason",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "customer_plans_items" t5 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customer_plans_items" t0 where not t0."deleted" and exists (select 1 from "customer_plans_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "customer_plans" t2 where t2."id" = t1."idPlan" and not t2."deleted" and exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and not t3."deleted" and (not (t3."secretLevel" <> 'none') or opened_because($3::bigint, t3."id", 8) is not null)) and not exists (select 1 from "customers" t4 where t4."id" = t2."idCustomer" and (t4."secretLevel" <> 'none' and opened_because($4::bigint, t4."id", 8) is null)))) limit 10001) counted) as total;
