-- GET /egisz/semds?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "egisz_semds" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."dateDocument" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."title" as "title",
  t2."idKind" as "idKind",
  t2."source" as "source",
  t2."idSource" as "idSource",
  t2."idExamination" as "idExamination",
  t2."idCustomer" as "idCustomer",
  t2."idUser" as "idUser",
  t2."idFilial" as "idFilial",
  t2."localUid" as "localUid",
  t2."setUid" as "setUid",
  t2."version" as "version",
  t2."idPrevious" as "idPrevious",
  t2."status" as "status",
  t2."findings" as "findings",
  t2."errorCount" as "errorCount",
  t2."error" as "error",
  t2."emdrId" as "emdrId",
  t2."dateDocument" as "dateDocument",
  t2."dateSignedDoctor" as "dateSignedDoctor",
  t2."dateSignedOrg" as "dateSignedOrg",
  t2."dateSent" as "dateSent",
  t2."dateAnswered" as "dateAnswered",
  t2."dateRegistered" as "dateRegistered",
  t2."dueRole" as "dueRole",
  t2."cancelReason" as "cancelReason",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "egisz_semds" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "egisz_semds" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /egisz/editions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "egisz_editions" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."code" as "code",
  t1."name" as "name",
  t1."typeCode" as "typeCode",
  t1."typeName" as "typeName",
  t1."templateId" as "templateId",
  t1."ready" as "ready",
  ((select count(*)::int from egisz_edition_files f where f."idEdition" = t1."id" and f."kind" = $1) > 0) as "hasTemplate",
  ((select count(*)::int from egisz_edition_files f where f."idEdition" = t1."id" and f."kind" = $2)) as "schemaFiles",
  ((select f."rules" from egisz_edition_files f where f."idEdition" = t1."id" and f."kind" = 'schematron' limit 1)) as "schematronRules",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "egisz_editions" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "egisz_editions" t0 where not t0."deleted" limit 10001) counted) as total;
