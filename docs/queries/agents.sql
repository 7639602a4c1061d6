-- GET /desk-agents?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "desk_agents" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idFilial" as "idFilial",
  t1."addresses" as "addresses",
  t1."programs" as "programs",
  t1."active" as "active",
  t1."dateToken" as "dateToken",
  t1."dateSeen" as "dateSeen",
  t1."computer" as "computer",
  t1."version" as "version",
  (exists (select from desk_agent_lines l
where l."idAgent" = t1."id" and l."holder" is not null and l."seenAt" > now() - make_interval(secs => $1))) as "isOnline",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "desk_agents" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "desk_agents" t0 where not t0."deleted" limit 10001) counted) as total;
