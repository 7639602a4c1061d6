-- GET /dictionaries?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "dictionaries" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."code" as "code",
  t1."oid" as "oid",
  t1."edition" as "edition",
  t1."checkDays" as "checkDays",
  t1."source" as "source",
  (case when t1."oid" is null then 'own'
when not exists (select 1 from dictionaries_terms t
where t."idDictionary" = t1."id" and not t."deleted" and t."dateFrom" <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$1::text))::date and (t."dateTo" is null or t."dateTo" >= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date)) then 'empty'
when (select max(i."dateEnd") from imports i
where i."kind" = 'terms' and i."state" = 'done' and (i."params" ->> 'idDictionary')::bigint = t1."id") > now() - make_interval(days => t1."checkDays") then 'fresh'
else 'due' end) as "state",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "dictionaries" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "dictionaries" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /dictionaries/terms?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "dictionaries_terms" t0 where not t0."deleted" and exists (select 1 from "dictionaries" t1 where t1."id" = t0."idDictionary" and not t1."deleted") order by t0."code", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDictionary" as "idDictionary",
  t2."code" as "code",
  t2."name" as "name",
  t2."group" as "group",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "dictionaries_terms" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "dictionaries_terms" t0 where not t0."deleted" and exists (select 1 from "dictionaries" t1 where t1."id" = t0."idDictionary" and not t1."deleted") limit 10001) counted) as total;

-- GET /dictionaries/synonyms?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "dictionaries_synonyms" t0 where not t0."deleted" and exists (select 1 from "dictionaries" t1 where t1."id" = t0."idDictionary" and not t1."deleted") order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDictionary" as "idDictionary",
  t2."name" as "name",
  t2."codes" as "codes",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "dictionaries_synonyms" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "dictionaries_synonyms" t0 where not t0."deleted" and exists (select 1 from "dictionaries" t1 where t1."id" = t0."idDictionary" and not t1."deleted") limit 10001) counted) as total;

-- GET /examination-templates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "examination_templates" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idSpeciality" as "idSpeciality",
  t1."semdKind" as "semdKind",
  t1."isShared" as "isShared",
  t1."forPatient" as "forPatient",
  t1."active" as "active",
  t1."form" as "form",
  t1."version" as "version",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "examination_templates" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "examination_templates" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /examination-templates/versions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "examination_templates_versions" t0 where exists (select 1 from "examination_templates" t1 where t1."id" = t0."idTemplate" and not t1."deleted") order by t0."number" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idTemplate" as "idTemplate",
  t2."number" as "number",
  t2."form" as "form",
  t2."dateCreate" as "dateCreate",
  t2."idUser" as "idUser",
  t2."_version" as "_version") x) as j
from page join "examination_templates_versions" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "examination_templates_versions" t0 where exists (select 1 from "examination_templates" t1 where t1."id" = t0."idTemplate" and not t1."deleted") limit 10001) counted) as total;

-- GET /examinations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "examinations" t0 where not t0."deleted" and (((t0."status" <> 'draft' or t0."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($7::bigint, t1."id", 8) is null)) order by t0."date" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idTemplate" as "idTemplate",
  t2."idAppointment" as "idAppointment",
  t2."idVersion" as "idVersion",
  t2."name" as "name",
  t2."idUser" as "idUser",
  t2."date" as "date",
  t2."status" as "status",
  t2."values" as "values",
  t2."diagnoses" as "diagnoses",
  t2."prescriptions" as "prescriptions",
  t2."recommendations" as "recommendations",
  t2."assisted" as "assisted",
  t2."code" as "code",
  t2."diagnosis" as "diagnosis",
  t2."filled" as "filled",
  t2."idCorrected" as "idCorrected",
  t2."correction" as "correction",
  t2."number" as "number",
  t2."dateDone" as "dateDone",
  t2."dateSigned" as "dateSigned",
  t2."idSigner" as "idSigner",
  t2."digest" as "digest",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."idEditor" as "idEditor",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "examinations" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "examinations" t0 where not t0."deleted" and (((t0."status" <> 'draft' or t0."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($14::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /examinations/uploads?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "examinations_uploads" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or exists (select from examinations_files held
join examinations exam on exam."id" = held."idExamination"
where held."idFile" = t0."id" and not held."deleted" and not exam."deleted" and ((exam."status" <> 'draft' or exam."idUser" = $2::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $3::bigint and p.permission = $4)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $5::bigint and $6 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = exam."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($7::bigint, card."id", 8) is not null)))))) order by t0."id" desc limit 51) picked)
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
from page join "examinations_uploads" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "examinations_uploads" t0 where not t0."deleted" and ((t0."idUser" = $8::bigint or exists (select from examinations_files held
join examinations exam on exam."id" = held."idExamination"
where held."idFile" = t0."id" and not held."deleted" and not exam."deleted" and ((exam."status" <> 'draft' or exam."idUser" = $9::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $10::bigint and p.permission = $11)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $12::bigint and $13 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = exam."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($14::bigint, card."id", 8) is not null)))))) limit 10001) counted) as total;

-- GET /examinations/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "examinations_files" t0 where not t0."deleted" and exists (select 1 from "examinations" t1 where t1."id" = t0."idExamination" and not t1."deleted" and (((t1."status" <> 'draft' or t1."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($7::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idExamination" as "idExamination",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "examinations_files" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "examinations_files" t0 where not t0."deleted" and exists (select 1 from "examinations" t1 where t1."id" = t0."idExamination" and not t1."deleted" and (((t1."status" <> 'draft' or t1."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($14::bigint, t2."id", 8) is null))) limit 10001) counted) as total;
