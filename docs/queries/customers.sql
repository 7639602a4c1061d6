-- GET /customers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers" t0 where not t0."deleted" order by t0."surname", t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."surname" as "surname",
  t1."name" as "name",
  t1."middleName" as "middleName",
  (coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio",
  (case when coalesce(t1."surname", '') = '' then coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени') else t1."surname" || coalesce(' ' || upper(left(nullif(t1."name", ''), 1)) || '.', '') || coalesce(' ' || upper(left(nullif(t1."middleName", ''), 1)) || '.', '') end) as "shortFio",
  t1."cardNumber" as "cardNumber",
  t1."phone" as "phone",
  t1."phoneExtended" as "phoneExtended",
  t1."phoneMother" as "phoneMother",
  t1."phoneFather" as "phoneFather",
  t1."phoneWork" as "phoneWork",
  t1."email" as "email",
  t1."gender" as "gender",
  to_char(t1."birthday", 'DD.MM.YYYY') as "birthday",
  t1."dateDeath" as "dateDeath",
  t1."bloodGroup" as "bloodGroup",
  t1."allergies" as "allergies",
  t1."disability" as "disability",
  t1."benefitCode" as "benefitCode",
  t1."languages" as "languages",
  t1."secretLevel" as "secretLevel",
  t1."idSource" as "idSource",
  t1."promoter" as "promoter",
  t1."note" as "note",
  t1."work" as "work",
  t1."addressWork" as "addressWork",
  t1."post" as "post",
  t1."familyStatus" as "familyStatus",
  t1."educationLevel" as "educationLevel",
  t1."employment" as "employment",
  t1."snils" as "snils",
  t1."inn" as "inn",
  t1."documentType" as "documentType",
  t1."numberPassport" as "numberPassport",
  t1."datePassport" as "datePassport",
  t1."issuedByPassport" as "issuedByPassport",
  t1."issuedByPassportCode" as "issuedByPassportCode",
  t1."address" as "address",
  t1."postalCode" as "postalCode",
  t1."region" as "region",
  t1."district" as "district",
  t1."nameCity" as "nameCity",
  t1."nameStreet" as "nameStreet",
  t1."numberStreet" as "numberStreet",
  t1."numberRoom" as "numberRoom",
  t1."factAddressAsString" as "factAddressAsString",
  t1."postalCodeFact" as "postalCodeFact",
  t1."regionCodeFact" as "regionCodeFact",
  t1."regionFact" as "regionFact",
  t1."districtFact" as "districtFact",
  t1."nameCityFact" as "nameCityFact",
  t1."nameStreetFact" as "nameStreetFact",
  t1."numberStreetFact" as "numberStreetFact",
  t1."numberRoomFact" as "numberRoomFact",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "customers" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /customers/policies?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_policies" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") order by t0."dateTo" desc nulls last, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."type" as "type",
  t2."number" as "number",
  t2."company" as "company",
  t2."programme" as "programme",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."note" as "note",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "customers_policies" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_policies" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") limit 10001) counted) as total;

-- GET /customers/relations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_relations" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."relation" as "relation",
  t2."idRelative" as "idRelative",
  t2."fio" as "fio",
  t2."phone" as "phone",
  t2."document" as "document",
  t2."dateTo" as "dateTo",
  t2."signs" as "signs",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "customers_relations" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_relations" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") limit 10001) counted) as total;

-- GET /customers/tags?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_tags" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."name" as "name",
  t2."color" as "color",
  t2."icon" as "icon",
  t2."_version" as "_version") x) as j
from page join "customers_tags" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_tags" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") limit 10001) counted) as total;

-- GET /customers/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "customers_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /customers/attachments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "customers_attachments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted") limit 10001) counted) as total;
