-- GET /services?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "services" t0 where not t0."deleted" order by t0."nameService", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."nameService" as "nameService",
  t1."shortNameService" as "shortNameService",
  t1."publicName" as "publicName",
  t1."priceService" as "priceService",
  t1."deposit" as "deposit",
  t1."description" as "description",
  t1."preparation" as "preparation",
  t1."code" as "code",
  t1."medicalCode" as "medicalCode",
  t1."labCode" as "labCode",
  t1."article" as "article",
  t1."barcode" as "barcode",
  t1."gtin" as "gtin",
  t1."active" as "active",
  t1."activeShop" as "activeShop",
  t1."friendlyUrl" as "friendlyUrl",
  t1."approximately" as "approximately",
  t1."hidePrice" as "hidePrice",
  t1."serviceCategory" as "serviceCategory",
  t1."unit" as "unit",
  t1."vatCode" as "vatCode",
  t1."paymentSubject" as "paymentSubject",
  t1."taxExpensive" as "taxExpensive",
  t1."ageFrom" as "ageFrom",
  t1."ageTo" as "ageTo",
  t1."sex" as "sex",
  t1."groupSize" as "groupSize",
  t1."contractRequired" as "contractRequired",
  t1."anyPerformer" as "anyPerformer",
  t1."idGroup" as "idGroup",
  t1."idType" as "idType",
  t1."inn" as "inn",
  t1."dosageForm" as "dosageForm",
  t1."dosage" as "dosage",
  t1."manufacturer" as "manufacturer",
  t1."regNumber" as "regNumber",
  t1."packUnit" as "packUnit",
  t1."packRatio" as "packRatio",
  t1."minStock" as "minStock",
  t1."maxStock" as "maxStock",
  t1."storage" as "storage",
  t1."isDrug" as "isDrug",
  t1."isMarked" as "isMarked",
  t1."isPku" as "isPku",
  (case when t1."serviceCategory" = $1 then
(select coalesce(sum(t."qty" - t."reserved"), 0) from warehouse_stock t
join warehouse_batches b on b."id" = t."idBatch" and b."state" = 'free'
and (b."expiry" is null or b."expiry" >= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date)
join warehouses w on w."id" = t."idWarehouse" and w."kind" <> 'quarantine' and not w."deleted"
where t."idProduct" = t1."id" and t."qty" > 0 and t."qty" > t."reserved") end) as "remains",
  (case when t1."serviceCategory" = $3 then
(select coalesce(sum(t."qty" - t."reserved"), 0) from warehouse_stock t
join warehouse_batches b on b."id" = t."idBatch" and b."state" = 'free'
and (b."expiry" is null or b."expiry" >= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$4::text))::date)
join warehouses w on w."id" = t."idWarehouse" and w."kind" <> 'quarantine' and not w."deleted"
where t."idProduct" = t1."id" and t."qty" > 0 and t."qty" > t."reserved") end > 0) as "stock",
  t1."userCreate" as "userCreate",
  t1."userChange" as "userChange",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "services" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "services" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /service-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."extension" as "extension",
  t1."size" as "size",
  t1."meta" as "meta",
  t1."key" as "key",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  ('/files/' || t1."id") as "url",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "service_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /service-images?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_images" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idService" as "idService",
  t2."idFile" as "idFile",
  t2."order" as "order",
  ('/files/' || t2."idFile") as "image",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_images" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_images" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") limit 10001) counted) as total;

-- GET /price-lists?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "price_lists" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."kind" as "kind",
  t1."idFilial" as "idFilial",
  t1."idOrganization" as "idOrganization",
  t1."idProgramme" as "idProgramme",
  t1."active" as "active",
  t1."note" as "note",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "price_lists" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "price_lists" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /service-prices?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_prices" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") order by t0."dateFrom" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idService" as "idService",
  t2."idPriceList" as "idPriceList",
  t2."price" as "price",
  t2."cost" as "cost",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."idUser" as "idUser",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_prices" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_prices" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") limit 10001) counted) as total;

-- GET /service-performers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_performers" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idService" as "idService",
  t2."idUser" as "idUser",
  t2."idFilial" as "idFilial",
  t2."allowed" as "allowed",
  t2."level" as "level",
  t2."commission" as "commission",
  t2."note" as "note",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_performers" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_performers" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") limit 10001) counted) as total;

-- GET /service-durations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_durations" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idService" as "idService",
  t2."idUser" as "idUser",
  t2."idFilial" as "idFilial",
  t2."visit" as "visit",
  t2."minutes" as "minutes",
  t2."breakAfter" as "breakAfter",
  t2."online" as "online",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_durations" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_durations" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") limit 10001) counted) as total;

-- GET /service-consumables?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_consumables" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idService" as "idService",
  t2."idProduct" as "idProduct",
  t2."qty" as "qty",
  t2."unit" as "unit",
  t2."optional" as "optional",
  t2."replacement" as "replacement",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_consumables" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_consumables" t0 where not t0."deleted" and exists (select 1 from "services" t1 where t1."id" = t0."idService" and not t1."deleted") limit 10001) counted) as total;
