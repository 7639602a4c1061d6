-- GET /live-assist?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist" t0 where not t0."deleted" order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."phone" as "phone",
  t1."email" as "email",
  t1."status" as "status",
  t1."handler" as "handler",
  t1."source" as "source",
  t1."sourceName" as "sourceName",
  t1."banned" as "banned",
  t1."idUser" as "idUser",
  t1."lastUser" as "lastUser",
  t1."idCustomer" as "idCustomer",
  t1."idVisitor" as "idVisitor",
  t1."idDomain" as "idDomain",
  t1."idChannel" as "idChannel",
  t1."idFilial" as "idFilial",
  t1."idGroup" as "idGroup",
  t1."lastMessage" as "lastMessage",
  t1."dateLast" as "dateLast",
  t1."dateAssigned" as "dateAssigned",
  t1."returns" as "returns",
  t1."queuedAt" as "queuedAt",
  t1."nextDueAt" as "nextDueAt",
  t1."snoozedUntil" as "snoozedUntil",
  t1."snoozeHard" as "snoozeHard",
  t1."lastSeq" as "lastSeq",
  t1."inCount" as "inCount",
  t1."readIn" as "readIn",
  t1."outCount" as "outCount",
  t1."deliveredOut" as "deliveredOut",
  t1."readOut" as "readOut",
  t1."robotTurns" as "robotTurns",
  t1."revision" as "revision",
  t1."answerSum" as "answerSum",
  t1."answerCount" as "answerCount",
  t1."firstAnswerTime" as "firstAnswerTime",
  (round(t1."answerSum"::numeric / nullif(t1."answerCount", 0))::int) as "averageAnswerTime",
  (greatest(0, t1."inCount" - t1."readIn")) as "numberOfUnreadMessages",
  t1."idOutcome" as "idOutcome",
  t1."nextStep" as "nextStep",
  t1."dateNextStep" as "dateNextStep",
  t1."idOwner" as "idOwner",
  t1."rating" as "rating",
  t1."dateCompleted" as "dateCompleted",
  t1."training" as "training",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "live_assist" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /live-assist/messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_messages" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted") order by t0."seq" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLiveAssist" as "idLiveAssist",
  t2."seq" as "seq",
  t2."no" as "no",
  t2."kind" as "kind",
  t2."clientId" as "clientId",
  t2."message" as "message",
  t2."idExternal" as "idExternal",
  t2."failure" as "failure",
  t2."dateEdited" as "dateEdited",
  t2."dateRemoved" as "dateRemoved",
  t2."idRemover" as "idRemover",
  t2."revision" as "revision",
  ((case t2."kind" when 'visitor' then t2."no" <= (select c."readIn" from live_assist c where c."id" = t2."idLiveAssist")
when 'system' then true else t2."no" <= (select c."readOut" from live_assist c where c."id" = t2."idLiveAssist") end)) as "isRead",
  ((case when t2."failure" is not null then 'failed' when t2."kind" in ('visitor', 'system') then 'read'
when t2."idExternal" is null and (select c."idChannel" is not null from live_assist c where c."id" = t2."idLiveAssist") then 'sent'
when t2."no" <= (select c."readOut" from live_assist c where c."id" = t2."idLiveAssist") then 'read'
when t2."no" <= (select c."deliveredOut" from live_assist c where c."id" = t2."idLiveAssist") then 'delivered' else 'sent' end)) as "state",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "live_assist_messages" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_messages" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted") limit 10001) counted) as total;

-- GET /live-assist/notes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_notes" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted") order by t0."seq" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLiveAssist" as "idLiveAssist",
  t2."seq" as "seq",
  t2."text" as "text",
  t2."mentions" as "mentions",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "live_assist_notes" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_notes" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted") limit 10001) counted) as total;

-- GET /live-assist/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_files" t0 where not t0."deleted" and (not exists (select from live_assist_version_files f where f."idFile" = t0."id" and not f."deleted")) order by t0."id" desc limit 51) picked)
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
from page join "live_assist_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_files" t0 where not t0."deleted" and (not exists (select from live_assist_version_files f where f."idFile" = t0."id" and not f."deleted")) limit 10001) counted) as total;

-- GET /live-assist/message-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_message_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_messages" t1 where t1."id" = t0."idMessage" and not t1."deleted" and exists (select 1 from "live_assist" t2 where t2."id" = t1."idLiveAssist" and not t2."deleted")) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMessage" as "idMessage",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "live_assist_message_files" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_message_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_messages" t1 where t1."id" = t0."idMessage" and not t1."deleted" and exists (select 1 from "live_assist" t2 where t2."id" = t1."idLiveAssist" and not t2."deleted")) limit 10001) counted) as total;

-- GET /live-assist/message-versions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_message_versions" t0 where ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t0."idMessage")) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idMessage" as "idMessage",
  t1."text" as "text",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  t1."_version" as "_version") x) as j
from page join "live_assist_message_versions" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_message_versions" t0 where ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t0."idMessage")) limit 10001) counted) as total;

-- GET /live-assist/version-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_version_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_message_versions" t1 where t1."id" = t0."idVersion" and ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t1."idMessage"))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idVersion" as "idVersion",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "live_assist_version_files" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_version_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_message_versions" t1 where t1."id" = t0."idVersion" and ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t1."idMessage"))) limit 10001) counted) as total;

-- GET /service-online?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_online" t0 where not t0."deleted" and (((t0."kind" <> 'doctor' or t0."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and (t0."paidSum" is null or t0."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCustomer" as "idCustomer",
  t1."idUser" as "idUser",
  t1."kind" as "kind",
  t1."status" as "status",
  t1."idFilial" as "idFilial",
  t1."lastMessage" as "lastMessage",
  t1."dateLast" as "dateLast",
  t1."dateAssigned" as "dateAssigned",
  t1."queuedAt" as "queuedAt",
  t1."nextDueAt" as "nextDueAt",
  t1."dateFirstAnswer" as "dateFirstAnswer",
  t1."lastSeq" as "lastSeq",
  t1."inCount" as "inCount",
  t1."readIn" as "readIn",
  t1."outCount" as "outCount",
  t1."deliveredOut" as "deliveredOut",
  t1."readOut" as "readOut",
  t1."answerSum" as "answerSum",
  t1."answerCount" as "answerCount",
  t1."waitFrom" as "waitFrom",
  t1."waitSum" as "waitSum",
  t1."firstAnswerTime" as "firstAnswerTime",
  (round(t1."answerSum"::numeric / nullif(t1."answerCount", 0))::int) as "averageAnswerTime",
  ((case when t1."dateClosed" is not null and t1."dateAssigned" is not null
then greatest(0, extract(epoch from t1."dateClosed" - t1."dateAssigned") - t1."waitSum")::int end)) as "handleTime",
  (greatest(0, t1."inCount" - t1."readIn")) as "numberOfUnreadMessages",
  ((t1."dateFirstAnswer" is null and t1."inCount" > 0
and (t1."dateClosed" is not null or t1."dateCreate" < now() - make_interval(hours => $7)))) as "isMissed",
  t1."rating" as "rating",
  t1."closeReason" as "closeReason",
  t1."paidSum" as "paidSum",
  t1."idService" as "idService",
  t1."datePaid" as "datePaid",
  t1."answerBy" as "answerBy",
  t1."idVisit" as "idVisit",
  t1."dateRefundDue" as "dateRefundDue",
  t1."dateRefunded" as "dateRefunded",
  ((case when t1."paidSum" is null then null
when t1."dateRefunded" is not null then 'refunded' when t1."dateRefundDue" is not null then 'refundDue'
when t1."datePaid" is null then 'ordered' when t1."status" = 'closed' then 'closed'
when t1."dateFirstAnswer" is not null then 'open' else 'paid' end)) as "paidState",
  t1."dateClosed" as "dateClosed",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "service_online" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online" t0 where not t0."deleted" and (((t0."kind" <> 'doctor' or t0."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and (t0."paidSum" is null or t0."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) limit 10001) counted) as total;

-- GET /service-online/messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_online_messages" t0 where exists (select 1 from "service_online" t1 where t1."id" = t0."idDialog" and not t1."deleted" and (((t1."kind" <> 'doctor' or t1."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and (t1."paidSum" is null or t1."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null))))) order by t0."seq" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDialog" as "idDialog",
  t2."seq" as "seq",
  t2."no" as "no",
  t2."author" as "author",
  t2."clientId" as "clientId",
  t2."text" as "text",
  ((case t2."author" when 'system' then 'read'
when 'patient' then (case when t2."no" <= (select c."readIn" from service_online c where c."id" = t2."idDialog") then 'read' else 'delivered' end)
else (case when t2."no" <= (select c."readOut" from service_online c where c."id" = t2."idDialog") then 'read'
when t2."no" <= (select c."deliveredOut" from service_online c where c."id" = t2."idDialog") then 'delivered' else 'sent' end) end)) as "state",
  t2."dateEdited" as "dateEdited",
  t2."dateRemoved" as "dateRemoved",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "service_online_messages" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online_messages" t0 where exists (select 1 from "service_online" t1 where t1."id" = t0."idDialog" and not t1."deleted" and (((t1."kind" <> 'doctor' or t1."idUser" = $7::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $8::bigint and p.permission = $9)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $10::bigint and $11 = any(r.permissions))))) and (t1."paidSum" is null or t1."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($12::bigint, card."id", 8) is not null))))) limit 10001) counted) as total;

-- GET /service-online/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_online_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "service_online_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /service-online/message-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_online_message_files" t0 where not t0."deleted" and exists (select 1 from "service_online_messages" t1 where t1."id" = t0."idMessage" and exists (select 1 from "service_online" t2 where t2."id" = t1."idDialog" and not t2."deleted" and (((t2."kind" <> 'doctor' or t2."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and (t2."paidSum" is null or t2."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMessage" as "idMessage",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "service_online_message_files" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online_message_files" t0 where not t0."deleted" and exists (select 1 from "service_online_messages" t1 where t1."id" = t0."idMessage" and exists (select 1 from "service_online" t2 where t2."id" = t1."idDialog" and not t2."deleted" and (((t2."kind" <> 'doctor' or t2."idUser" = $7::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $8::bigint and p.permission = $9)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $10::bigint and $11 = any(r.permissions))))) and (t2."paidSum" is null or t2."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($12::bigint, card."id", 8) is not null)))))) limit 10001) counted) as total;
