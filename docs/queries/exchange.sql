-- GET /webhooks?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "webhooks" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."url" as "url",
  t1."events" as "events",
  t1."active" as "active",
  t1."retries" as "retries",
  t1."dateFrom" as "dateFrom",
  (exists (select 1 from webhook_secrets s where s."idWebhook" = t1."id")) as "hasSecret",
  ((select count(*)::int from (select from exchange_messages m where m."idWebhook" = t1."id" and m."dateNext" is not null limit $1) q)) as "waiting",
  ((select count(*)::int from (select from exchange_messages m where m."idWebhook" = t1."id" and m."status" = 'dead' limit $2) q)) as "stopped",
  ((select s."dateSuccess" from webhook_states s where s."idWebhook" = t1."id")) as "dateSuccess",
  ((select s."dateFailing" from webhook_states s where s."idWebhook" = t1."id")) as "dateFailing",
  ((select s."offReason" from webhook_states s where s."idWebhook" = t1."id")) as "offReason",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "webhooks" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "webhooks" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /exchange/messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "exchange_messages" t0  order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."dateCreate" as "dateCreate",
  t1."adapter" as "adapter",
  t1."direction" as "direction",
  t1."operation" as "operation",
  t1."entityType" as "entityType",
  t1."idEntity" as "idEntity",
  t1."idWebhook" as "idWebhook",
  t1."correlationId" as "correlationId",
  t1."idempotencyKey" as "idempotencyKey",
  t1."status" as "status",
  t1."attempts" as "attempts",
  t1."dateNext" as "dateNext",
  t1."dateLast" as "dateLast",
  t1."errorCode" as "errorCode",
  t1."errorText" as "errorText",
  t1."durationMs" as "durationMs",
  ((select o."state" from outbox o where o."id" = t1."id")) as "queue",
  ((exists (select 1 from exchange_bodies b where b."idMessage" = t1."id")
or exists (select 1 from exchange_contents c where c."idMessage" = t1."id"))) as "hasBody",
  t1."_version" as "_version") x) as j
from page join "exchange_messages" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "exchange_messages" t0  limit 10001) counted) as total;
