-- GET /news/intakes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news_intakes" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."source" as "source",
  t1."isActive" as "isActive",
  t1."publish" as "publish",
  t1."key" as "key",
  (exists (select 1 from news_intake_secrets s where s."idIntake" = t1."id")) as "hasSecret",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "news_intakes" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "news_intakes" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /news?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news" t0 where not t0."deleted" order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idExternal" as "idExternal",
  t1."title" as "title",
  t1."text" as "text",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."source" as "source",
  t1."active" as "active",
  t1."isOnSite" as "isOnSite",
  t1."isPinned" as "isPinned",
  t1."dateActive" as "dateActive",
  t1."dateReminded" as "dateReminded",
  t1."idIntake" as "idIntake",
  t1."idUser" as "idUser",
  (exists (select 1 from news_reads d where d."idNews" = t1."id" and d."idUser" = $1::bigint and not d."deleted")) as "isRead",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "news" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "news" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /news/images/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news_images_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."extension" as "extension",
  t1."size" as "size",
  t1."meta" as "meta",
  t1."key" as "key",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  ('/files/' || t1."id") as "url",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "news_images_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "news_images_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /news/images?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news_images" t0 where not t0."deleted" and exists (select 1 from "news" t1 where t1."id" = t0."idNews" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idNews" as "idNews",
  t2."idFileRegister" as "idFileRegister",
  t2."idExternal" as "idExternal",
  t2."size" as "size",
  t2."urlExternal" as "urlExternal",
  t2."key" as "key",
  t2."dateCreate" as "dateCreate",
  ('/files/' || t2."idFileRegister" || '/' || t2."size") as "url",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "news_images" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "news_images" t0 where not t0."deleted" and exists (select 1 from "news" t1 where t1."id" = t0."idNews" and not t1."deleted") limit 10001) counted) as total;

-- GET /news/reads?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news_reads" t0 where not t0."deleted" order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idNews" as "idNews",
  t1."idUser" as "idUser",
  t1."dateRead" as "dateRead",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "news_reads" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "news_reads" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /news/comments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news_comments" t0 where not t0."deleted" order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."message" as "message",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."isSystem" as "isSystem",
  t1."idNews" as "idNews",
  t1."idComment" as "idComment",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "news_comments" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "news_comments" t0 where not t0."deleted" limit 10001) counted) as total;
