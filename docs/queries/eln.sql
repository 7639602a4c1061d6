-- GET /eln?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "eln" t0 where not t0."deleted" and ((t0."idDoctor" = $1::bigint or t0."idAuthor" = $2::bigint or (t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) or (t0."idFilial" is null and (exists (select 1 from users w where w."id" = t0."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t0."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $6::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t0."id" and not p."deleted"
and (p."idDoctor" = $7::bigint or p."idChairman" = $8::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t0."idCustomer" and c."idUser" = $9::bigint and not c."cancelled" and not a."deleted"))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($10::bigint, t1."id", 8) is null)) order by t0."dateIssue" desc nulls last, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."lnCode" as "lnCode",
  t2."idCustomer" as "idCustomer",
  t2."idDoctor" as "idDoctor",
  t2."idFilial" as "idFilial",
  t2."dateIssue" as "dateIssue",
  t2."isPrimary" as "isPrimary",
  t2."prevLnCode" as "prevLnCode",
  t2."idPrevious" as "idPrevious",
  t2."isDuplicate" as "isDuplicate",
  t2."formerLnCode" as "formerLnCode",
  t2."employer" as "employer",
  t2."workType" as "workType",
  t2."reason" as "reason",
  t2."reasonAdd" as "reasonAdd",
  t2."reasonNext" as "reasonNext",
  t2."diagnosis" as "diagnosis",
  t2."isPregnancy12w" as "isPregnancy12w",
  t2."birthPlanned" as "birthPlanned",
  t2."voucherNumber" as "voucherNumber",
  t2."hospitalFrom" as "hospitalFrom",
  t2."hospitalTo" as "hospitalTo",
  t2."breachCode" as "breachCode",
  t2."breachDate" as "breachDate",
  t2."mseSent" as "mseSent",
  t2."mseRegistered" as "mseRegistered",
  t2."mseDone" as "mseDone",
  t2."mseGroup" as "mseGroup",
  t2."resultCode" as "resultCode",
  t2."resultDate" as "resultDate",
  t2."workFrom" as "workFrom",
  t2."nextLnCode" as "nextLnCode",
  t2."isAgreed" as "isAgreed",
  t2."stateSfr" as "stateSfr",
  t2."localStatus" as "localStatus",
  t2."lnHash" as "lnHash",
  t2."sfrWords" as "sfrWords",
  t2."sfrData" as "sfrData",
  t2."signsLeft" as "signsLeft",
  t2."dateSent" as "dateSent",
  t2."dateAnswered" as "dateAnswered",
  t2."cancelReason" as "cancelReason",
  ((select min(p."dateFrom") from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted")) as "dateFrom",
  ((select max(p."dateTo") from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted")) as "dateTo",
  (coalesce((select max(p."dateTo") - min(p."dateFrom") + 1 from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted"), 0)::int) as "days",
  t2."daysBefore" as "daysBefore",
  ((t2."workFrom" is not null or coalesce(t2."resultCode", '') <> '')) as "isClosed",
  (exists (select from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted" and p."idChairman" is not null)) as "hasChairman",
  (case when t2."reason" is distinct from '05' then
(select min(p."dateFrom") - t2."daysBefore" - 1 + case when exists (
select from jsonb_array_elements_text(coalesce((select "value" from common_settings where "name" = 'elnFeldsherPosts'),
$11::jsonb)) as word
where word <> '' and lower((array_agg(p."post" order by p."dateFrom" desc, p."id" desc))[1]) like '%' || lower(word) || '%')
then coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $12),
$13::int) else coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $14),
$15::int) end from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted") end) as "aloneUntil",
  (case
when t2."localStatus" in ('dispute', 'rejected') then t2."localStatus"
when t2."localStatus" <> 'sent' and (t2."lnCode" is not null and coalesce(t2."stateSfr", '090') <> '090'
and exists (select from eln d where d."idCustomer" = t2."idCustomer" and d."formerLnCode" = t2."lnCode" and d."isDuplicate" and d."stateSfr" is not null
and d."stateSfr" <> '090' and not d."deleted")) then 'former'
when coalesce(t2."stateSfr", '010') in ('010', '020', '040', '050') and not (t2."workFrom" is not null or coalesce(t2."resultCode", '') <> '')
and (select max(p."dateTo") from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted") < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$16::text))::date then 'overdue'
when coalesce(t2."stateSfr", '010') in ('010', '020', '040', '050') and not (t2."workFrom" is not null or coalesce(t2."resultCode", '') <> '')
and (select max(p."dateTo") from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted") = (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$17::text))::date then case when case when t2."reason" is distinct from '05' then
(select min(p."dateFrom") - t2."daysBefore" - 1 + case when exists (
select from jsonb_array_elements_text(coalesce((select "value" from common_settings where "name" = 'elnFeldsherPosts'),
$18::jsonb)) as word
where word <> '' and lower((array_agg(p."post" order by p."dateFrom" desc, p."id" desc))[1]) like '%' || lower(word) || '%')
then coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $19),
$20::int) else coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $21),
$22::int) end from eln_periods p where p."idSickLeave" = t2."id" and not p."deleted") end <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$23::text))::date then 'chairman' else 'today' end
when t2."localStatus" = 'toSign' then 'sign' else 'none' end) as "due",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "eln" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "eln" t0 where not t0."deleted" and ((t0."idDoctor" = $24::bigint or t0."idAuthor" = $25::bigint or (t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $26::bigint and not d."deleted")) or (t0."idFilial" is null and (exists (select 1 from users w where w."id" = t0."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $27::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $28::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t0."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $29::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t0."id" and not p."deleted"
and (p."idDoctor" = $30::bigint or p."idChairman" = $31::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t0."idCustomer" and c."idUser" = $32::bigint and not c."cancelled" and not a."deleted"))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($33::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /eln/periods?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "eln_periods" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and ((t1."idDoctor" = $1::bigint or t1."idAuthor" = $2::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $6::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $7::bigint or p."idChairman" = $8::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $9::bigint and not c."cancelled" and not a."deleted"))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($10::bigint, t2."id", 8) is null))) order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idSickLeave" as "idSickLeave",
  t3."dateFrom" as "dateFrom",
  t3."dateTo" as "dateTo",
  t3."idDoctor" as "idDoctor",
  t3."post" as "post",
  t3."idChairman" as "idChairman",
  t3."protocolNumber" as "protocolNumber",
  t3."protocolDate" as "protocolDate",
  t3."isAccepted" as "isAccepted",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "eln_periods" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "eln_periods" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and ((t1."idDoctor" = $11::bigint or t1."idAuthor" = $12::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $13::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $14::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $15::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $16::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $17::bigint or p."idChairman" = $18::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $19::bigint and not c."cancelled" and not a."deleted"))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($20::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /eln/care?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "eln_care" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and ((t1."idDoctor" = $1::bigint or t1."idAuthor" = $2::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $6::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $7::bigint or p."idChairman" = $8::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $9::bigint and not c."cancelled" and not a."deleted"))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($10::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idSickLeave" as "idSickLeave",
  t3."fio" as "fio",
  to_char(t3."birthday", 'DD.MM.YYYY') as "birthday",
  t3."snils" as "snils",
  t3."relation" as "relation",
  t3."reason" as "reason",
  t3."diagnosis" as "diagnosis",
  t3."dateFrom" as "dateFrom",
  t3."dateTo" as "dateTo",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "eln_care" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "eln_care" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and ((t1."idDoctor" = $11::bigint or t1."idAuthor" = $12::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $13::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $14::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $15::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $16::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $17::bigint or p."idChairman" = $18::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $19::bigint and not c."cancelled" and not a."deleted"))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($20::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /snils/queries?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "snils_queries" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."moment" as "moment",
  t3."status" as "status",
  t3."snils" as "snils",
  t3."variants" as "variants",
  t3."words" as "words",
  t3."externalId" as "externalId",
  t3."attempts" as "attempts",
  t3."dateNext" as "dateNext",
  t3."dateAnswered" as "dateAnswered",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "snils_queries" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "snils_queries" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;
