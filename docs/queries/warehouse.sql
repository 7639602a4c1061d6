-- GET /warehouse/documents?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_documents" t0 where not t0."deleted" and ((exists (select 1 from warehouses mine
where mine."id" = t0."idFrom" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers"))) or exists (select 1 from warehouses mine
where mine."id" = t0."idTo" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers")))
or (t0."idFrom" is null and t0."idTo" is null and t0."idAuthor" = $5::bigint))) order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."number" as "number",
  t1."kind" as "kind",
  t1."status" as "status",
  t1."localDate" as "localDate",
  t1."arrivalDate" as "arrivalDate",
  t1."idFrom" as "idFrom",
  t1."idTo" as "idTo",
  t1."idSupplier" as "idSupplier",
  t1."externalNumber" as "externalNumber",
  t1."externalDate" as "externalDate",
  t1."reason" as "reason",
  t1."comment" as "comment",
  t1."idGroup" as "idGroup",
  t1."blind" as "blind",
  t1."commission" as "commission",
  t1."dateSnapshot" as "dateSnapshot",
  t1."idAppointment" as "idAppointment",
  t1."idCopyOf" as "idCopyOf",
  t1."datePosted" as "datePosted",
  t1."idPoster" as "idPoster",
  t1."posting" as "posting",
  ((select count(*)::int from "warehouse_lines" t2 where t2."idDocument" = t1."id")) as "linesCount",
  (coalesce((select sum(l."sum") from warehouse_lines l where l."idDocument" = t1."id"),
0)) as "sum",
  (coalesce(
(select m."status" from mdlp_documents m where m."idStockDocument" = t1."id" and m."status" <> 'cancelled'
and m."schema" <> '250' order by m."id" desc limit 1),
(select 'none' from warehouse_lines l where l."idDocument" = t1."id" and cardinality(l."sgtins") > 0
and t1."status" in ('posted', 'inTransit') and t1."kind" = any ($6::text[]) limit 1))) as "mdlp",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "warehouse_documents" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_documents" t0 where not t0."deleted" and ((exists (select 1 from warehouses mine
where mine."id" = t0."idFrom" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $7::bigint or $8::bigint = any (mine."keepers"))) or exists (select 1 from warehouses mine
where mine."id" = t0."idTo" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $9::bigint or $10::bigint = any (mine."keepers")))
or (t0."idFrom" is null and t0."idTo" is null and t0."idAuthor" = $11::bigint))) limit 10001) counted) as total;

-- GET /warehouse/lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_lines" t0 where exists (select 1 from "warehouse_documents" t1 where t1."id" = t0."idDocument" and not t1."deleted" and ((exists (select 1 from warehouses mine
where mine."id" = t1."idFrom" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers"))) or exists (select 1 from warehouses mine
where mine."id" = t1."idTo" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers")))
or (t1."idFrom" is null and t1."idTo" is null and t1."idAuthor" = $5::bigint)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDocument" as "idDocument",
  t2."idProduct" as "idProduct",
  t2."idBatch" as "idBatch",
  t2."side" as "side",
  t2."qty" as "qty",
  t2."price" as "price",
  t2."sum" as "sum",
  t2."vatCode" as "vatCode",
  t2."series" as "series",
  t2."expiry" as "expiry",
  t2."gtin" as "gtin",
  t2."norm" as "norm",
  t2."book" as "book",
  t2."fact" as "fact",
  t2."sourceName" as "sourceName",
  t2."sourceQty" as "sourceQty",
  t2."sourceUnit" as "sourceUnit",
  t2."sourceArticle" as "sourceArticle",
  t2."sgtins" as "sgtins",
  t2."idCouponService" as "idCouponService",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "warehouse_lines" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_lines" t0 where exists (select 1 from "warehouse_documents" t1 where t1."id" = t0."idDocument" and not t1."deleted" and ((exists (select 1 from warehouses mine
where mine."id" = t1."idFrom" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $6::bigint or $7::bigint = any (mine."keepers"))) or exists (select 1 from warehouses mine
where mine."id" = t1."idTo" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $8::bigint or $9::bigint = any (mine."keepers")))
or (t1."idFrom" is null and t1."idTo" is null and t1."idAuthor" = $10::bigint)))) limit 10001) counted) as total;

-- GET /warehouse/batches?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_batches" t0 where not t0."deleted" and (exists (select 1 from warehouse_stock s where s."idBatch" = t0."id"
and exists (select 1 from warehouses mine
where mine."id" = s."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers"))))) order by t0."expiry", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idProduct" as "idProduct",
  t1."series" as "series",
  t1."expiry" as "expiry",
  t1."cost" as "cost",
  t1."idSupplier" as "idSupplier",
  t1."idDocument" as "idDocument",
  t1."country" as "country",
  t1."gtd" as "gtd",
  t1."state" as "state",
  t1."stateReason" as "stateReason",
  ((select coalesce(sum(s."qty"), 0) from warehouse_stock s where s."idBatch" = t1."id")) as "onHand",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "warehouse_batches" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_batches" t0 where not t0."deleted" and (exists (select 1 from warehouse_stock s where s."idBatch" = t0."id"
and exists (select 1 from warehouses mine
where mine."id" = s."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers"))))) limit 10001) counted) as total;

-- GET /warehouse/stock?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_stock" t0 where not t0."deleted" and (exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers")))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idWarehouse" as "idWarehouse",
  t1."idProduct" as "idProduct",
  t1."idBatch" as "idBatch",
  t1."qty" as "qty",
  t1."reserved" as "reserved",
  t1."cost" as "cost",
  (t1."qty" - t1."reserved") as "free",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "warehouse_stock" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_stock" t0 where not t0."deleted" and (exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers")))) limit 10001) counted) as total;

-- GET /warehouse/moves?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_moves" t0 where not t0."deleted" and (exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers")))) order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."localDate" as "localDate",
  t1."kind" as "kind",
  t1."idWarehouse" as "idWarehouse",
  t1."idProduct" as "idProduct",
  t1."idBatch" as "idBatch",
  t1."qty" as "qty",
  t1."cost" as "cost",
  t1."idDocument" as "idDocument",
  t1."idLine" as "idLine",
  t1."byBatch" as "byBatch",
  t1."idCorrects" as "idCorrects",
  t1."idReverses" as "idReverses",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "warehouse_moves" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_moves" t0 where not t0."deleted" and (exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers")))) limit 10001) counted) as total;

-- GET /warehouse/counts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_counts" t0 where exists (select 1 from "warehouse_documents" t1 where t1."id" = t0."idDocument" and not t1."deleted" and ((exists (select 1 from warehouses mine
where mine."id" = t1."idFrom" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers"))) or exists (select 1 from warehouses mine
where mine."id" = t1."idTo" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers")))
or (t1."idFrom" is null and t1."idTo" is null and t1."idAuthor" = $5::bigint)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDocument" as "idDocument",
  t2."idProduct" as "idProduct",
  t2."idBatch" as "idBatch",
  t2."qty" as "qty",
  t2."round" as "round",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."_version" as "_version") x) as j
from page join "warehouse_counts" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_counts" t0 where exists (select 1 from "warehouse_documents" t1 where t1."id" = t0."idDocument" and not t1."deleted" and ((exists (select 1 from warehouses mine
where mine."id" = t1."idFrom" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $6::bigint or $7::bigint = any (mine."keepers"))) or exists (select 1 from warehouses mine
where mine."id" = t1."idTo" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $8::bigint or $9::bigint = any (mine."keepers")))
or (t1."idFrom" is null and t1."idTo" is null and t1."idAuthor" = $10::bigint)))) limit 10001) counted) as total;

-- GET /warehouse/climate?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "warehouse_climate" t0 where not t0."deleted" and (exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers")))) order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idWarehouse" as "idWarehouse",
  t1."place" as "place",
  t1."localDate" as "localDate",
  t1."part" as "part",
  t1."temperature" as "temperature",
  t1."humidity" as "humidity",
  t1."note" as "note",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "warehouse_climate" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "warehouse_climate" t0 where not t0."deleted" and (exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers")))) limit 10001) counted) as total;

-- GET /mdlp/documents?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "mdlp_documents" t0  order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."schema" as "schema",
  t1."direction" as "direction",
  t1."status" as "status",
  t1."documentId" as "documentId",
  t1."requestId" as "requestId",
  t1."partner" as "partner",
  t1."number" as "number",
  t1."docDate" as "docDate",
  ((select count(*)::int from mdlp_document_codes c where c."idDocument" = t1."id")) as "codesCount",
  t1."errors" as "errors",
  t1."idStockDocument" as "idStockDocument",
  t1."idAnswerTo" as "idAnswerTo",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."_version" as "_version") x) as j
from page join "mdlp_documents" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "mdlp_documents" t0  limit 10001) counted) as total;

-- GET /mdlp/codes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "mdlp_codes" t0 where not t0."deleted" and ((t0."idWarehouse" is null or exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $1::bigint or $2::bigint = any (mine."keepers"))))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."sgtin" as "sgtin",
  t1."sscc" as "sscc",
  t1."gtin" as "gtin",
  t1."idProduct" as "idProduct",
  t1."series" as "series",
  t1."expiry" as "expiry",
  t1."status" as "status",
  t1."theirStatus" as "theirStatus",
  t1."idWarehouse" as "idWarehouse",
  t1."idLine" as "idLine",
  t1."idDocument" as "idDocument",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "mdlp_codes" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "mdlp_codes" t0 where not t0."deleted" and ((t0."idWarehouse" is null or exists (select 1 from warehouses mine
where mine."id" = t0."idWarehouse" and ((mine."idUser" is null and mine."keepers" = '{}')
or mine."idUser" = $3::bigint or $4::bigint = any (mine."keepers"))))) limit 10001) counted) as total;
