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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idVersion" as "idVersion",
  t2."name" as "name",
  t2."type" as "type",
  t2."purpose" as "purpose",
  t2."channels" as "channels",
  t2."idRelation" as "idRelation",
  (case when t2."revokedAt" is not null then 'revoked'
when t2."signedAt" is null then 'draft' when t2."validTo" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date then 'expired' else 'signed' end) as "status",
  t2."signMethod" as "signMethod",
  t2."signedAt" as "signedAt",
  t2."validTo" as "validTo",
  t2."representative" as "representative",
  t2."filled" as "filled",
  t2."idFile" as "idFile",
  t2."revokedAt" as "revokedAt",
  t2."revokeReason" as "revokeReason",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."idUser" as "idUser",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "consents" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) limit 10001) counted) as total;

-- GET /consents/requests?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "consents_requests" t0 where not t0."deleted" order by t0."dateReceived" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCustomer" as "idCustomer",
  t1."kind" as "kind",
  t1."channel" as "channel",
  t1."dateReceived" as "dateReceived",
  t1."text" as "text",
  t1."idResponsible" as "idResponsible",
  t1."extended" as "extended",
  t1."extensionReason" as "extensionReason",
  t1."dateDue" as "dateDue",
  t1."dateAnswered" as "dateAnswered",
  t1."answer" as "answer",
  (case when t1."dateAnswered" <= t1."dateDue" then 'answered'
when t1."dateAnswered" is not null then 'late' when t1."dateDue" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$1::text))::date then 'overdue' else 'open' end) as "status",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "consents_requests" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "consents_requests" t0 where not t0."deleted" limit 10001) counted) as total;

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
