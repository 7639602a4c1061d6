-- GET /egisz/semds?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "egisz_semds" t0 where not t0."deleted" order by t0."dateDocument" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."title" as "title",
  t1."idKind" as "idKind",
  t1."source" as "source",
  t1."idSource" as "idSource",
  t1."idExamination" as "idExamination",
  t1."idCustomer" as "idCustomer",
  t1."idUser" as "idUser",
  t1."idFilial" as "idFilial",
  t1."localUid" as "localUid",
  t1."setUid" as "setUid",
  t1."version" as "version",
  t1."idPrevious" as "idPrevious",
  t1."status" as "status",
  t1."findings" as "findings",
  t1."errorCount" as "errorCount",
  t1."error" as "error",
  t1."emdrId" as "emdrId",
  t1."dateDocument" as "dateDocument",
  t1."dateSignedDoctor" as "dateSignedDoctor",
  t1."dateSignedOrg" as "dateSignedOrg",
  t1."dateSent" as "dateSent",
  t1."dateAnswered" as "dateAnswered",
  t1."dateRegistered" as "dateRegistered",
  t1."dueRole" as "dueRole",
  t1."cancelReason" as "cancelReason",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "egisz_semds" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "egisz_semds" t0 where not t0."deleted" limit 10001) counted) as total;

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
