-- Replies to messengers move to the outbox. A line that was being sent may have gone: it is settled there first.
with due as (
  select m."id", m."idLiveAssist", m."seq", ch."kind", ch."id" as "idChannel", d."idMessage" is not null as "isTaken"
  from "live_assist_messages" m join "live_assist" c on c."id" = m."idLiveAssist" and not c."deleted"
  join "live_assist_channels" ch on ch."id" = c."idChannel" left join "live_assist_deliveries" d on d."idMessage" = m."id"
  where m."kind" in ('staff', 'robot') and m."idExternal" is null and m."failure" is null and m."dateRemoved" is null
    and not m."deleted" and m."dateCreate" > now() - interval '2 days'
), line as (
  insert into "exchange_messages" ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity",
    "idempotencyKey", "status", "attempts", "dateNext")
  select now(), "kind", 'out', 'Ответ в чате', 'live-assist/messages', "id", 'chat-message-' || "id", 'queued', 0, now()
  from due order by "idLiveAssist", "seq"
  on conflict ("adapter", "idempotencyKey") where "idempotencyKey" is not null
    do update set "status" = 'queued', "dateNext" = now(), "errorText" = null, "_version" = "exchange_messages"."_version" + 1
  returning "id", "adapter", "idempotencyKey"
)
insert into "outbox" ("id", "adapter", "lane", "subject", "operation", "payload", "mustAsk", "memo", "dateDue")
select line."id", due."kind", due."kind" || ':' || due."idChannel", 'chat-' || due."idLiveAssist", 'reply',
  jsonb_build_object('id', due."id", 'idChat', due."idLiveAssist"), due."isTaken",
  case when due."isTaken" then '{"isGiven": true}'::jsonb end, now()
from line join due on due."kind" = line."adapter" and line."idempotencyKey" = 'chat-message-' || due."id";
drop table "live_assist_deliveries";
