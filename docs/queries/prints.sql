-- GET /print-templates/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "print_templates_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "print_templates_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "print_templates_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /print-templates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "print_templates" t0 where not t0."deleted" and ((t0."filials" = '{}' or exists (select 1 from users w where w."id" = $1::bigint
and (w."filials" = '{}' or w."filials" && t0."filials")))) order by t0."entity", t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."entity" as "entity",
  t1."kind" as "kind",
  t1."isActive" as "isActive",
  t1."validFrom" as "validFrom",
  t1."validTo" as "validTo",
  t1."filials" as "filials",
  t1."idSequence" as "idSequence",
  t1."copies" as "copies",
  t1."askSign" as "askSign",
  t1."paper" as "paper",
  t1."orientation" as "orientation",
  t1."marginTop" as "marginTop",
  t1."marginRight" as "marginRight",
  t1."marginBottom" as "marginBottom",
  t1."marginLeft" as "marginLeft",
  t1."fontSize" as "fontSize",
  t1."hasPageNumbers" as "hasPageNumbers",
  t1."header" as "header",
  t1."body" as "body",
  t1."footer" as "footer",
  ((t1."isActive" and coalesce(t1."validFrom" <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date, true)
and coalesce(t1."validTo" >= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$3::text))::date, true))) as "isInForce",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idEditor" as "idEditor",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "print_templates" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "print_templates" t0 where not t0."deleted" and ((t0."filials" = '{}' or exists (select 1 from users w where w."id" = $4::bigint
and (w."filials" = '{}' or w."filials" && t0."filials")))) limit 10001) counted) as total;

-- GET /print-templates/pictures?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "print_templates_pictures" t0 where not t0."deleted" and exists (select 1 from "print_templates" t1 where t1."id" = t0."idTemplate" and not t1."deleted" and ((t1."filials" = '{}' or exists (select 1 from users w where w."id" = $1::bigint
and (w."filials" = '{}' or w."filials" && t1."filials"))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idTemplate" as "idTemplate",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "print_templates_pictures" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "print_templates_pictures" t0 where not t0."deleted" and exists (select 1 from "print_templates" t1 where t1."id" = t0."idTemplate" and not t1."deleted" and ((t1."filials" = '{}' or exists (select 1 from users w where w."id" = $2::bigint
and (w."filials" = '{}' or w."filials" && t1."filials"))))) limit 10001) counted) as total;
