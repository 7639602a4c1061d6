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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_orders" t0 where not t0."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $1::bigint and p.permission = $2)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $3::bigint and $4 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t0."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($5::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."number" as "number",
  t2."idCustomer" as "idCustomer",
  t2."idAppointment" as "idAppointment",
  t2."idDoctor" as "idDoctor",
  t2."idFilial" as "idFilial",
  t2."idLead" as "idLead",
  t2."idPlan" as "idPlan",
  t2."idExamination" as "idExamination",
  t2."idFormer" as "idFormer",
  t2."urgency" as "urgency",
  t2."status" as "status",
  t2."plannedAt" as "plannedAt",
  t2."placedAt" as "placedAt",
  t2."takenAt" as "takenAt",
  t2."sentAt" as "sentAt",
  t2."doneAt" as "doneAt",
  t2."issuedAt" as "issuedAt",
  t2."idIssuer" as "idIssuer",
  t2."reissue" as "reissue",
  t2."dueAt" as "dueAt",
  t2."diagnosis" as "diagnosis",
  t2."pregnancyWeeks" as "pregnancyWeeks",
  t2."cycleDay" as "cycleDay",
  t2."menopause" as "menopause",
  t2."fasting" as "fasting",
  t2."medication" as "medication",
  t2."externalNumber" as "externalNumber",
  t2."cancelReason" as "cancelReason",
  t2."cancelNote" as "cancelNote",
  t2."comment" as "comment",
  (coalesce((select string_agg(n.name, ', ' order by n.at) from (
select coalesce(p."name", t."name") as name, min(i."id") as at from laboratory_order_items i
join laboratory_catalog t on t."id" = i."idTest" left join laboratory_catalog p on p."id" = i."idPanel"
where i."idOrder" = t2."id" and not i."deleted" and i."status" <> 'cancelled' group by 1) n), '')) as "tests",
  ((select count(*)::int from laboratory_samples s where s."idOrder" = t2."id" and not s."deleted"
and s."status" <> 'rejected')) as "tubes",
  (coalesce((select sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."insurer" - l."bonus")) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t2."id"
and not i."deleted" and not l."deleted" and not l."cancelled") l), 0.00)) as "sum",
  (coalesce((select sum((coalesce((select p."allocated" from ledger_lines p where p."idLine" = l."id"), 0) + coalesce((select sum(u."sum") from membership_units u
where u."idLine" = l."id" and u."idTx" is null), 0))::numeric / 100) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t2."id"
and not i."deleted" and not l."deleted" and not l."cancelled") l), 0.00)) as "paid",
  (coalesce((select sum(i."cost") from laboratory_order_items i where i."idOrder" = t2."id"
and not i."deleted" and i."status" <> 'cancelled'), 0.00)) as "cost",
  ((select case when m.sum <= 0 then 'none' when m.paid >= m.sum then 'paid'
when m.paid > 0 then 'part' else 'unpaid' end from (select coalesce((select sum(greatest(0, greatest(0, round(l."price" * l."qty", 2) - l."discount") - l."insurer" - l."bonus")) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t2."id"
and not i."deleted" and not l."deleted" and not l."cancelled") l), 0.00) as sum, coalesce((select sum((coalesce((select p."allocated" from ledger_lines p where p."idLine" = l."id"), 0) + coalesce((select sum(u."sum") from membership_units u
where u."idLine" = l."id" and u."idTx" is null), 0))::numeric / 100) from (select distinct on (l."id") l.* from coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = t2."id"
and not i."deleted" and not l."deleted" and not l."cancelled") l), 0.00) as paid) m)) as "paidStatus",
  ((t2."status" in ('placed', 'taken', 'sent', 'inWork', 'partial', 'rejected') and t2."dueAt" < now())) as "isLate",
  (false and exists (select 1 from laboratory_results r join laboratory_order_items i on i."id" = r."idItem"
where i."idOrder" = t2."id" and r."callDue")) as "isCritical",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "laboratory_orders" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_orders" t0 where not t0."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $6::bigint and p.permission = $7)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $8::bigint and $9 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t0."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($10::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /laboratory/order-items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_order_items" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $1::bigint and p.permission = $2)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $3::bigint and $4 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($5::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idOrder" as "idOrder",
  t3."idTest" as "idTest",
  t3."idPanel" as "idPanel",
  t3."idLaboratory" as "idLaboratory",
  t3."idSample" as "idSample",
  t3."idCouponService" as "idCouponService",
  t3."idDevice" as "idDevice",
  t3."status" as "status",
  t3."cancelReason" as "cancelReason",
  t3."dueAt" as "dueAt",
  t3."doneAt" as "doneAt",
  t3."cost" as "cost",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "laboratory_order_items" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_order_items" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $6::bigint and p.permission = $7)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $8::bigint and $9 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($10::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /laboratory/samples?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_samples" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $1::bigint and p.permission = $2)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $3::bigint and $4 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($5::bigint, t2."id", 8) is null))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idOrder" as "idOrder",
  t3."barcode" as "barcode",
  t3."idLaboratory" as "idLaboratory",
  t3."biomaterial" as "biomaterial",
  t3."idContainer" as "idContainer",
  t3."tempMode" as "tempMode",
  t3."volume" as "volume",
  t3."status" as "status",
  t3."takenAt" as "takenAt",
  t3."idTakenBy" as "idTakenBy",
  t3."receivedAt" as "receivedAt",
  t3."expiresAt" as "expiresAt",
  t3."rejectReason" as "rejectReason",
  t3."rejectNote" as "rejectNote",
  t3."idFormer" as "idFormer",
  t3."idFirst" as "idFirst",
  t3."idShipment" as "idShipment",
  t3."rack" as "rack",
  t3."place" as "place",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "laboratory_samples" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_samples" t0 where not t0."deleted" and exists (select 1 from "laboratory_orders" t1 where t1."id" = t0."idOrder" and not t1."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $6::bigint and p.permission = $7)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $8::bigint and $9 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t1."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($10::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /laboratory/sample-steps?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "laboratory_sample_steps" t0 where exists (select 1 from "laboratory_samples" t1 where t1."id" = t0."idSample" and not t1."deleted" and exists (select 1 from "laboratory_orders" t2 where t2."id" = t1."idOrder" and not t2."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $1::bigint and p.permission = $2)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $3::bigint and $4 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t2."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($5::bigint, t3."id", 8) is null)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idSample" as "idSample",
  t4."status" as "status",
  t4."note" as "note",
  t4."idAuthor" as "idAuthor",
  t4."dateCreate" as "dateCreate",
  t4."_version" as "_version") x) as j
from page join "laboratory_sample_steps" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "laboratory_sample_steps" t0 where exists (select 1 from "laboratory_samples" t1 where t1."id" = t0."idSample" and not t1."deleted" and exists (select 1 from "laboratory_orders" t2 where t2."id" = t1."idOrder" and not t2."deleted" and (((exists (
select 1 from user_permissions p where p."idUser" = $6::bigint and p.permission = $7)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $8::bigint and $9 = any(r.permissions))) or exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
where i."idOrder" = t2."id" and not i."deleted" and b."kind" = 'partner'))) and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($10::bigint, t3."id", 8) is null)))) limit 10001) counted) as total;

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
