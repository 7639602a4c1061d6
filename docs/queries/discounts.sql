-- GET /discounts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "discounts" t0 where not t0."deleted" order by t0."priority" desc, t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."description" as "description",
  t1."status" as "status",
  t1."priority" as "priority",
  t1."filials" as "filials",
  t1."kind" as "kind",
  t1."unit" as "unit",
  t1."value" as "value",
  t1."perOrder" as "perOrder",
  t1."tiers" as "tiers",
  t1."window" as "window",
  t1."giftEvery" as "giftEvery",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."weekdays" as "weekdays",
  t1."timeFrom" as "timeFrom",
  t1."timeTo" as "timeTo",
  t1."category" as "category",
  t1."services" as "services",
  t1."groups" as "groups",
  t1."doctors" as "doctors",
  t1."exceptServices" as "exceptServices",
  t1."exceptGroups" as "exceptGroups",
  t1."tags" as "tags",
  t1."sources" as "sources",
  t1."companies" as "companies",
  t1."gender" as "gender",
  t1."ageFrom" as "ageFrom",
  t1."ageTo" as "ageTo",
  t1."onlyFirstVisit" as "onlyFirstVisit",
  t1."birthdayDays" as "birthdayDays",
  t1."pensioner" as "pensioner",
  t1."staff" as "staff",
  t1."minSum" as "minSum",
  t1."maxDiscount" as "maxDiscount",
  t1."totalUses" as "totalUses",
  t1."usesPerCustomer" as "usesPerCustomer",
  t1."stackable" as "stackable",
  t1."needApproval" as "needApproval",
  t1."version" as "version",
  t1."idPrevious" as "idPrevious",
  ('') as "targetNames",
  (coalesce((select string_agg(n.name, ', ' order by n.name) from (select coalesce("shortFilialName", "nameFilial") as name from filials where "id" = any (t1."filials")) n), '')) as "filialNames",
  (case when t1."status" <> 'active' then 'off'
when t1."dateTo" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$1::text))::date then 'expired'
when coalesce((select c."uses" from discount_counters c where c."idDiscount" = t1."id"), 0) >= t1."totalUses" then 'exhausted'
when t1."dateFrom" > (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date then 'planned' else 'active' end) as "state",
  (coalesce((select c."uses" from discount_counters c where c."idDiscount" = t1."id"), 0)) as "uses",
  (coalesce((select c."sum" from discount_counters c where c."idDiscount" = t1."id"), 0)) as "sumGiven",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "discounts" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "discounts" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /discounts/promo-codes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "discounts_promo_codes" t0 where not t0."deleted" and exists (select 1 from "discounts" t1 where t1."id" = t0."idDiscount" and not t1."deleted") and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idDiscount" as "idDiscount",
  t3."code" as "code",
  t3."limit" as "limit",
  t3."idCustomer" as "idCustomer",
  t3."expires" as "expires",
  (coalesce((select c."uses" from discount_code_counters c where c."idCode" = t3."id"), 0)) as "uses",
  t3."dateCreate" as "dateCreate",
  t3."idUser" as "idUser",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "discounts_promo_codes" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "discounts_promo_codes" t0 where not t0."deleted" and exists (select 1 from "discounts" t1 where t1."id" = t0."idDiscount" and not t1."deleted") and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /discounts/bonus-programs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "discounts_bonus_programs" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."active" as "active",
  t1."percent" as "percent",
  t1."tiers" as "tiers",
  t1."window" as "window",
  t1."delayDays" as "delayDays",
  t1."lifeDays" as "lifeDays",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."filials" as "filials",
  t1."category" as "category",
  t1."groups" as "groups",
  t1."services" as "services",
  t1."exceptGroups" as "exceptGroups",
  t1."exceptServices" as "exceptServices",
  t1."tags" as "tags",
  t1."sources" as "sources",
  t1."gender" as "gender",
  t1."ageFrom" as "ageFrom",
  t1."ageTo" as "ageTo",
  (coalesce((select sum(b."sum") from bonuses b where b."idProgram" = t1."id"), 0)) as "given",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "discounts_bonus_programs" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "discounts_bonus_programs" t0 where not t0."deleted" limit 10001) counted) as total;
