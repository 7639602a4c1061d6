-- GET /reports/mailings?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "reports_mailings" t0 where not t0."deleted" and ((t0."idAuthor" = $1::bigint or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))) or (exists (
select 1 from user_permissions p where p."idUser" = $6::bigint and p.permission = $7)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $8::bigint and $9 = any(r.permissions)))))) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."report" as "report",
  t1."period" as "period",
  t1."asked" as "asked",
  t1."what" as "what",
  t1."format" as "format",
  t1."rhythm" as "rhythm",
  t1."hour" as "hour",
  t1."recipients" as "recipients",
  t1."ifEmpty" as "ifEmpty",
  t1."active" as "active",
  t1."nextAt" as "nextAt",
  t1."missed" as "missed",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "reports_mailings" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "reports_mailings" t0 where not t0."deleted" and ((t0."idAuthor" = $10::bigint or (select (exists (
select 1 from user_permissions p where p."idUser" = $11::bigint and p.permission = $12)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $13::bigint and $14 = any(r.permissions))) or (exists (
select 1 from user_permissions p where p."idUser" = $15::bigint and p.permission = $16)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $17::bigint and $18 = any(r.permissions)))))) limit 10001) counted) as total;

-- GET /reports/sendings?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "reports_sendings" t0 where exists (select 1 from "reports_mailings" t1 where t1."id" = t0."idMailing" and not t1."deleted" and ((t1."idAuthor" = $1::bigint or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))) or (exists (
select 1 from user_permissions p where p."idUser" = $6::bigint and p.permission = $7)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $8::bigint and $9 = any(r.permissions))))))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idMailing" as "idMailing",
  t2."idUser" as "idUser",
  t2."from" as "from",
  t2."until" as "until",
  t2."state" as "state",
  t2."rows" as "rows",
  t2."message" as "message",
  t2."dateCreate" as "dateCreate",
  t2."dateEnd" as "dateEnd",
  t2."_version" as "_version") x) as j
from page join "reports_sendings" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "reports_sendings" t0 where exists (select 1 from "reports_mailings" t1 where t1."id" = t0."idMailing" and not t1."deleted" and ((t1."idAuthor" = $10::bigint or (select (exists (
select 1 from user_permissions p where p."idUser" = $11::bigint and p.permission = $12)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $13::bigint and $14 = any(r.permissions))) or (exists (
select 1 from user_permissions p where p."idUser" = $15::bigint and p.permission = $16)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $17::bigint and $18 = any(r.permissions))))))) limit 10001) counted) as total;

-- GET /reports/runs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "reports_runs" t0 where not t0."deleted" and (t0."idUser" = $1::bigint) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."report" as "report",
  t1."asked" as "asked",
  t1."what" as "what",
  t1."format" as "format",
  t1."state" as "state",
  t1."total" as "total",
  t1."done" as "done",
  t1."size" as "size",
  t1."message" as "message",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."dateEnd" as "dateEnd",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "reports_runs" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "reports_runs" t0 where not t0."deleted" and (t0."idUser" = $2::bigint) limit 10001) counted) as total;
