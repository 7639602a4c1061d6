-- GET /live-assist?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."phone" as "phone",
  t2."email" as "email",
  t2."status" as "status",
  t2."handler" as "handler",
  t2."source" as "source",
  t2."sourceName" as "sourceName",
  t2."banned" as "banned",
  t2."idUser" as "idUser",
  t2."lastUser" as "lastUser",
  t2."idCustomer" as "idCustomer",
  t2."idVisitor" as "idVisitor",
  t2."idDomain" as "idDomain",
  t2."idChannel" as "idChannel",
  t2."idFilial" as "idFilial",
  t2."idGroup" as "idGroup",
  t2."lastMessage" as "lastMessage",
  t2."dateLast" as "dateLast",
  t2."dateAssigned" as "dateAssigned",
  t2."returns" as "returns",
  t2."queuedAt" as "queuedAt",
  t2."nextDueAt" as "nextDueAt",
  t2."snoozedUntil" as "snoozedUntil",
  t2."snoozeHard" as "snoozeHard",
  t2."lastSeq" as "lastSeq",
  t2."inCount" as "inCount",
  t2."readIn" as "readIn",
  t2."outCount" as "outCount",
  t2."deliveredOut" as "deliveredOut",
  t2."readOut" as "readOut",
  t2."robotTurns" as "robotTurns",
  t2."revision" as "revision",
  t2."answerSum" as "answerSum",
  t2."answerCount" as "answerCount",
  t2."firstAnswerTime" as "firstAnswerTime",
  (round(t2."answerSum"::numeric / nullif(t2."answerCount", 0))::int) as "averageAnswerTime",
  (greatest(0, t2."inCount" - t2."readIn")) as "numberOfUnreadMessages",
  t2."idOutcome" as "idOutcome",
  t2."nextStep" as "nextStep",
  t2."dateNextStep" as "dateNextStep",
  t2."idOwner" as "idOwner",
  t2."rating" as "rating",
  t2."dateCompleted" as "dateCompleted",
  t2."training" as "training",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "live_assist" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /live-assist/messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_messages" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."seq" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLiveAssist" as "idLiveAssist",
  t3."seq" as "seq",
  t3."no" as "no",
  t3."kind" as "kind",
  t3."clientId" as "clientId",
  t3."message" as "message",
  t3."idExternal" as "idExternal",
  t3."failure" as "failure",
  t3."dateEdited" as "dateEdited",
  t3."dateRemoved" as "dateRemoved",
  t3."idRemover" as "idRemover",
  t3."revision" as "revision",
  ((case t3."kind" when 'visitor' then t3."no" <= (select c."readIn" from live_assist c where c."id" = t3."idLiveAssist")
when 'system' then true else t3."no" <= (select c."readOut" from live_assist c where c."id" = t3."idLiveAssist") end)) as "isRead",
  ((case when t3."failure" is not null then 'failed' when t3."kind" in ('visitor', 'system') then 'read'
when t3."idExternal" is null and (select c."idChannel" is not null from live_assist c where c."id" = t3."idLiveAssist") then 'sent'
when t3."no" <= (select c."readOut" from live_assist c where c."id" = t3."idLiveAssist") then 'read'
when t3."no" <= (select c."deliveredOut" from live_assist c where c."id" = t3."idLiveAssist") then 'delivered' else 'sent' end)) as "state",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "live_assist_messages" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_messages" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /live-assist/notes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_notes" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."seq" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLiveAssist" as "idLiveAssist",
  t3."seq" as "seq",
  t3."text" as "text",
  t3."mentions" as "mentions",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "live_assist_notes" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_notes" t0 where not t0."deleted" and exists (select 1 from "live_assist" t1 where t1."id" = t0."idLiveAssist" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_message_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_messages" t1 where t1."id" = t0."idMessage" and not t1."deleted" and exists (select 1 from "live_assist" t2 where t2."id" = t1."idLiveAssist" and not t2."deleted" and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($1::bigint, t3."id", 8) is null)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idMessage" as "idMessage",
  t4."idFile" as "idFile",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "live_assist_message_files" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_message_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_messages" t1 where t1."id" = t0."idMessage" and not t1."deleted" and exists (select 1 from "live_assist" t2 where t2."id" = t1."idLiveAssist" and not t2."deleted" and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null)))) limit 10001) counted) as total;

-- GET /live-assist/message-versions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_message_versions" t0 where ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t0."idMessage")) and not exists (select 1 from "live_assist_messages" t1 where t1."id" = t0."idMessage" and not (not exists (select 1 from "live_assist" t2 where t2."id" = t1."idLiveAssist" and not (not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($1::bigint, t3."id", 8) is null)))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idMessage" as "idMessage",
  t4."text" as "text",
  t4."dateCreate" as "dateCreate",
  t4."idUser" as "idUser",
  t4."_version" as "_version") x) as j
from page join "live_assist_message_versions" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_message_versions" t0 where ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t0."idMessage")) and not exists (select 1 from "live_assist_messages" t1 where t1."id" = t0."idMessage" and not (not exists (select 1 from "live_assist" t2 where t2."id" = t1."idLiveAssist" and not (not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null)))))) limit 10001) counted) as total;

-- GET /live-assist/version-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist_version_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_message_versions" t1 where t1."id" = t0."idVersion" and ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t1."idMessage")) and not exists (select 1 from "live_assist_messages" t2 where t2."id" = t1."idMessage" and not (not exists (select 1 from "live_assist" t3 where t3."id" = t2."idLiveAssist" and not (not exists (select 1 from "customers" t4 where t4."id" = t3."idCustomer" and (t4."secretLevel" <> 'none' and opened_because($1::bigint, t4."id", 8) is null))))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idVersion" as "idVersion",
  t5."idFile" as "idFile",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "live_assist_version_files" t5 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "live_assist_version_files" t0 where not t0."deleted" and exists (select 1 from "live_assist_message_versions" t1 where t1."id" = t0."idVersion" and ((select m."dateRemoved" is null from live_assist_messages m where m."id" = t1."idMessage")) and not exists (select 1 from "live_assist_messages" t2 where t2."id" = t1."idMessage" and not (not exists (select 1 from "live_assist" t3 where t3."id" = t2."idLiveAssist" and not (not exists (select 1 from "customers" t4 where t4."id" = t3."idCustomer" and (t4."secretLevel" <> 'none' and opened_because($2::bigint, t4."id", 8) is null))))))) limit 10001) counted) as total;

-- GET /service-online?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_online" t0 where not t0."deleted" and (((t0."kind" <> 'doctor' or t0."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and (t0."paidSum" is null or t0."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($7::bigint, t1."id", 8) is null)) order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idUser" as "idUser",
  t2."kind" as "kind",
  t2."status" as "status",
  t2."idFilial" as "idFilial",
  t2."lastMessage" as "lastMessage",
  t2."dateLast" as "dateLast",
  t2."dateAssigned" as "dateAssigned",
  t2."queuedAt" as "queuedAt",
  t2."nextDueAt" as "nextDueAt",
  t2."dateFirstAnswer" as "dateFirstAnswer",
  t2."lastSeq" as "lastSeq",
  t2."inCount" as "inCount",
  t2."readIn" as "readIn",
  t2."outCount" as "outCount",
  t2."deliveredOut" as "deliveredOut",
  t2."readOut" as "readOut",
  t2."answerSum" as "answerSum",
  t2."answerCount" as "answerCount",
  t2."waitFrom" as "waitFrom",
  t2."waitSum" as "waitSum",
  t2."firstAnswerTime" as "firstAnswerTime",
  (round(t2."answerSum"::numeric / nullif(t2."answerCount", 0))::int) as "averageAnswerTime",
  ((case when t2."dateClosed" is not null and t2."dateAssigned" is not null
then greatest(0, extract(epoch from t2."dateClosed" - t2."dateAssigned") - t2."waitSum")::int end)) as "handleTime",
  (greatest(0, t2."inCount" - t2."readIn")) as "numberOfUnreadMessages",
  ((t2."dateFirstAnswer" is null and t2."inCount" > 0
and (t2."dateClosed" is not null or t2."dateCreate" < now() - make_interval(hours => $8)))) as "isMissed",
  t2."rating" as "rating",
  t2."closeReason" as "closeReason",
  t2."paidSum" as "paidSum",
  t2."idService" as "idService",
  t2."datePaid" as "datePaid",
  t2."answerBy" as "answerBy",
  t2."idVisit" as "idVisit",
  t2."dateRefundDue" as "dateRefundDue",
  t2."dateRefunded" as "dateRefunded",
  ((case when t2."paidSum" is null then null
when t2."dateRefunded" is not null then 'refunded' when t2."dateRefundDue" is not null then 'refundDue'
when t2."datePaid" is null then 'ordered' when t2."status" = 'closed' then 'closed'
when t2."dateFirstAnswer" is not null then 'open' else 'paid' end)) as "paidState",
  t2."dateClosed" as "dateClosed",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "service_online" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online" t0 where not t0."deleted" and (((t0."kind" <> 'doctor' or t0."idUser" = $9::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $10::bigint and p.permission = $11)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $12::bigint and $13 = any(r.permissions))))) and (t0."paidSum" is null or t0."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($14::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($15::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /service-online/messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_online_messages" t0 where exists (select 1 from "service_online" t1 where t1."id" = t0."idDialog" and not t1."deleted" and (((t1."kind" <> 'doctor' or t1."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and (t1."paidSum" is null or t1."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($7::bigint, t2."id", 8) is null))) order by t0."seq" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idDialog" as "idDialog",
  t3."seq" as "seq",
  t3."no" as "no",
  t3."author" as "author",
  t3."clientId" as "clientId",
  t3."text" as "text",
  ((case t3."author" when 'system' then 'read'
when 'patient' then (case when t3."no" <= (select c."readIn" from service_online c where c."id" = t3."idDialog") then 'read' else 'delivered' end)
else (case when t3."no" <= (select c."readOut" from service_online c where c."id" = t3."idDialog") then 'read'
when t3."no" <= (select c."deliveredOut" from service_online c where c."id" = t3."idDialog") then 'delivered' else 'sent' end) end)) as "state",
  t3."dateEdited" as "dateEdited",
  t3."dateRemoved" as "dateRemoved",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "service_online_messages" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online_messages" t0 where exists (select 1 from "service_online" t1 where t1."id" = t0."idDialog" and not t1."deleted" and (((t1."kind" <> 'doctor' or t1."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and (t1."paidSum" is null or t1."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($14::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

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
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($7::bigint, t3."id", 8) is null)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idMessage" as "idMessage",
  t4."idFile" as "idFile",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "service_online_message_files" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "service_online_message_files" t0 where not t0."deleted" and exists (select 1 from "service_online_messages" t1 where t1."id" = t0."idMessage" and exists (select 1 from "service_online" t2 where t2."id" = t1."idDialog" and not t2."deleted" and (((t2."kind" <> 'doctor' or t2."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and (t2."paidSum" is null or t2."datePaid" is not null) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($14::bigint, t3."id", 8) is null)))) limit 10001) counted) as total;
