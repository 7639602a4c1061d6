-- GET /notifications?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "notifications" t0 where not t0."deleted" and (t0."idUser" = $1::bigint) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idUser" as "idUser",
  t1."kind" as "kind",
  t1."title" as "title",
  t1."text" as "text",
  t1."path" as "path",
  t1."idEntity" as "idEntity",
  t1."link" as "link",
  t1."idActor" as "idActor",
  t1."dateCreate" as "dateCreate",
  t1."dateRead" as "dateRead",
  t1."dateMailed" as "dateMailed",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "notifications" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "notifications" t0 where not t0."deleted" and (t0."idUser" = $2::bigint) limit 10001) counted) as total;
