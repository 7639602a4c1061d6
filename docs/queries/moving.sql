-- GET /moving/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "moving_files" t0 where not t0."deleted" and exists (select 1 from "moving" t1 where t1."id" = t0."idMove" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idMove" as "idMove",
  t2."table" as "table",
  t2."fileName" as "fileName",
  t2."state" as "state",
  t2."head" as "head",
  t2."reading" as "reading",
  t2."mapping" as "mapping",
  t2."twins" as "twins",
  t2."total" as "total",
  t2."done" as "done",
  t2."created" as "created",
  t2."updated" as "updated",
  t2."same" as "same",
  t2."doubted" as "doubted",
  t2."twin" as "twin",
  t2."both" as "both",
  t2."wrong" as "wrong",
  t2."message" as "message",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."dateChecked" as "dateChecked",
  t2."dateEnd" as "dateEnd",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "moving_files" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "moving_files" t0 where not t0."deleted" and exists (select 1 from "moving" t1 where t1."id" = t0."idMove" and not t1."deleted") limit 10001) counted) as total;

-- GET /customers/past-visits?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_past_visits" t0 where not t0."deleted" and (exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($1::bigint, card."id", 8) is not null))) order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCustomer" as "idCustomer",
  t1."localDate" as "localDate",
  t1."dateFrom" as "dateFrom",
  t1."localStart" as "localStart",
  t1."idDoctor" as "idDoctor",
  t1."doctorName" as "doctorName",
  t1."services" as "services",
  t1."lines" as "lines",
  t1."sum" as "sum",
  t1."note" as "note",
  t1."program" as "program",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "customers_past_visits" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_past_visits" t0 where not t0."deleted" and (exists (select 1 from customers card
where card."id" = t0."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($2::bigint, card."id", 8) is not null))) limit 10001) counted) as total;
