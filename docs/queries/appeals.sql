-- GET /appeal-links?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appeal_links" t0 where not t0."deleted" and exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idAppeal" as "idAppeal",
  t3."entityType" as "entityType",
  t3."idEntity" as "idEntity",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "appeal_links" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appeal_links" t0 where not t0."deleted" and exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /appeals/tags?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "appeals_tags" t0 where exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."icon" as "icon",
  t3."idAppeal" as "idAppeal",
  t3."_version" as "_version") x) as j
from page join "appeals_tags" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "appeals_tags" t0 where exists (select 1 from "appeals" t1 where t1."id" = t0."idAppeal" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;
