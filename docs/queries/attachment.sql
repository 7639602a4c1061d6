-- GET /attachment/streets?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_streets" t0 where not t0."deleted" and exists (select 1 from "attachment_areas" t1 where t1."id" = t0."idArea" and not t1."deleted") order by t0."street", t0."houseFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idArea" as "idArea",
  t2."street" as "street",
  t2."houseFrom" as "houseFrom",
  t2."houseTo" as "houseTo",
  t2."side" as "side",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "attachment_streets" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_streets" t0 where not t0."deleted" and exists (select 1 from "attachment_areas" t1 where t1."id" = t0."idArea" and not t1."deleted") limit 10001) counted) as total;
