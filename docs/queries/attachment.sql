-- GET /attachment/streets?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_streets" t0 where not t0."deleted" and exists (select 1 from "attachment_areas" t1 where t1."id" = t0."idArea" and not t1."deleted") order by t0."street", t0."houseFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idArea" as "idArea",
  t2."street" as "street",
  t2."houseFrom" as "houseFrom",
  t2."houseTo" as "houseTo",
  t2."side" as "side",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "attachment_streets" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_streets" t0 where not t0."deleted" and exists (select 1 from "attachment_areas" t1 where t1."id" = t0."idArea" and not t1."deleted") limit 10001) counted) as total;

-- GET /attachment/applications?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_applications" t0 where not t0."deleted" order by t0."submittedAt" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."number" as "number",
  t1."source" as "source",
  t1."submittedAt" as "submittedAt",
  t1."dueAt" as "dueAt",
  t1."redAt" as "redAt",
  t1."surname" as "surname",
  t1."name" as "name",
  t1."middleName" as "middleName",
  (concat_ws(' ', t1."surname", t1."name", t1."middleName")) as "fio",
  to_char(t1."birthday", 'DD.MM.YYYY') as "birthday",
  t1."gender" as "gender",
  t1."citizenship" as "citizenship",
  t1."snils" as "snils",
  t1."enp" as "enp",
  t1."documentType" as "documentType",
  t1."documentNumber" as "documentNumber",
  t1."documentIssued" as "documentIssued",
  t1."phone" as "phone",
  t1."email" as "email",
  t1."registration" as "registration",
  t1."city" as "city",
  t1."street" as "street",
  t1."house" as "house",
  t1."flat" as "flat",
  t1."representative" as "representative",
  t1."representativeDocument" as "representativeDocument",
  t1."basis" as "basis",
  t1."isMoved" as "isMoved",
  t1."careType" as "careType",
  t1."currentMo" as "currentMo",
  t1."idFilial" as "idFilial",
  t1."idArea" as "idArea",
  t1."idDoctor" as "idDoctor",
  t1."idResponsible" as "idResponsible",
  t1."idCustomer" as "idCustomer",
  t1."status" as "status",
  t1."question" as "question",
  t1."answer" as "answer",
  t1."decisionReason" as "decisionReason",
  t1."idDecidedBy" as "idDecidedBy",
  t1."dateDecided" as "dateDecided",
  t1."attachedFrom" as "attachedFrom",
  t1."externalId" as "externalId",
  t1."protocol" as "protocol",
  (case when t1."status" in ('new', 'check', 'needInfo') and t1."dueAt" < now() then 'yes' else 'no' end) as "isLate",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "attachment_applications" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_applications" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /attachment/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "attachment_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /attachment/application-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_application_files" t0 where not t0."deleted" and exists (select 1 from "attachment_applications" t1 where t1."id" = t0."idApplication" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idApplication" as "idApplication",
  t2."kind" as "kind",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "attachment_application_files" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_application_files" t0 where not t0."deleted" and exists (select 1 from "attachment_applications" t1 where t1."id" = t0."idApplication" and not t1."deleted") limit 10001) counted) as total;

-- GET /attachment/attachments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) order by t0."dateFrom" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idArea" as "idArea",
  t2."idDoctor" as "idDoctor",
  t2."careType" as "careType",
  t2."basis" as "basis",
  t2."idApplication" as "idApplication",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."endReason" as "endReason",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "attachment_attachments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($2::bigint, t1."id", 8) is not null)) limit 10001) counted) as total;
