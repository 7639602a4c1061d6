-- GET /user-settings?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "user_settings" t0 where not t0."deleted" and (t0."idUser" = $1::bigint) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."value" as "value",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "user_settings" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "user_settings" t0 where not t0."deleted" and (t0."idUser" = $2::bigint) limit 10001) counted) as total;

-- GET /shared-views?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "shared_views" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or t0."idRole" in (select "idRole" from user_roles where "idUser" = $2::bigint))) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."screen" as "screen",
  t1."name" as "name",
  t1."value" as "value",
  t1."idRole" as "idRole",
  ((select "name" from roles where "id" = t1."idRole")) as "roleName",
  t1."idUser" as "idUser",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "shared_views" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "shared_views" t0 where not t0."deleted" and ((t0."idUser" = $3::bigint or t0."idRole" in (select "idRole" from user_roles where "idUser" = $4::bigint))) limit 10001) counted) as total;
