-- GET /calls?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls" t0  order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."dateCreate" as "dateCreate",
  t1."dateEnd" as "dateEnd",
  ((extract(epoch from t1."dateEnd" - t1."dateCreate")::int)) as "duration",
  ((extract(epoch from t1."dateEnd" - t1."dateAnswer")::int)) as "talkS",
  t1."callType" as "callType",
  t1."contactPhone" as "contactPhone",
  t1."localPhone" as "localPhone",
  t1."destPhone" as "destPhone",
  t1."idCustomer" as "idCustomer",
  t1."isPrimaryCustomer" as "isPrimaryCustomer",
  t1."idUser" as "idUser",
  t1."idFirstUser" as "idFirstUser",
  t1."idFilial" as "idFilial",
  t1."state" as "state",
  t1."dateAnswer" as "dateAnswer",
  t1."waitS" as "waitS",
  t1."queue" as "queue",
  t1."recall" as "recall",
  t1."recallDueAt" as "recallDueAt",
  t1."recallS" as "recallS",
  t1."recallTries" as "recallTries",
  t1."gaveUp" as "gaveUp",
  t1."idTask" as "idTask",
  t1."idOutcome" as "idOutcome",
  t1."nextStep" as "nextStep",
  t1."dateNextStep" as "dateNextStep",
  t1."idOwner" as "idOwner",
  t1."needsEnd" as "needsEnd",
  t1."dateReady" as "dateReady",
  t1."source" as "source",
  t1."pbx" as "pbx",
  t1."idCallSession" as "idCallSession",
  t1."training" as "training",
  ((t1."fileLink" is not null)) as "hasRecord",
  t1."_version" as "_version") x) as j
from page join "calls" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls" t0  limit 10001) counted) as total;

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
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_checks" t0  order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCall" as "idCall",
  t2."greeting" as "greeting",
  t2."name" as "name",
  t2."needs" as "needs",
  t2."offer" as "offer",
  t2."booking" as "booking",
  t2."farewell" as "farewell",
  ((round(100.0 * ((coalesce(t2."greeting", '') in ('yes'))::int + (coalesce(t2."name", '') in ('yes'))::int + (coalesce(t2."needs", '') in ('yes'))::int + (coalesce(t2."offer", '') in ('yes'))::int + (coalesce(t2."booking", '') in ('yes'))::int + (coalesce(t2."farewell", '') in ('yes'))::int) / nullif((coalesce(t2."greeting", '') in ('yes', 'no'))::int + (coalesce(t2."name", '') in ('yes', 'no'))::int + (coalesce(t2."needs", '') in ('yes', 'no'))::int + (coalesce(t2."offer", '') in ('yes', 'no'))::int + (coalesce(t2."booking", '') in ('yes', 'no'))::int + (coalesce(t2."farewell", '') in ('yes', 'no'))::int, 0))::int)) as "score",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "calls_checks" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_checks" t0  limit 10001) counted) as total;
