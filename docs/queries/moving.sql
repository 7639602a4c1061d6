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
  t2."strangers" as "strangers",
  t2."clashes" as "clashes",
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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers_past_visits" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."localDate" as "localDate",
  t3."dateFrom" as "dateFrom",
  t3."localStart" as "localStart",
  t3."idDoctor" as "idDoctor",
  t3."doctorName" as "doctorName",
  t3."services" as "services",
  t3."lines" as "lines",
  t3."sum" as "sum",
  t3."status" as "status",
  t3."paid" as "paid",
  t3."payment" as "payment",
  t3."discount" as "discount",
  t3."sourceName" as "sourceName",
  t3."bookedBy" as "bookedBy",
  t3."note" as "note",
  t3."program" as "program",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "customers_past_visits" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "customers_past_visits" t0 where not t0."deleted" and exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;
