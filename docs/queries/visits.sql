-- GET /staff-events?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "staff_events" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")) or (t0."type" <> 'shift' and (exists (select 1 from users w where w."id" = t0."idUser"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t0."idUser" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted"))))))) order by t0."localDate" desc, t0."localFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."type" as "type",
  t1."idUser" as "idUser",
  t1."idFilial" as "idFilial",
  t1."idRoom" as "idRoom",
  t1."localDate" as "localDate",
  t1."localFrom" as "localFrom",
  t1."localTo" as "localTo",
  t1."zones" as "zones",
  t1."comment" as "comment",
  t1."idPattern" as "idPattern",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."dateCreate" as "dateCreate",
  t1."idAuthor" as "idAuthor",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "staff_events" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "staff_events" t0 where not t0."deleted" and ((t0."idUser" = $6::bigint or t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $7::bigint and not d."deleted")) or (t0."type" <> 'shift' and (exists (select 1 from users w where w."id" = t0."idUser"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $8::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $9::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t0."idUser" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $10::bigint and not d."deleted"))))))) limit 10001) counted) as total;

-- GET /filials/desks?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "filials_desks" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idFilial" as "idFilial",
  t2."idUser" as "idUser",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "filials_desks" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "filials_desks" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") limit 10001) counted) as total;

-- GET /filials/rooms?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "filials_rooms" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idFilial" as "idFilial",
  t2."name" as "name",
  t2."equipment" as "equipment",
  t2."capacity" as "capacity",
  t2."cleaning" as "cleaning",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "filials_rooms" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "filials_rooms" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") limit 10001) counted) as total;

-- GET /filials/equipment?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "filials_equipment" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idFilial" as "idFilial",
  t2."idKind" as "idKind",
  t2."capacity" as "capacity",
  t2."cleaning" as "cleaning",
  t2."note" as "note",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "filials_equipment" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "filials_equipment" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") limit 10001) counted) as total;

-- GET /service-equipment?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_equipment" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idService" as "idService",
  t2."idKind" as "idKind",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_equipment" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_equipment" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") limit 10001) counted) as total;

-- GET /appointments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."dateFrom" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idFilial" as "idFilial",
  t2."idUser" as "idUser",
  t2."visitStatus" as "visitStatus",
  t2."localDate" as "localDate",
  t2."localStart" as "localStart",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."kind" as "kind",
  t2."channel" as "channel",
  t2."idReferrer" as "idReferrer",
  t2."note" as "note",
  t2."needsRebook" as "needsRebook",
  t2."cancelReason" as "cancelReason",
  t2."cancelNote" as "cancelNote",
  t2."cancelledBy" as "cancelledBy",
  t2."idSeries" as "idSeries",
  t2."dateConfirmed" as "dateConfirmed",
  t2."dateArrived" as "dateArrived",
  t2."dateStarted" as "dateStarted",
  t2."dateCompleted" as "dateCompleted",
  t2."dateCancelled" as "dateCancelled",
  (coalesce((select string_agg(coalesce(v."shortNameService", v."nameService"), ', '
order by c."dateFrom", l."id")
from coupons c join coupon_services l on l."idCoupon" = c."id" and not l."deleted" and not l."cancelled" join services v on v."id" = l."idService"
where c."idAppointment" = t2."id" and not c."deleted"), '')) as "services",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "appointments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /coupons?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "coupons" t0 where not t0."deleted" and exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idAppointment" as "idAppointment",
  t3."idService" as "idService",
  t3."idUser" as "idUser",
  t3."idFilial" as "idFilial",
  t3."idRoom" as "idRoom",
  t3."localDate" as "localDate",
  t3."localStart" as "localStart",
  t3."dateFrom" as "dateFrom",
  t3."dateTo" as "dateTo",
  t3."minutes" as "minutes",
  t3."breakAfter" as "breakAfter",
  t3."cleaning" as "cleaning",
  t3."overbooked" as "overbooked",
  t3."cancelled" as "cancelled",
  t3."idGroup" as "idGroup",
  (coalesce((select string_agg(k."name", ', ' order by k."name")
from visit_occupancy o join filials_equipment e on (e."id" + 2199023255552) = o."resource"
join equipment_kinds k on k."id" = e."idKind" where (o."idCoupon" = t3."id" or o."idGroup" = t3."idGroup")), '')) as "equipment",
  ((select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idCoupon" = t3."id" and not l."deleted")) as "payment",
  ((select coalesce(sum(greatest(0, round(l."price" * l."qty", 2) - l."discount")), 0) from coupon_services l
where l."idCoupon" = t3."id" and not l."deleted" and not l."cancelled")) as "finalCost",
  ((select coalesce(sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."insurer" - l."bonus")), 0) from coupon_services l
where l."idCoupon" = t3."id" and not l."deleted" and not l."cancelled")) as "finalCostWithBonuses",
  (case when t3."cancelled" then 'cancelled'
when (select coalesce(sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."insurer" - l."bonus")), 0) from coupon_services l
where l."idCoupon" = t3."id" and not l."deleted" and not l."cancelled") > 0 and (select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idCoupon" = t3."id" and not l."deleted") >= (select coalesce(sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."insurer" - l."bonus")), 0) from coupon_services l
where l."idCoupon" = t3."id" and not l."deleted" and not l."cancelled") then 'paid'
when (select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
join ledger_lines p on p."idLine" = l."id" where l."idCoupon" = t3."id" and not l."deleted") > 0 then 'partlyPaid'
when exists (select 1 from coupon_services l where l."idCoupon" = t3."id" and not l."deleted" and l."completed")
and not exists (select 1 from coupon_services l where l."idCoupon" = t3."id" and not l."deleted" and not l."cancelled"
and not l."completed") then 'completed'
else 'planned' end) as "status",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "coupons" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "coupons" t0 where not t0."deleted" and exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /coupon-services?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "coupon_services" t0 where not t0."deleted" and exists (select 1 from "coupons" t1 where t1."id" = t0."idCoupon" and not t1."deleted" and exists (select 1 from "appointments" t2 where t2."id" = t1."idAppointment" and not t2."deleted" and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($1::bigint, t3."id", 8) is null)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idCoupon" as "idCoupon",
  t4."idService" as "idService",
  t4."qty" as "qty",
  t4."price" as "price",
  t4."promised" as "promised",
  t4."priceUntil" as "priceUntil",
  t4."byHand" as "byHand",
  t4."promiseTaken" as "promiseTaken",
  t4."discount" as "discount",
  t4."bonus" as "bonus",
  t4."insurer" as "insurer",
  (greatest(0, round(t4."price" * t4."qty", 2) - t4."discount")) as "finalCost",
  (greatest(0, greatest(0, round(t4."price" * t4."qty", 2) - t4."discount") - t4."insurer" - t4."bonus")) as "finalCostWithBonuses",
  ((coalesce((select p."allocated" from ledger_lines p where p."idLine" = t4."id"), 0) + coalesce((select sum(u."sum") from membership_units u
where u."idLine" = t4."id" and u."idTx" is null), 0))::numeric / 100) as "paid",
  t4."completed" as "completed",
  t4."dateCompleted" as "dateCompleted",
  t4."cancelled" as "cancelled",
  t4."refusalReason" as "refusalReason",
  t4."idPlanItem" as "idPlanItem",
  t4."planSum" as "planSum",
  t4."isFixed" as "isFixed",
  t4."idMembership" as "idMembership",
  t4."idInsured" as "idInsured",
  t4."idRule" as "idRule",
  t4."idGuarantee" as "idGuarantee",
  t4."isOwnPay" as "isOwnPay",
  t4."dateCreate" as "dateCreate",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "coupon_services" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "coupon_services" t0 where not t0."deleted" and exists (select 1 from "coupons" t1 where t1."id" = t0."idCoupon" and not t1."deleted" and exists (select 1 from "appointments" t2 where t2."id" = t1."idAppointment" and not t2."deleted" and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null)))) limit 10001) counted) as total;

-- GET /coupon-services/performers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "coupon_services_performers" t0 where not t0."deleted" and exists (select 1 from "coupon_services" t1 where t1."id" = t0."idCouponService" and not t1."deleted" and exists (select 1 from "coupons" t2 where t2."id" = t1."idCoupon" and not t2."deleted" and exists (select 1 from "appointments" t3 where t3."id" = t2."idAppointment" and not t3."deleted" and not exists (select 1 from "customers" t4 where t4."id" = t3."idCustomer" and (t4."secretLevel" <> 'none' and opened_because($1::bigint, t4."id", 8) is null))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idCouponService" as "idCouponService",
  t5."idUser" as "idUser",
  t5."share" as "share",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "coupon_services_performers" t5 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "coupon_services_performers" t0 where not t0."deleted" and exists (select 1 from "coupon_services" t1 where t1."id" = t0."idCouponService" and not t1."deleted" and exists (select 1 from "coupons" t2 where t2."id" = t1."idCoupon" and not t2."deleted" and exists (select 1 from "appointments" t3 where t3."id" = t2."idAppointment" and not t3."deleted" and not exists (select 1 from "customers" t4 where t4."id" = t3."idCustomer" and (t4."secretLevel" <> 'none' and opened_because($2::bigint, t4."id", 8) is null))))) limit 10001) counted) as total;

-- GET /appointments/moves?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments_moves" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idAppointment" as "idAppointment",
  t3."fromDate" as "fromDate",
  t3."fromStart" as "fromStart",
  t3."toDate" as "toDate",
  t3."toStart" as "toStart",
  t3."idUserFrom" as "idUserFrom",
  t3."idUserTo" as "idUserTo",
  t3."reason" as "reason",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "appointments_moves" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments_moves" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /appointments/changes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments_changes" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idAppointment" as "idAppointment",
  t3."fromStatus" as "fromStatus",
  t3."toStatus" as "toStatus",
  t3."reason" as "reason",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "appointments_changes" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments_changes" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /appointments/scores?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments_scores" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idAppointment" as "idAppointment",
  t3."score" as "score",
  t3."comment" as "comment",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "appointments_scores" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments_scores" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /appointments/groups?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments_groups" t0 where not t0."deleted" order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idService" as "idService",
  t1."idUser" as "idUser",
  t1."idFilial" as "idFilial",
  t1."idRoom" as "idRoom",
  t1."localDate" as "localDate",
  t1."localStart" as "localStart",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."minutes" as "minutes",
  t1."breakAfter" as "breakAfter",
  t1."cleaning" as "cleaning",
  t1."capacity" as "capacity",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "appointments_groups" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments_groups" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /appointments/holds?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments_holds" t0 where not t0."deleted" order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idUser" as "idUser",
  t1."idFilial" as "idFilial",
  t1."idRoom" as "idRoom",
  t1."localDate" as "localDate",
  t1."localStart" as "localStart",
  t1."minutes" as "minutes",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."expiresAt" as "expiresAt",
  t1."isOffered" as "isOffered",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "appointments_holds" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments_holds" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /appointments/reminders?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appointments_reminders" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idAppointment" as "idAppointment",
  t3."kind" as "kind",
  t3."dateFrom" as "dateFrom",
  t3."idMessage" as "idMessage",
  ((select m."channel" from messages m where m."id" = t3."idMessage")) as "channel",
  ((select m."tried" from messages m where m."id" = t3."idMessage")) as "tried",
  ((select m."status" from messages m where m."id" = t3."idMessage")) as "status",
  ((select m."reason" from messages m where m."id" = t3."idMessage")) as "reason",
  ((select m."dateSent" from messages m where m."id" = t3."idMessage")) as "dateSent",
  t3."reply" as "reply",
  t3."meaning" as "meaning",
  t3."dateReply" as "dateReply",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "appointments_reminders" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appointments_reminders" t0 where exists (select 1 from "appointments" t1 where t1."id" = t0."idAppointment" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /waiting-list?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "waiting_list" t0 where not t0."deleted" and ((t0."idAuthor" = $1::bigint or t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($3::bigint, t1."id", 8) is null)) order by t0."urgency" desc, t0."dateCreate", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idFilial" as "idFilial",
  t2."idService" as "idService",
  t2."doctors" as "doctors",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."clockFrom" as "clockFrom",
  t2."clockTo" as "clockTo",
  t2."urgency" as "urgency",
  t2."minNotice" as "minNotice",
  t2."note" as "note",
  t2."status" as "status",
  t2."idAppointment" as "idAppointment",
  t2."dateCreate" as "dateCreate",
  t2."idAuthor" as "idAuthor",
  (exists (select 1 from waiting_list_offers o
where o."idEntry" = t2."id" and o."answer" = 'pending')) as "isOffered",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "waiting_list" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "waiting_list" t0 where not t0."deleted" and ((t0."idAuthor" = $4::bigint or t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($6::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /waiting-list/offers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "waiting_list_offers" t0 where exists (select 1 from "waiting_list" t1 where t1."id" = t0."idEntry" and not t1."deleted" and ((t1."idAuthor" = $1::bigint or t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($3::bigint, t2."id", 8) is null))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idEntry" as "idEntry",
  t3."idFilial" as "idFilial",
  t3."idUser" as "idUser",
  t3."localDate" as "localDate",
  t3."localStart" as "localStart",
  t3."minutes" as "minutes",
  t3."idHold" as "idHold",
  t3."expiresAt" as "expiresAt",
  t3."answer" as "answer",
  t3."dateCreate" as "dateCreate",
  t3."idAuthor" as "idAuthor",
  t3."_version" as "_version") x) as j
from page join "waiting_list_offers" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "waiting_list_offers" t0 where exists (select 1 from "waiting_list" t1 where t1."id" = t0."idEntry" and not t1."deleted" and ((t1."idAuthor" = $4::bigint or t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($6::bigint, t2."id", 8) is null))) limit 10001) counted) as total;
