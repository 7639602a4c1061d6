-- GET /metrika/counters?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "metrika_counters" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."number" as "number",
  (exists (select from metrika_tokens k where k."idCounter" = t1."id")) as "hasToken",
  t1."idFilial" as "idFilial",
  t1."active" as "active",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "metrika_counters" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "metrika_counters" t0 where not t0."deleted" limit 10001) counted) as total;
