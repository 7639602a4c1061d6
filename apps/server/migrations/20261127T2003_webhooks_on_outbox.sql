-- Webhooks move to the outbox: pending messages continue there, with their attempts.
insert into "outbox" ("id", "adapter", "lane", "subject", "operation", "payload", "attempts", "dateDue")
select "id", 'webhooks', 'webhooks:' || "idWebhook", "idWebhook" || ':' || "entityType" || ':' || "idEntity", "operation",
  jsonb_build_object('idWebhook', "idWebhook"), "attempts", "dateNext"
from "exchange_messages" where "idWebhook" is not null and "dateNext" is not null and "adapter" = 'webhooks';
alter table "webhook_states" drop column "datePaused", drop column "failures";
drop index "exchange_messages_record";
