-- GET /calls/transcripts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_transcripts" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $1::bigint)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCall" as "idCall",
  t1."status" as "status",
  t1."progress" as "progress",
  t1."error" as "error",
  t1."seconds" as "seconds",
  t1."speechS" as "speechS",
  t1."byChannels" as "byChannels",
  t1."wordsCount" as "wordsCount",
  t1."model" as "model",
  t1."place" as "place",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."dateDone" as "dateDone",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "calls_transcripts" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_transcripts" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $2::bigint)) limit 10001) counted) as total;

-- GET /calls/transcript-lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls_transcript_lines" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $1::bigint)) order by t0."idCall" desc, t0."fromMs", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idTranscript" as "idTranscript",
  t1."idCall" as "idCall",
  t1."speaker" as "speaker",
  t1."fromMs" as "fromMs",
  t1."toMs" as "toMs",
  t1."text" as "text",
  t1."words" as "words",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "calls_transcript_lines" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "calls_transcript_lines" t0 where not t0."deleted" and (exists (select from calls c where c."id" = t0."idCall" and c."idUser" = $2::bigint)) limit 10001) counted) as total;
