-- GET /client/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "client_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "client_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "client_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /client/versions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "client_versions" t0 where exists (select 1 from "client_pages" t1 where t1."id" = t0."idPage" and not t1."deleted") order by t0."number" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idPage" as "idPage",
  t2."number" as "number",
  t2."title" as "title",
  t2."slug" as "slug",
  t2."blocks" as "blocks",
  t2."seoTitle" as "seoTitle",
  t2."seoDescription" as "seoDescription",
  t2."noIndex" as "noIndex",
  t2."place" as "place",
  t2."isCurrent" as "isCurrent",
  t2."files" as "files",
  t2."dateCreate" as "dateCreate",
  t2."idUser" as "idUser",
  t2."_version" as "_version") x) as j
from page join "client_versions" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "client_versions" t0 where exists (select 1 from "client_pages" t1 where t1."id" = t0."idPage" and not t1."deleted") limit 10001) counted) as total;

-- GET /client/page-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "client_page_files" t0 where not t0."deleted" and exists (select 1 from "client_pages" t1 where t1."id" = t0."idPage" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idPage" as "idPage",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "client_page_files" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "client_page_files" t0 where not t0."deleted" and exists (select 1 from "client_pages" t1 where t1."id" = t0."idPage" and not t1."deleted") limit 10001) counted) as total;

-- GET /client/policies?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "client_policies" t0 where not t0."deleted" order by t0."kind", t0."number" desc nulls last, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."kind" as "kind",
  t1."number" as "number",
  t1."dateFrom" as "dateFrom",
  t1."isPublished" as "isPublished",
  t1."text" as "text",
  (t1."isPublished" and not t1."deleted" and t1."dateFrom" <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$1::text))::date
and not exists (select 1 from client_policies later where later."kind" = t1."kind" and later."isPublished"
and not later."deleted" and later."dateFrom" <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date
and (later."dateFrom", later."number") > (t1."dateFrom", t1."number"))) as "isInForce",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "client_policies" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "client_policies" t0 where not t0."deleted" limit 10001) counted) as total;
