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
  case when (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null) then ('/files/' || t1."idPhoto" || '/small') end as "photo",
  case when (not (t1."secretLevel" <> 'none') or opened_because($2::bigint, t1."id", 8) is not null) then t1."idPhoto" end as "idPhoto",
  t1."cardNumber" as "cardNumber",
  case when (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null) then t1."phone" end as "phone",
  case when (not (t1."secretLevel" <> 'none') or opened_because($4::bigint, t1."id", 8) is not null) then t1."phoneExtended" end as "phoneExtended",
  case when (not (t1."secretLevel" <> 'none') or opened_because($5::bigint, t1."id", 8) is not null) then t1."phoneMother" end as "phoneMother",
  case when (not (t1."secretLevel" <> 'none') or opened_because($6::bigint, t1."id", 8) is not null) then t1."phoneFather" end as "phoneFather",
  case when (not (t1."secretLevel" <> 'none') or opened_because($7::bigint, t1."id", 8) is not null) then t1."phoneWork" end as "phoneWork",
  case when (not (t1."secretLevel" <> 'none') or opened_because($8::bigint, t1."id", 8) is not null) then t1."email" end as "email",
  case when (not (t1."secretLevel" <> 'none') or opened_because($9::bigint, t1."id", 8) is not null) then t1."noMessenger" end as "noMessenger",
  case when (not (t1."secretLevel" <> 'none') or opened_because($10::bigint, t1."id", 8) is not null) then t1."noSms" end as "noSms",
  case when (not (t1."secretLevel" <> 'none') or opened_because($11::bigint, t1."id", 8) is not null) then t1."noEmail" end as "noEmail",
  case when (not (t1."secretLevel" <> 'none') or opened_because($12::bigint, t1."id", 8) is not null) then t1."gender" end as "gender",
  case when (not (t1."secretLevel" <> 'none') or opened_because($13::bigint, t1."id", 8) is not null) then to_char(t1."birthday", 'DD.MM.YYYY') end as "birthday",
  case when (not (t1."secretLevel" <> 'none') or opened_because($14::bigint, t1."id", 8) is not null) then (extract(year from age(least(coalesce(t1."dateDeath", (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$15::text))::date), (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$16::text))::date), t1."birthday"))::int) end as "age",
  case when (not (t1."secretLevel" <> 'none') or opened_because($17::bigint, t1."id", 8) is not null) then t1."dateDeath" end as "dateDeath",
  case when (not (t1."secretLevel" <> 'none') or opened_because($18::bigint, t1."id", 8) is not null) then t1."bloodGroup" end as "bloodGroup",
  case when (not (t1."secretLevel" <> 'none') or opened_because($19::bigint, t1."id", 8) is not null) then t1."allergies" end as "allergies",
  case when (not (t1."secretLevel" <> 'none') or opened_because($20::bigint, t1."id", 8) is not null) then t1."disability" end as "disability",
  case when (not (t1."secretLevel" <> 'none') or opened_because($21::bigint, t1."id", 8) is not null) then t1."benefitCode" end as "benefitCode",
  case when (not (t1."secretLevel" <> 'none') or opened_because($22::bigint, t1."id", 8) is not null) then t1."languages" end as "languages",
  t1."secretLevel" as "secretLevel",
  case when (not (t1."secretLevel" <> 'none') or opened_because($23::bigint, t1."id", 8) is not null) then t1."idSource" end as "idSource",
  case when (not (t1."secretLevel" <> 'none') or opened_because($24::bigint, t1."id", 8) is not null) then t1."idStatus" end as "idStatus",
  case when (not (t1."secretLevel" <> 'none') or opened_because($25::bigint, t1."id", 8) is not null) then t1."promoter" end as "promoter",
  case when (not (t1."secretLevel" <> 'none') or opened_because($26::bigint, t1."id", 8) is not null) then t1."note" end as "note",
  case when (not (t1."secretLevel" <> 'none') or opened_because($27::bigint, t1."id", 8) is not null) then t1."work" end as "work",
  case when (not (t1."secretLevel" <> 'none') or opened_because($28::bigint, t1."id", 8) is not null) then t1."addressWork" end as "addressWork",
  case when (not (t1."secretLevel" <> 'none') or opened_because($29::bigint, t1."id", 8) is not null) then t1."post" end as "post",
  case when (not (t1."secretLevel" <> 'none') or opened_because($30::bigint, t1."id", 8) is not null) then t1."familyStatus" end as "familyStatus",
  case when (not (t1."secretLevel" <> 'none') or opened_because($31::bigint, t1."id", 8) is not null) then t1."educationLevel" end as "educationLevel",
  case when (not (t1."secretLevel" <> 'none') or opened_because($32::bigint, t1."id", 8) is not null) then t1."employment" end as "employment",
  case when (not (t1."secretLevel" <> 'none') or opened_because($33::bigint, t1."id", 8) is not null) then t1."snils" end as "snils",
  case when (not (t1."secretLevel" <> 'none') or opened_because($34::bigint, t1."id", 8) is not null) then t1."inn" end as "inn",
  case when (not (t1."secretLevel" <> 'none') or opened_because($35::bigint, t1."id", 8) is not null) then t1."duplicateReason" end as "duplicateReason",
  case when (not (t1."secretLevel" <> 'none') or opened_because($36::bigint, t1."id", 8) is not null) then t1."documentType" end as "documentType",
  case when (not (t1."secretLevel" <> 'none') or opened_because($37::bigint, t1."id", 8) is not null) then t1."numberPassport" end as "numberPassport",
  case when (not (t1."secretLevel" <> 'none') or opened_because($38::bigint, t1."id", 8) is not null) then t1."datePassport" end as "datePassport",
  case when (not (t1."secretLevel" <> 'none') or opened_because($39::bigint, t1."id", 8) is not null) then t1."issuedByPassport" end as "issuedByPassport",
  case when (not (t1."secretLevel" <> 'none') or opened_because($40::bigint, t1."id", 8) is not null) then t1."issuedByPassportCode" end as "issuedByPassportCode",
  case when (not (t1."secretLevel" <> 'none') or opened_because($41::bigint, t1."id", 8) is not null) then t1."address" end as "address",
  case when (not (t1."secretLevel" <> 'none') or opened_because($42::bigint, t1."id", 8) is not null) then t1."postalCode" end as "postalCode",
  case when (not (t1."secretLevel" <> 'none') or opened_because($43::bigint, t1."id", 8) is not null) then t1."region" end as "region",
  case when (not (t1."secretLevel" <> 'none') or opened_because($44::bigint, t1."id", 8) is not null) then t1."district" end as "district",
  case when (not (t1."secretLevel" <> 'none') or opened_because($45::bigint, t1."id", 8) is not null) then t1."nameCity" end as "nameCity",
  case when (not (t1."secretLevel" <> 'none') or opened_because($46::bigint, t1."id", 8) is not null) then t1."nameStreet" end as "nameStreet",
  case when (not (t1."secretLevel" <> 'none') or opened_because($47::bigint, t1."id", 8) is not null) then t1."numberStreet" end as "numberStreet",
  case when (not (t1."secretLevel" <> 'none') or opened_because($48::bigint, t1."id", 8) is not null) then t1."numberRoom" end as "numberRoom",
  case when (not (t1."secretLevel" <> 'none') or opened_because($49::bigint, t1."id", 8) is not null) then t1."factAddressAsString" end as "factAddressAsString",
  case when (not (t1."secretLevel" <> 'none') or opened_because($50::bigint, t1."id", 8) is not null) then t1."postalCodeFact" end as "postalCodeFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($51::bigint, t1."id", 8) is not null) then t1."regionCodeFact" end as "regionCodeFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($52::bigint, t1."id", 8) is not null) then t1."regionFact" end as "regionFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($53::bigint, t1."id", 8) is not null) then t1."districtFact" end as "districtFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($54::bigint, t1."id", 8) is not null) then t1."nameCityFact" end as "nameCityFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($55::bigint, t1."id", 8) is not null) then t1."nameStreetFact" end as "nameStreetFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($56::bigint, t1."id", 8) is not null) then t1."numberStreetFact" end as "numberStreetFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($57::bigint, t1."id", 8) is not null) then t1."numberRoomFact" end as "numberRoomFact",
  case when (not (t1."secretLevel" <> 'none') or opened_because($58::bigint, t1."id", 8) is not null) then t1."dateCreate" end as "dateCreate",
  case when (not (t1."secretLevel" <> 'none') or opened_because($59::bigint, t1."id", 8) is not null) then t1."dateChange" end as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "customers" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /customers/policies?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_policies" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."dateTo" desc nulls last, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."type" as "type",
  t3."number" as "number",
  t3."company" as "company",
  t3."programme" as "programme",
  t3."dateFrom" as "dateFrom",
  t3."dateTo" as "dateTo",
  t3."note" as "note",
  t3."duplicateReason" as "duplicateReason",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "customers_policies" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_policies" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /customers/relations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_relations" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."relation" as "relation",
  t3."idRelative" as "idRelative",
  t3."fio" as "fio",
  t3."phone" as "phone",
  t3."document" as "document",
  t3."dateTo" as "dateTo",
  t3."signs" as "signs",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "customers_relations" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_relations" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /customers/tags?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_tags" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."icon" as "icon",
  t3."idCustomer" as "idCustomer",
  t3."_version" as "_version") x) as j
from page join "customers_tags" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_tags" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /customers/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_files" t0 where not t0."deleted" and ((not (exists (select from "customers_attachments" held where held."idFile" = t0."id" and exists (select from "customers" card
where card."id" = held."idCustomer" and not (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null))) or exists (select from "consents" held where held."idFile" = t0."id" and exists (select from "customers" card
where card."id" = held."idCustomer" and not (not (card."secretLevel" <> 'none') or opened_because($2::bigint, card."id", 8) is not null))) or exists (select from "customer_plans" held where held."idFile" = t0."id" and exists (select from "customers" card
where card."id" = held."idCustomer" and not (not (card."secretLevel" <> 'none') or opened_because($3::bigint, card."id", 8) is not null)))) and (t0."idUser" = $4::bigint or exists (select from "customers_attachments" held where held."idFile" = t0."id") or exists (select from "consents" held where held."idFile" = t0."id") or exists (select from "customer_plans" held where held."idFile" = t0."id")))) order by t0."id" desc limit 51) picked)
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
(select count(*) from (select 1 from "customers_files" t0 where not t0."deleted" and ((not (exists (select from "customers_attachments" held where held."idFile" = t0."id" and exists (select from "customers" card
where card."id" = held."idCustomer" and not (not (card."secretLevel" <> 'none') or opened_because($5::bigint, card."id", 8) is not null))) or exists (select from "consents" held where held."idFile" = t0."id" and exists (select from "customers" card
where card."id" = held."idCustomer" and not (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null))) or exists (select from "customer_plans" held where held."idFile" = t0."id" and exists (select from "customers" card
where card."id" = held."idCustomer" and not (not (card."secretLevel" <> 'none') or opened_because($7::bigint, card."id", 8) is not null)))) and (t0."idUser" = $8::bigint or exists (select from "customers_attachments" held where held."idFile" = t0."id") or exists (select from "consents" held where held."idFile" = t0."id") or exists (select from "customer_plans" held where held."idFile" = t0."id")))) limit 10001) counted) as total;

-- GET /customers/photos?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_photos" t0 where not t0."deleted" and ((not (exists (select from "customers" held where held."idPhoto" = t0."id" and exists (select from "customers" card
where card."id" = held."id" and not (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null)))) and (t0."idUser" = $2::bigint or exists (select from "customers" held where held."idPhoto" = t0."id")))) order by t0."id" desc limit 51) picked)
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
from page join "customers_photos" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_photos" t0 where not t0."deleted" and ((not (exists (select from "customers" held where held."idPhoto" = t0."id" and exists (select from "customers" card
where card."id" = held."id" and not (not (card."secretLevel" <> 'none') or opened_because($3::bigint, card."id", 8) is not null)))) and (t0."idUser" = $4::bigint or exists (select from "customers" held where held."idPhoto" = t0."id")))) limit 10001) counted) as total;

-- GET /customers/attachments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "customers_attachments" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_attachments" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;
