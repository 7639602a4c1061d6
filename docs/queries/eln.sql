-- GET /eln?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "eln" t0 where not t0."deleted" and (((t0."idDoctor" = $1::bigint or t0."idAuthor" = $2::bigint or (t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) or (t0."idFilial" is null and (exists (select 1 from users w where w."id" = t0."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t0."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $6::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t0."id" and not p."deleted"
and (p."idDoctor" = $7::bigint or p."idChairman" = $8::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t0."idCustomer" and c."idUser" = $9::bigint and not c."cancelled" and not a."deleted"))
and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($10::bigint, card."id", 8) is not null)))) order by t0."dateIssue" desc nulls last, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."lnCode" as "lnCode",
  t1."idCustomer" as "idCustomer",
  t1."idDoctor" as "idDoctor",
  t1."idFilial" as "idFilial",
  t1."dateIssue" as "dateIssue",
  t1."isPrimary" as "isPrimary",
  t1."prevLnCode" as "prevLnCode",
  t1."idPrevious" as "idPrevious",
  t1."isDuplicate" as "isDuplicate",
  t1."formerLnCode" as "formerLnCode",
  t1."employer" as "employer",
  t1."workType" as "workType",
  t1."reason" as "reason",
  t1."reasonAdd" as "reasonAdd",
  t1."reasonNext" as "reasonNext",
  t1."diagnosis" as "diagnosis",
  t1."isPregnancy12w" as "isPregnancy12w",
  t1."birthPlanned" as "birthPlanned",
  t1."voucherNumber" as "voucherNumber",
  t1."hospitalFrom" as "hospitalFrom",
  t1."hospitalTo" as "hospitalTo",
  t1."breachCode" as "breachCode",
  t1."breachDate" as "breachDate",
  t1."mseSent" as "mseSent",
  t1."mseRegistered" as "mseRegistered",
  t1."mseDone" as "mseDone",
  t1."mseGroup" as "mseGroup",
  t1."resultCode" as "resultCode",
  t1."resultDate" as "resultDate",
  t1."workFrom" as "workFrom",
  t1."nextLnCode" as "nextLnCode",
  t1."isAgreed" as "isAgreed",
  t1."stateSfr" as "stateSfr",
  t1."localStatus" as "localStatus",
  t1."lnHash" as "lnHash",
  t1."sfrWords" as "sfrWords",
  t1."sfrData" as "sfrData",
  t1."signsLeft" as "signsLeft",
  t1."dateSent" as "dateSent",
  t1."dateAnswered" as "dateAnswered",
  t1."cancelReason" as "cancelReason",
  ((select min(p."dateFrom") from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted")) as "dateFrom",
  ((select max(p."dateTo") from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted")) as "dateTo",
  (coalesce((select max(p."dateTo") - min(p."dateFrom") + 1 from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"), 0)::int) as "days",
  t1."daysBefore" as "daysBefore",
  ((t1."workFrom" is not null or coalesce(t1."resultCode", '') <> '')) as "isClosed",
  (exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted" and p."idChairman" is not null)) as "hasChairman",
  (case when t1."reason" is distinct from '05' then
(select min(p."dateFrom") - t1."daysBefore" - 1 + case when exists (
select from jsonb_array_elements_text(coalesce((select "value" from common_settings where "name" = 'elnFeldsherPosts'),
$11::jsonb)) as word
where word <> '' and lower((array_agg(p."post" order by p."dateFrom" desc, p."id" desc))[1]) like '%' || lower(word) || '%')
then coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $12),
$13::int) else coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $14),
$15::int) end from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted") end) as "aloneUntil",
  (case
when t1."localStatus" in ('dispute', 'rejected') then t1."localStatus"
when coalesce(t1."stateSfr", '010') in ('010', '020', '040', '050') and not (t1."workFrom" is not null or coalesce(t1."resultCode", '') <> '')
and (select max(p."dateTo") from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted") < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$16::text))::date then 'overdue'
when coalesce(t1."stateSfr", '010') in ('010', '020', '040', '050') and not (t1."workFrom" is not null or coalesce(t1."resultCode", '') <> '')
and (select max(p."dateTo") from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted") = (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$17::text))::date then case when case when t1."reason" is distinct from '05' then
(select min(p."dateFrom") - t1."daysBefore" - 1 + case when exists (
select from jsonb_array_elements_text(coalesce((select "value" from common_settings where "name" = 'elnFeldsherPosts'),
$18::jsonb)) as word
where word <> '' and lower((array_agg(p."post" order by p."dateFrom" desc, p."id" desc))[1]) like '%' || lower(word) || '%')
then coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $19),
$20::int) else coalesce((select ("value" #>> '{}')::int from common_settings where "name" = $21),
$22::int) end from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted") end <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$23::text))::date then 'chairman' else 'today' end
when t1."localStatus" = 'toSign' then 'sign' else 'none' end) as "due",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "eln" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "eln" t0 where not t0."deleted" and (((t0."idDoctor" = $24::bigint or t0."idAuthor" = $25::bigint or (t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $26::bigint and not d."deleted")) or (t0."idFilial" is null and (exists (select 1 from users w where w."id" = t0."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $27::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $28::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t0."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $29::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t0."id" and not p."deleted"
and (p."idDoctor" = $30::bigint or p."idChairman" = $31::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t0."idCustomer" and c."idUser" = $32::bigint and not c."cancelled" and not a."deleted"))
and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($33::bigint, card."id", 8) is not null)))) limit 10001) counted) as total;

-- GET /eln/periods?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "eln_periods" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and (((t1."idDoctor" = $1::bigint or t1."idAuthor" = $2::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $6::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $7::bigint or p."idChairman" = $8::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $9::bigint and not c."cancelled" and not a."deleted"))
and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($10::bigint, card."id", 8) is not null))))) order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idSickLeave" as "idSickLeave",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."idDoctor" as "idDoctor",
  t2."post" as "post",
  t2."idChairman" as "idChairman",
  t2."protocolNumber" as "protocolNumber",
  t2."protocolDate" as "protocolDate",
  t2."isAccepted" as "isAccepted",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "eln_periods" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "eln_periods" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and (((t1."idDoctor" = $11::bigint or t1."idAuthor" = $12::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $13::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $14::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $15::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $16::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $17::bigint or p."idChairman" = $18::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $19::bigint and not c."cancelled" and not a."deleted"))
and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($20::bigint, card."id", 8) is not null))))) limit 10001) counted) as total;

-- GET /eln/care?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "eln_care" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and (((t1."idDoctor" = $1::bigint or t1."idAuthor" = $2::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $4::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $5::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $6::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $7::bigint or p."idChairman" = $8::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $9::bigint and not c."cancelled" and not a."deleted"))
and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($10::bigint, card."id", 8) is not null))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idSickLeave" as "idSickLeave",
  t2."fio" as "fio",
  to_char(t2."birthday", 'DD.MM.YYYY') as "birthday",
  t2."snils" as "snils",
  t2."relation" as "relation",
  t2."reason" as "reason",
  t2."diagnosis" as "diagnosis",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "eln_care" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "eln_care" t0 where not t0."deleted" and exists (select 1 from "eln" t1 where t1."id" = t0."idSickLeave" and not t1."deleted" and (((t1."idDoctor" = $11::bigint or t1."idAuthor" = $12::bigint or (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $13::bigint and not d."deleted")) or (t1."idFilial" is null and (exists (select 1 from users w where w."id" = t1."idDoctor"
and (coalesce(cardinality(w."filials"), 0) = 0 and cardinality(array(select d."idFilial" from filials_desks d where d."idUser" = $14::bigint and not d."deleted")) > 0 or w."filials" && array(select d."idFilial" from filials_desks d where d."idUser" = $15::bigint and not d."deleted")))
or exists (select 1 from staff_events s where s."idUser" = t1."idDoctor" and s."type" = 'shift' and not s."deleted"
and s."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $16::bigint and not d."deleted"))))))
or exists (select from eln_periods p where p."idSickLeave" = t1."id" and not p."deleted"
and (p."idDoctor" = $17::bigint or p."idChairman" = $18::bigint))
or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
where a."idCustomer" = t1."idCustomer" and c."idUser" = $19::bigint and not c."cancelled" and not a."deleted"))
and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($20::bigint, card."id", 8) is not null))))) limit 10001) counted) as total;

-- GET /snils/queries?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "snils_queries" t0 where (exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCustomer" as "idCustomer",
  t1."moment" as "moment",
  t1."status" as "status",
  t1."snils" as "snils",
  t1."variants" as "variants",
  t1."words" as "words",
  t1."externalId" as "externalId",
  t1."attempts" as "attempts",
  t1."dateNext" as "dateNext",
  t1."dateAnswered" as "dateAnswered",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."_version" as "_version") x) as j
from page join "snils_queries" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "snils_queries" t0 where (exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($2::bigint, card."id", 8) is not null))) limit 10001) counted) as total;
