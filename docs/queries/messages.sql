-- GET /messages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "messages" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."event" as "event",
  t3."idTemplate" as "idTemplate",
  t3."idAppointment" as "idAppointment",
  t3."idFilial" as "idFilial",
  t3."dateFrom" as "dateFrom",
  t3."sum" as "sum",
  t3."advertising" as "advertising",
  t3."channel" as "channel",
  t3."tried" as "tried",
  t3."idLine" as "idLine",
  t3."text" as "text",
  t3."parts" as "parts",
  t3."cost" as "cost",
  t3."status" as "status",
  t3."reason" as "reason",
  t3."repeats" as "repeats",
  t3."dateDue" as "dateDue",
  t3."dateSent" as "dateSent",
  t3."dateDelivered" as "dateDelivered",
  t3."dateRead" as "dateRead",
  t3."reply" as "reply",
  t3."dateReply" as "dateReply",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "messages" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "messages" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;
