-- Messages to patients move to the outbox. An SMS that may have gone is settled there before anything else is tried.
with line as (
  insert into "exchange_messages" ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity",
    "idempotencyKey", "status", "attempts", "dateNext")
  select now(), 'sms', 'out', 'Сообщение пациенту', 'messages', "id", 'message-' || "id" || '-' || "repeats", 'queued', 0, now()
  from "messages" where "status" = 'queued' and "channel" = 'sms' and not 'sms' = any ("tried") order by "id"
  returning "id", "idEntity"
)
insert into "outbox" ("id", "adapter", "lane", "subject", "operation", "payload", "mustAsk", "memo", "dateDue")
select line."id", 'sms', 'sms', 'message-' || m."id", 'patient', jsonb_build_object('id', m."id", 'repeats', m."repeats"),
  true, '{"gateway": null}', coalesce(m."dateDue", now())
from line join "messages" m on m."id" = line."idEntity";
-- A letter that the mail server put off has certainly not gone: its channel is chosen again.
update "messages" set "channel" = null where "status" = 'queued' and "channel" = 'email' and not 'email' = any ("tried");
