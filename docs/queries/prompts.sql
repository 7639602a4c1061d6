-- GET /prompts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "prompts" t0 where not t0."deleted" order by t0."isDefault" desc, t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."kind" as "kind",
  t1."text" as "text",
  t1."specialities" as "specialities",
  t1."examinationTemplates" as "examinationTemplates",
  t1."callTypes" as "callTypes",
  t1."outputSchema" as "outputSchema",
  t1."model" as "model",
  t1."temperature" as "temperature",
  t1."version" as "version",
  t1."active" as "active",
  t1."isDefault" as "isDefault",
  ((select count(*)::int from prompts_runs r where r."idPrompt" = t1."id" and r."status" not in ('queued', 'running'))) as "runsCount",
  ((select count(*)::int from prompts_runs r where r."idPrompt" = t1."id" and r."rating" = 'good')) as "goodCount",
  ((select count(*)::int from prompts_runs r where r."idPrompt" = t1."id" and r."rating" = 'bad')) as "badCount",
  ((select coalesce(round(sum(r."cost"), 2), 0) from prompts_runs r where r."idPrompt" = t1."id" and true)) as "cost",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "prompts" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "prompts" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /prompts/versions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "prompts_versions" t0 where exists (select 1 from "prompts" t1 where t1."id" = t0."idPrompt" and not t1."deleted") order by t0."number" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idPrompt" as "idPrompt",
  t2."number" as "number",
  t2."text" as "text",
  t2."outputSchema" as "outputSchema",
  t2."model" as "model",
  t2."temperature" as "temperature",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "prompts_versions" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "prompts_versions" t0 where exists (select 1 from "prompts" t1 where t1."id" = t0."idPrompt" and not t1."deleted") limit 10001) counted) as total;

-- GET /prompts/runs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "prompts_runs" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."dateCreate" as "dateCreate",
  t2."idPrompt" as "idPrompt",
  t2."number" as "number",
  t2."kind" as "kind",
  t2."subject" as "subject",
  t2."idEntity" as "idEntity",
  t2."idCustomer" as "idCustomer",
  t2."idUser" as "idUser",
  t2."status" as "status",
  t2."error" as "error",
  t2."system" as "system",
  t2."input" as "input",
  t2."output" as "output",
  t2."masked" as "masked",
  t2."model" as "model",
  t2."temperature" as "temperature",
  t2."place" as "place",
  t2."tokensIn" as "tokensIn",
  t2."tokensOut" as "tokensOut",
  t2."cost" as "cost",
  t2."ms" as "ms",
  t2."rating" as "rating",
  t2."accepted" as "accepted",
  t2."acceptedBy" as "acceptedBy",
  t2."dateAccepted" as "dateAccepted",
  t2."dateDone" as "dateDone",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "prompts_runs" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "prompts_runs" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;
