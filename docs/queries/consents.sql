-- GET /consents/templates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents_templates" t0 where not t0."deleted" order by t0."type", t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."type" as "type",
  t1."months" as "months",
  t1."isDefault" as "isDefault",
  ((select v."number" from consents_versions v where v."idTemplate" = t1."id"
and v."dateFrom" <= (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$1::text))::date order by v."dateFrom" desc, v."number" desc limit 1)) as "version",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "consents_templates" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents_templates" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /consents/versions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents_versions" t0 where exists (select 1 from "consents_templates" t1 where t1."id" = t0."idTemplate" and not t1."deleted") order by t0."dateFrom" desc, t0."number" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idTemplate" as "idTemplate",
  t2."number" as "number",
  t2."dateFrom" as "dateFrom",
  t2."purpose" as "purpose",
  t2."text" as "text",
  t2."dateCreate" as "dateCreate",
  t2."idUser" as "idUser",
  t2."_version" as "_version") x) as j
from page join "consents_versions" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents_versions" t0 where exists (select 1 from "consents_templates" t1 where t1."id" = t0."idTemplate" and not t1."deleted") limit 10001) counted) as total;

-- GET /consents?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."idVersion" as "idVersion",
  t3."name" as "name",
  t3."type" as "type",
  t3."purpose" as "purpose",
  t3."channels" as "channels",
  t3."idRelation" as "idRelation",
  (case when t3."revokedAt" is not null then 'revoked'
when t3."signedAt" is null then 'draft' when t3."validTo" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$3::text))::date then 'expired' else 'signed' end) as "status",
  t3."signMethod" as "signMethod",
  t3."signedAt" as "signedAt",
  t3."validTo" as "validTo",
  t3."representative" as "representative",
  t3."filled" as "filled",
  t3."idFile" as "idFile",
  t3."revokedAt" as "revokedAt",
  t3."revokeReason" as "revokeReason",
  t3."dateCreate" as "dateCreate",
  t3."dateChange" as "dateChange",
  t3."idUser" as "idUser",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "consents" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($4::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($5::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /consents/requests?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents_requests" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."dateReceived" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."kind" as "kind",
  t2."channel" as "channel",
  t2."dateReceived" as "dateReceived",
  t2."text" as "text",
  t2."idResponsible" as "idResponsible",
  t2."extended" as "extended",
  t2."extensionReason" as "extensionReason",
  t2."dateDue" as "dateDue",
  t2."dateAnswered" as "dateAnswered",
  t2."answer" as "answer",
  (case when t2."dateAnswered" <= t2."dateDue" then 'answered'
when t2."dateAnswered" is not null then 'late' when t2."dateDue" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date then 'overdue' else 'open' end) as "status",
  t2."dateCreate" as "dateCreate",
  t2."idUser" as "idUser",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "consents_requests" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents_requests" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($3::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /consents/incidents?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents_incidents" t0  order by t0."dateDetected" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."kind" as "kind",
  t1."dateDetected" as "dateDetected",
  t1."text" as "text",
  t1."affected" as "affected",
  t1."idResponsible" as "idResponsible",
  ((t1."dateDetected" + interval '24 hours')) as "dueNotice",
  t1."notifiedAt" as "notifiedAt",
  t1."noticeNumber" as "noticeNumber",
  ((t1."dateDetected" + interval '72 hours')) as "dueInquiry",
  t1."inquiryAt" as "inquiryAt",
  t1."inquiry" as "inquiry",
  (case when t1."inquiryAt" is not null then 'closed'
when t1."notifiedAt" is null and (t1."dateDetected" + interval '24 hours') < now() then 'noticeLate'
when t1."notifiedAt" is null then 'notice'
when (t1."dateDetected" + interval '72 hours') < now() then 'inquiryLate' else 'inquiry' end) as "status",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  t1."_version" as "_version") x) as j
from page join "consents_incidents" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents_incidents" t0  limit 10001) counted) as total;
