-- GET /calls?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls" t0 where not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."dateCreate" as "dateCreate",
  t2."dateEnd" as "dateEnd",
  ((extract(epoch from t2."dateEnd" - t2."dateCreate")::int)) as "duration",
  ((extract(epoch from t2."dateEnd" - t2."dateAnswer")::int)) as "talkS",
  t2."callType" as "callType",
  t2."contactPhone" as "contactPhone",
  t2."localPhone" as "localPhone",
  t2."destPhone" as "destPhone",
  t2."idCustomer" as "idCustomer",
  t2."isPrimaryCustomer" as "isPrimaryCustomer",
  t2."idUser" as "idUser",
  t2."idFirstUser" as "idFirstUser",
  t2."idFilial" as "idFilial",
  t2."state" as "state",
  t2."dateAnswer" as "dateAnswer",
  t2."waitS" as "waitS",
  t2."queue" as "queue",
  t2."recall" as "recall",
  t2."recallDueAt" as "recallDueAt",
  t2."recallS" as "recallS",
  t2."recallTries" as "recallTries",
  t2."gaveUp" as "gaveUp",
  t2."idTask" as "idTask",
  t2."idOutcome" as "idOutcome",
  t2."nextStep" as "nextStep",
  t2."dateNextStep" as "dateNextStep",
  t2."idOwner" as "idOwner",
  t2."needsEnd" as "needsEnd",
  t2."dateReady" as "dateReady",
  t2."source" as "source",
  t2."pbx" as "pbx",
  t2."idCallSession" as "idCallSession",
  t2."training" as "training",
  ((t2."fileLink" is not null)) as "hasRecord",
  t2."_version" as "_version") x) as j
from page join "calls" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls" t0 where not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /calls/legs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_legs" t0 where not t0."deleted" and (t0."idUser" = $1::bigint) order by t0."ringAt", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCall" as "idCall",
  t1."uniqueid" as "uniqueid",
  t1."party" as "party",
  t1."sipPhone" as "sipPhone",
  t1."idUser" as "idUser",
  t1."ringAt" as "ringAt",
  t1."answerAt" as "answerAt",
  t1."endAt" as "endAt",
  t1."dialStatus" as "dialStatus",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "calls_legs" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_legs" t0 where not t0."deleted" and (t0."idUser" = $2::bigint) limit 10001) counted) as total;

-- GET /calls/checks?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_checks" t0 where exists (select 1 from "calls" t1 where t1."id" = t0."idCall" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCall" as "idCall",
  t3."greeting" as "greeting",
  t3."name" as "name",
  t3."needs" as "needs",
  t3."offer" as "offer",
  t3."booking" as "booking",
  t3."farewell" as "farewell",
  ((round(100.0 * ((coalesce(t3."greeting", '') in ('yes'))::int + (coalesce(t3."name", '') in ('yes'))::int + (coalesce(t3."needs", '') in ('yes'))::int + (coalesce(t3."offer", '') in ('yes'))::int + (coalesce(t3."booking", '') in ('yes'))::int + (coalesce(t3."farewell", '') in ('yes'))::int) / nullif((coalesce(t3."greeting", '') in ('yes', 'no'))::int + (coalesce(t3."name", '') in ('yes', 'no'))::int + (coalesce(t3."needs", '') in ('yes', 'no'))::int + (coalesce(t3."offer", '') in ('yes', 'no'))::int + (coalesce(t3."booking", '') in ('yes', 'no'))::int + (coalesce(t3."farewell", '') in ('yes', 'no'))::int, 0))::int)) as "score",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "calls_checks" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_checks" t0 where exists (select 1 from "calls" t1 where t1."id" = t0."idCall" and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;
