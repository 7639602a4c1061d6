-- GET /user-settings?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0",
  t0."id" as "k1" from "user_settings" t0 where not t0."deleted" and (t0."idUser" = $1::bigint)), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."value" as "value",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "user_settings" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;
