-- GET /imports?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "imports" t0 where not t0."deleted" and (t0."idUser" = $1::bigint) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."kind" as "kind",
  t1."fileName" as "fileName",
  t1."params" as "params",
  t1."state" as "state",
  t1."total" as "total",
  t1."done" as "done",
  t1."created" as "created",
  t1."failed" as "failed",
  t1."message" as "message",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."dateEnd" as "dateEnd",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "imports" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "imports" t0 where not t0."deleted" and (t0."idUser" = $2::bigint) limit 10001) counted) as total;
