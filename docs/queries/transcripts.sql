-- GET /calls/transcripts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_transcripts" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $1::bigint)) and not exists (select 1 from "calls" t1 where t1."id" = t0."idCall" and not (not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCall" as "idCall",
  t3."status" as "status",
  t3."progress" as "progress",
  t3."error" as "error",
  t3."seconds" as "seconds",
  t3."speechS" as "speechS",
  t3."byChannels" as "byChannels",
  t3."wordsCount" as "wordsCount",
  t3."model" as "model",
  t3."place" as "place",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."dateDone" as "dateDone",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "calls_transcripts" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_transcripts" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $3::bigint)) and not exists (select 1 from "calls" t1 where t1."id" = t0."idCall" and not (not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)))) limit 10001) counted) as total;

-- GET /calls/transcript-lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_transcript_lines" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $1::bigint)) and not exists (select 1 from "calls_transcripts" t1 where t1."id" = t0."idTranscript" and not (not exists (select 1 from "calls" t2 where t2."id" = t1."idCall" and not (not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null)))))) order by t0."idCall" desc, t0."fromMs", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idTranscript" as "idTranscript",
  t4."idCall" as "idCall",
  t4."speaker" as "speaker",
  t4."fromMs" as "fromMs",
  t4."toMs" as "toMs",
  t4."text" as "text",
  t4."words" as "words",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "calls_transcript_lines" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_transcript_lines" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $3::bigint)) and not exists (select 1 from "calls_transcripts" t1 where t1."id" = t0."idTranscript" and not (not exists (select 1 from "calls" t2 where t2."id" = t1."idCall" and not (not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($4::bigint, t3."id", 8) is null)))))) limit 10001) counted) as total;
