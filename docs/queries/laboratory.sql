-- GET /laboratory/catalog?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_catalog" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."code" as "code",
  t1."section" as "section",
  t1."isPanel" as "isPanel",
  t1."idLaboratory" as "idLaboratory",
  t1."biomaterial" as "biomaterial",
  t1."idContainer" as "idContainer",
  t1."minVolume" as "minVolume",
  t1."tempMode" as "tempMode",
  t1."stableHours" as "stableHours",
  t1."termDays" as "termDays",
  t1."cutoff" as "cutoff",
  t1."preparation" as "preparation",
  t1."method" as "method",
  t1."idService" as "idService",
  t1."labCode" as "labCode",
  t1."cost" as "cost",
  t1."medicalCode" as "medicalCode",
  t1."fsli" as "fsli",
  t1."loinc" as "loinc",
  t1."active" as "active",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "laboratory_catalog" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_catalog" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /laboratory/components?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_components" t0 where not t0."deleted" and exists (select 1 from "laboratory_catalog" t1 where t1."id" = t0."idTest" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idTest" as "idTest",
  t2."order" as "order",
  t2."idAnalyte" as "idAnalyte",
  t2."idPart" as "idPart",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "laboratory_components" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_components" t0 where not t0."deleted" and exists (select 1 from "laboratory_catalog" t1 where t1."id" = t0."idTest" and not t1."deleted") limit 10001) counted) as total;

-- GET /laboratory/orders?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_orders" t0 where not t0."deleted" and ((exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t0."id" and not i."deleted" and b."kind" = 'partner')))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."number" as "number",
  t1."idCustomer" as "idCustomer",
  t1."idAppointment" as "idAppointment",
  t1."idDoctor" as "idDoctor",
  t1."idFilial" as "idFilial",
  t1."idLead" as "idLead",
  t1."idPlan" as "idPlan",
  t1."idExamination" as "idExamination",
  t1."idFormer" as "idFormer",
  t1."urgency" as "urgency",
  t1."status" as "status",
  t1."plannedAt" as "plannedAt",
  t1."placedAt" as "placedAt",
  t1."takenAt" as "takenAt",
  t1."sentAt" as "sentAt",
  t1."doneAt" as "doneAt",
  t1."issuedAt" as "issuedAt",
  t1."dueAt" as "dueAt",
  t1."diagnosis" as "diagnosis",
  t1."pregnancyWeeks" as "pregnancyWeeks",
  t1."cycleDay" as "cycleDay",
  t1."fasting" as "fasting",
  t1."medication" as "medication",
  t1."externalNumber" as "externalNumber",
  t1."cancelReason" as "cancelReason",
  t1."cancelNote" as "cancelNote",
  t1."comment" as "comment",
  (coalesce((select string_agg(n.name, ', ' order by n.at) from (
select coalesce(p."name", t."name") as name, min(i."id") as at from laboratory_order_items i
join laboratory_catalog t on t."id" = i."idTest" left join laboratory_catalog p on p."id" = i."idPanel"
where i."idOrder" = t1."id" and not i."deleted" and i."status" <> 'cancelled' group by 1) n), '')) as "tests",
  ((select count(*)::int from laboratory_samples s where s."idOrder" = t1."id" and not s."deleted"
and s."status" <> 'rejected')) as "tubes",
  (coalesce((select sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."bonus")) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t1."id"
and not i."deleted" and not l."cancelled" and not l."deleted") l), 0.00)) as "sum",
  (coalesce((select sum(coalesce((select p."allocated" from ledger_lines p where p."idLine" = l."id"), 0)::numeric / 100) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t1."id"
and not i."deleted" and not l."cancelled" and not l."deleted") l), 0.00)) as "paid",
  (coalesce((select sum(i."cost") from laboratory_order_items i where i."idOrder" = t1."id"
and not i."deleted" and i."status" <> 'cancelled'), 0.00)) as "cost",
  ((select case when m.sum <= 0 then 'none' when m.paid >= m.sum then 'paid'
when m.paid > 0 then 'part' else 'unpaid' end from (select coalesce((select sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."bonus")) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t1."id"
and not i."deleted" and not l."cancelled" and not l."deleted") l), 0.00) as sum, coalesce((select sum(coalesce((select p."allocated" from ledger_lines p where p."idLine" = l."id"), 0)::numeric / 100) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t1."id"
and not i."deleted" and not l."cancelled" and not l."deleted") l), 0.00) as paid) m)) as "paidStatus",
  ((t1."status" in ('placed', 'taken', 'sent', 'inWork', 'partial', 'rejected') and t1."dueAt" < now())) as "isLate",
  (exists (select 1 from laboratory_results r join laboratory_order_items i on i."id" = r."idItem"
where i."idOrder" = t1."id" and (r."flag" in ('LL', 'HH') and r."calledAt" is null and r."isMain" and r."status" in ('raw', 'technical', 'medical')))) as "isCritical",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "laboratory_orders" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_orders" t0 where not t0."deleted" and ((exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $7::bigint and p.permission = $8)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $9::bigint and $10 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t0."id" and not i."deleted" and b."kind" = 'partner')))) limit 10001) counted) as total;

-- GET /laboratory/order-items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_order_items" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and ((exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idOrder" as "idOrder",
  t2."idTest" as "idTest",
  t2."idPanel" as "idPanel",
  t2."idLaboratory" as "idLaboratory",
  t2."idSample" as "idSample",
  t2."idCouponService" as "idCouponService",
  t2."idDevice" as "idDevice",
  t2."status" as "status",
  t2."cancelReason" as "cancelReason",
  t2."dueAt" as "dueAt",
  t2."doneAt" as "doneAt",
  t2."cost" as "cost",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "laboratory_order_items" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_order_items" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and ((exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $7::bigint and p.permission = $8)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $9::bigint and $10 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))))) limit 10001) counted) as total;

-- GET /laboratory/samples?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_samples" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and ((exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idOrder" as "idOrder",
  t2."barcode" as "barcode",
  t2."idLaboratory" as "idLaboratory",
  t2."biomaterial" as "biomaterial",
  t2."idContainer" as "idContainer",
  t2."tempMode" as "tempMode",
  t2."volume" as "volume",
  t2."status" as "status",
  t2."takenAt" as "takenAt",
  t2."idTakenBy" as "idTakenBy",
  t2."receivedAt" as "receivedAt",
  t2."expiresAt" as "expiresAt",
  t2."rejectReason" as "rejectReason",
  t2."rejectNote" as "rejectNote",
  t2."idFormer" as "idFormer",
  t2."idShipment" as "idShipment",
  t2."rack" as "rack",
  t2."place" as "place",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "laboratory_samples" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_samples" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and ((exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $7::bigint and p.permission = $8)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $9::bigint and $10 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))))) limit 10001) counted) as total;

-- GET /laboratory/sample-steps?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_sample_steps" t0 where exists (select 1 from "laboratory_samples" t1 where t1."id" = t0."idSample" and not t1."deleted" and exists (select 1 from "laboratory_orders" t2 where t2."id" = t1."idOrder" and not t2."deleted" and ((exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t2."id" and not i."deleted" and b."kind" = 'partner')))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idSample" as "idSample",
  t3."status" as "status",
  t3."note" as "note",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "laboratory_sample_steps" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_sample_steps" t0 where exists (select 1 from "laboratory_samples" t1 where t1."id" = t0."idSample" and not t1."deleted" and exists (select 1 from "laboratory_orders" t2 where t2."id" = t1."idOrder" and not t2."deleted" and ((exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)) and ((exists (
select 1 from user_permissions p where p."idUser" = $7::bigint and p.permission = $8)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $9::bigint and $10 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t2."id" and not i."deleted" and b."kind" = 'partner')))))) limit 10001) counted) as total;

-- GET /laboratory/shipments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_shipments" t0  order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."number" as "number",
  t1."idLaboratory" as "idLaboratory",
  t1."idFilial" as "idFilial",
  t1."tempMode" as "tempMode",
  t1."status" as "status",
  t1."temperature" as "temperature",
  t1."courier" as "courier",
  t1."note" as "note",
  ((select count(*)::int from laboratory_samples s where s."idShipment" = t1."id" and not s."deleted")) as "samplesCount",
  t1."shippedAt" as "shippedAt",
  t1."receivedAt" as "receivedAt",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."_version" as "_version") x) as j
from page join "laboratory_shipments" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_shipments" t0  limit 10001) counted) as total;
