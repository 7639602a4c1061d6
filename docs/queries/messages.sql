-- GET /messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "messages" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."event" as "event",
  t2."idTemplate" as "idTemplate",
  t2."idAppointment" as "idAppointment",
  t2."idFilial" as "idFilial",
  t2."dateFrom" as "dateFrom",
  t2."sum" as "sum",
  t2."advertising" as "advertising",
  t2."channel" as "channel",
  t2."tried" as "tried",
  t2."idLine" as "idLine",
  t2."text" as "text",
  t2."parts" as "parts",
  t2."cost" as "cost",
  t2."status" as "status",
  t2."reason" as "reason",
  t2."repeats" as "repeats",
  t2."dateDue" as "dateDue",
  t2."dateSent" as "dateSent",
  t2."dateDelivered" as "dateDelivered",
  t2."dateRead" as "dateRead",
  t2."reply" as "reply",
  t2."dateReply" as "dateReply",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "messages" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "messages" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($2::bigint, t1."id", 8) is not null)) limit 10001) counted) as total;
