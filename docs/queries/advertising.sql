-- GET /advertising/campaigns?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "advertising_campaigns" t0 where not t0."deleted" order by t0."dateFrom" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."channel" as "channel",
  t1."status" as "status",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."budget" as "budget",
  t1."idFilial" as "idFilial",
  t1."idContractor" as "idContractor",
  t1."utmSource" as "utmSource",
  t1."utmMedium" as "utmMedium",
  t1."utmCampaign" as "utmCampaign",
  t1."promoCode" as "promoCode",
  t1."idSource" as "idSource",
  t1."erid" as "erid",
  t1."note" as "note",
  (coalesce((select sum(c."cost") from advertising_costs c
where c."idCampaign" = t1."id" and not c."deleted"), 0)::numeric(14,2)) as "spent",
  ((select count(*)::int from advertising_creatives m
where m."idCampaign" = t1."id" and not m."deleted"
and (coalesce(m."text", '') !~* 'противопоказани|необходима\s+консультация|проконсультируйтесь|консультаци[яию]\s+специалист'
or (m."isOnline" and coalesce(trim(m."erid"), '') = '' and coalesce(trim(t1."erid"), '') = '')))) as "warnings",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idAuthor" as "idAuthor",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "advertising_campaigns" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "advertising_campaigns" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /advertising/numbers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "advertising_numbers" t0 where not t0."deleted" and exists (select 1 from "advertising_campaigns" t1 where t1."id" = t0."idCampaign" and not t1."deleted") order by t0."dateFrom", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCampaign" as "idCampaign",
  t2."phone" as "phone",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "advertising_numbers" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "advertising_numbers" t0 where not t0."deleted" and exists (select 1 from "advertising_campaigns" t1 where t1."id" = t0."idCampaign" and not t1."deleted") limit 10001) counted) as total;

-- GET /advertising/creatives?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "advertising_creatives" t0 where not t0."deleted" and exists (select 1 from "advertising_campaigns" t1 where t1."id" = t0."idCampaign" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCampaign" as "idCampaign",
  t2."name" as "name",
  t2."text" as "text",
  t2."isOnline" as "isOnline",
  t2."erid" as "erid",
  t2."url" as "url",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "advertising_creatives" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "advertising_creatives" t0 where not t0."deleted" and exists (select 1 from "advertising_campaigns" t1 where t1."id" = t0."idCampaign" and not t1."deleted") limit 10001) counted) as total;

-- GET /advertising/costs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "advertising_costs" t0 where not t0."deleted" and exists (select 1 from "advertising_campaigns" t1 where t1."id" = t0."idCampaign" and not t1."deleted") order by t0."localDate" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCampaign" as "idCampaign",
  t2."localDate" as "localDate",
  t2."cost" as "cost",
  t2."clicks" as "clicks",
  t2."impressions" as "impressions",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "advertising_costs" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "advertising_costs" t0 where not t0."deleted" and exists (select 1 from "advertising_campaigns" t1 where t1."id" = t0."idCampaign" and not t1."deleted") limit 10001) counted) as total;
