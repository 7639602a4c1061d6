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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_applications" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."submittedAt" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."number" as "number",
  t2."source" as "source",
  t2."submittedAt" as "submittedAt",
  t2."dueAt" as "dueAt",
  t2."redAt" as "redAt",
  t2."surname" as "surname",
  t2."name" as "name",
  t2."middleName" as "middleName",
  (concat_ws(' ', t2."surname", t2."name", t2."middleName")) as "fio",
  to_char(t2."birthday", 'DD.MM.YYYY') as "birthday",
  t2."gender" as "gender",
  t2."citizenship" as "citizenship",
  t2."snils" as "snils",
  t2."enp" as "enp",
  t2."documentType" as "documentType",
  t2."documentNumber" as "documentNumber",
  t2."documentIssued" as "documentIssued",
  t2."phone" as "phone",
  t2."email" as "email",
  t2."registration" as "registration",
  t2."city" as "city",
  t2."street" as "street",
  t2."house" as "house",
  t2."flat" as "flat",
  t2."representative" as "representative",
  t2."representativeDocument" as "representativeDocument",
  t2."basis" as "basis",
  t2."isMoved" as "isMoved",
  t2."careType" as "careType",
  t2."currentMo" as "currentMo",
  t2."idFilial" as "idFilial",
  t2."idArea" as "idArea",
  t2."idDoctor" as "idDoctor",
  t2."idResponsible" as "idResponsible",
  t2."idCustomer" as "idCustomer",
  t2."status" as "status",
  t2."question" as "question",
  t2."answer" as "answer",
  t2."decisionReason" as "decisionReason",
  t2."idDecidedBy" as "idDecidedBy",
  t2."dateDecided" as "dateDecided",
  t2."attachedFrom" as "attachedFrom",
  t2."externalId" as "externalId",
  t2."protocol" as "protocol",
  (case when t2."status" in ('new', 'check', 'needInfo') and t2."dueAt" < now() then 'yes' else 'no' end) as "isLate",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "attachment_applications" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_applications" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_application_files" t0 where not t0."deleted" and exists (select 1 from "attachment_applications" t1 where t1."id" = t0."idApplication" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idApplication" as "idApplication",
  t3."kind" as "kind",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "attachment_application_files" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_application_files" t0 where not t0."deleted" and exists (select 1 from "attachment_applications" t1 where t1."id" = t0."idApplication" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /attachment/attachments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "attachment_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."dateFrom" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."idArea" as "idArea",
  t3."idDoctor" as "idDoctor",
  t3."careType" as "careType",
  t3."basis" as "basis",
  t3."idApplication" as "idApplication",
  t3."dateFrom" as "dateFrom",
  t3."dateTo" as "dateTo",
  t3."endReason" as "endReason",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "attachment_attachments" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "attachment_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;
