-- GET /appeal-links?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appeal_links" t0 where not t0."deleted" and exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idAppeal" as "idAppeal",
  t2."entityType" as "entityType",
  t2."idEntity" as "idEntity",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "appeal_links" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appeal_links" t0 where not t0."deleted" and exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted") limit 10001) counted) as total;

-- GET /appeals/tags?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appeals_tags" t0 where exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."color" as "color",
  t2."icon" as "icon",
  t2."idAppeal" as "idAppeal",
  t2."_version" as "_version") x) as j
from page join "appeals_tags" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appeals_tags" t0 where exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted") limit 10001) counted) as total;
