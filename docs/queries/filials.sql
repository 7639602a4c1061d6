-- GET /filials/holidays?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "filials_holidays" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") order by t0."day", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idFilial" as "idFilial",
  t2."day" as "day",
  t2."reason" as "reason",
  t2."start" as "start",
  t2."end" as "end",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "filials_holidays" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "filials_holidays" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") limit 10001) counted) as total;

-- GET /filials/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "filials_files" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint
or exists (select 1 from filials_gallery g where g."idFileRegister" = t0."id" and not g."deleted")
or exists (select 1 from filials f
where (f."cardImage" = t0."id" or f."backgroundImage" = t0."id") and not f."deleted"))) order by t0."id" desc limit 51) picked)
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
from page join "filials_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "filials_files" t0 where not t0."deleted" and ((t0."idUser" = $2::bigint
or exists (select 1 from filials_gallery g where g."idFileRegister" = t0."id" and not g."deleted")
or exists (select 1 from filials f
where (f."cardImage" = t0."id" or f."backgroundImage" = t0."id") and not f."deleted"))) limit 10001) counted) as total;

-- GET /filials/gallery?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "filials_gallery" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idFilial" as "idFilial",
  t2."idFileRegister" as "idFileRegister",
  t2."order" as "order",
  ('/files/' || t2."idFileRegister") as "url",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "filials_gallery" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "filials_gallery" t0 where not t0."deleted" and exists (select 1 from "filials" t1 where t1."id" = t0."idFilial" and not t1."deleted") limit 10001) counted) as total;

-- GET /organizations/accounts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "organizations_accounts" t0 where not t0."deleted" and exists (select 1 from "organizations" t1 where t1."id" = t0."idOrganization" and not t1."deleted") order by t0."isMain" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idOrganization" as "idOrganization",
  t2."bik" as "bik",
  t2."account" as "account",
  t2."corrAccount" as "corrAccount",
  t2."bankName" as "bankName",
  t2."isMain" as "isMain",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "organizations_accounts" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "organizations_accounts" t0 where not t0."deleted" and exists (select 1 from "organizations" t1 where t1."id" = t0."idOrganization" and not t1."deleted") limit 10001) counted) as total;

-- GET /organizations/signatories?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "organizations_signatories" t0 where not t0."deleted" and exists (select 1 from "organizations" t1 where t1."id" = t0."idOrganization" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idOrganization" as "idOrganization",
  t2."fio" as "fio",
  t2."post" as "post",
  t2."basis" as "basis",
  t2."order" as "order",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "organizations_signatories" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "organizations_signatories" t0 where not t0."deleted" and exists (select 1 from "organizations" t1 where t1."id" = t0."idOrganization" and not t1."deleted") limit 10001) counted) as total;

-- GET /organizations/programmes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "organizations_programmes" t0 where not t0."deleted" and exists (select 1 from "organizations" t1 where t1."id" = t0."idOrganization" and not t1."deleted") order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idOrganization" as "idOrganization",
  t2."name" as "name",
  t2."code" as "code",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."active" as "active",
  t2."description" as "description",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "organizations_programmes" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "organizations_programmes" t0 where not t0."deleted" and exists (select 1 from "organizations" t1 where t1."id" = t0."idOrganization" and not t1."deleted") limit 10001) counted) as total;

-- GET /sequences?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sequences" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."code" as "code",
  t1."mask" as "mask",
  t1."reset" as "reset",
  t1."perFilial" as "perFilial",
  ((select coalesce(jsonb_agg(c order by c."idFilial"), '[]') from (
select distinct on ("idFilial") "idFilial", "period", "next" from sequence_counters
where "idSequence" = t1."id" order by "idFilial", "period" desc) c)) as "counters",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "sequences" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sequences" t0 where not t0."deleted" limit 10001) counted) as total;
