-- Mails with reports move to the outbox. One that was being sent may have gone; one that waits for days has lost its job.
update "reports_sendings" set "state" = 'unknown', "dateEnd" = now() where "state" = 'sending';
update "reports_sendings" set "state" = 'failed', "message" = 'Почта не приняла письмо', "dateEnd" = now()
where "state" = 'waiting' and "dateCreate" < now() - interval '2 days';
with line as (
  insert into "exchange_messages" ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity",
    "idempotencyKey", "status", "attempts", "dateNext")
  select now(), 'mail', 'out', 'Отчёт по почте', 'users', "idUser", 'report-' || "id", 'queued', 0, now()
  from "reports_sendings" where "state" = 'waiting' order by "id"
  on conflict ("adapter", "idempotencyKey") where "idempotencyKey" is not null
    do update set "status" = 'queued', "dateNext" = now(), "errorText" = null, "_version" = "exchange_messages"."_version" + 1
  returning "id", "idempotencyKey"
)
insert into "outbox" ("id", "adapter", "lane", "operation", "payload", "dateDue")
select line."id", 'mail', 'mail.reports', 'report', jsonb_build_object('id', s."id"), now()
from line join "reports_sendings" s on line."idempotencyKey" = 'report-' || s."id";
