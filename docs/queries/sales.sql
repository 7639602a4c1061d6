-- GET /sales-management/funnels?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_funnels" t0 where not t0."deleted" order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."order" as "order",
  t1."canCompleteDealsWithoutOffers" as "canCompleteDealsWithoutOffers",
  t1."canCompleteDealsInWorkOfferStatus" as "canCompleteDealsInWorkOfferStatus",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "sales_management_funnels" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_funnels" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /sales-management/stages?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_stages" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."color" as "color",
  t2."order" as "order",
  t2."idFunnel" as "idFunnel",
  t2."idType" as "idType",
  ((case t2."idType" when $1 then $2 when $3 then $4 when $5 then $6 end)::text) as "nameType",
  t2."requiredFields" as "requiredFields",
  t2."nextStages" as "nextStages",
  t2."daysLimit" as "daysLimit",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_stages" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_stages" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/stage-actions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_stage_actions" t0 where not t0."deleted" and exists (select 1 from "sales_management_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "sales_management_funnels" t2 where t2."id" = t1."idFunnel" and not t2."deleted")) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idStage" as "idStage",
  t3."type" as "type",
  t3."order" as "order",
  t3."isActive" as "isActive",
  t3."idTemplate" as "idTemplate",
  t3."idUser" as "idUser",
  t3."hours" as "hours",
  t3."text" as "text",
  t3."idAuthor" as "idAuthor",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_stage_actions" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_stage_actions" t0 where not t0."deleted" and exists (select 1 from "sales_management_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "sales_management_funnels" t2 where t2."id" = t1."idFunnel" and not t2."deleted")) limit 10001) counted) as total;

-- GET /sales-management/funnel-scripts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_funnel_scripts" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."order" as "order",
  t2."idFunnel" as "idFunnel",
  t2."idScript" as "idScript",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_funnel_scripts" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_funnel_scripts" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/leads?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_leads" t0 where not t0."deleted" order by t0."dateCreate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."title" as "title",
  t1."description" as "description",
  t1."order" as "order",
  t1."price" as "price",
  t1."isPriceByHand" as "isPriceByHand",
  t1."idStage" as "idStage",
  ((select ls."idType" from sales_management_stages ls where ls."id" = t1."idStage")) as "typeStage",
  ((select ls."idFunnel" from sales_management_stages ls where ls."id" = t1."idStage")) as "idFunnel",
  t1."idSource" as "idSource",
  t1."utm" as "utm",
  t1."idCompany" as "idCompany",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."dateStage" as "dateStage",
  t1."dateExpected" as "dateExpected",
  t1."dateClosed" as "dateClosed",
  t1."nextStep" as "nextStep",
  t1."dateNextStep" as "dateNextStep",
  t1."dateReminded" as "dateReminded",
  t1."idLossReason" as "idLossReason",
  t1."lossNote" as "lossNote",
  t1."idUser" as "idUser",
  (coalesce((
select (lf."canCompleteDealsWithoutOffers" or exists (select 1 from sales_management_offers lo where lo."idLead" = t1."id" and not lo."deleted" and true))
and (lf."canCompleteDealsInWorkOfferStatus" or not exists (select 1 from sales_management_offers lo where lo."idLead" = t1."id" and not lo."deleted" and (select case
when count(*) = 0 or bool_or(os."idStatus" = 4) then 1
when bool_and(os."idStatus" = 1) then 2
when bool_or(os."idStatus" = 1) then 3
else 4 end from sales_management_offer_services os where os."idOffer" = lo."id" and not os."deleted") = 1))
from sales_management_stages ls join sales_management_funnels lf on lf."id" = ls."idFunnel"
where ls."id" = t1."idStage"), true)) as "canComplete",
  ((t1."id" is not null and true)) as "isEditable",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "sales_management_leads" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_leads" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /sales-management/responsible?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_responsible" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLead" as "idLead",
  t2."idUser" as "idUser",
  t2."_version" as "_version") x) as j
from page join "sales_management_responsible" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_responsible" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/tags?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_tags" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."color" as "color",
  t2."icon" as "icon",
  t2."idLead" as "idLead",
  t2."_version" as "_version") x) as j
from page join "sales_management_tags" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_tags" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/lead-comments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_lead_comments" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."message" as "message",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."isSystem" as "isSystem",
  t2."idLead" as "idLead",
  t2."idComment" as "idComment",
  t2."idUser" as "idUser",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_lead_comments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_lead_comments" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/lead-tasks?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_lead_tasks" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLead" as "idLead",
  t2."idTaskAssignColumn" as "idTaskAssignColumn",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_lead_tasks" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_lead_tasks" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/entities?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_entities" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLead" as "idLead",
  t2."type" as "type",
  t2."idEntity" as "idEntity",
  t2."order" as "order",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_entities" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_entities" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/lead-visits?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_lead_visits" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLead" as "idLead",
  t2."idStage" as "idStage",
  t2."dateStart" as "dateStart",
  t2."dateEnd" as "dateEnd",
  t2."idNext" as "idNext",
  t2."idPassed" as "idPassed",
  t2."idLost" as "idLost",
  t2."_version" as "_version") x) as j
from page join "sales_management_lead_visits" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_lead_visits" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "sales_management_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /sales-management/lead-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_lead_files" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idLead" as "idLead",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_lead_files" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_lead_files" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/lead-comment-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_lead_comment_files" t0 where not t0."deleted" and exists (select 1 from "sales_management_lead_comments" t1 where t1."id" = t0."idComment" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted")) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idComment" as "idComment",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_lead_comment_files" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_lead_comment_files" t0 where not t0."deleted" and exists (select 1 from "sales_management_lead_comments" t1 where t1."id" = t0."idComment" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted")) limit 10001) counted) as total;

-- GET /sales-management/contacts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_contacts" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."surname" as "surname",
  t3."name" as "name",
  t3."middleName" as "middleName",
  (coalesce(nullif(btrim(coalesce(nullif(t3."surname", '') || ' ', '') || coalesce(nullif(t3."name", '') || ' ', '') || coalesce(nullif(t3."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio",
  t3."phone" as "phone",
  t3."email" as "email",
  t3."gender" as "gender",
  to_char(t3."birthday", 'DD.MM.YYYY') as "birthday",
  t3."city" as "city",
  t3."address" as "address",
  t3."idCustomer" as "idCustomer",
  t3."idLead" as "idLead",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_contacts" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_contacts" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /sales-management/offers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_offers" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."dateValid" as "dateValid",
  t2."idLead" as "idLead",
  t2."idUser" as "idUser",
  ((select case
when count(*) = 0 or bool_or(os."idStatus" = 4) then 1
when bool_and(os."idStatus" = 1) then 2
when bool_or(os."idStatus" = 1) then 3
else 4 end from sales_management_offer_services os where os."idOffer" = t2."id" and not os."deleted")) as "idStatus",
  ((select coalesce(sum(greatest(round(os."quantity" * coalesce(os."price", 0) - os."discount", 2), 0)), 0) from sales_management_offer_services os where os."idOffer" = t2."id" and not os."deleted" and os."idStatus" <> 2)) as "total",
  ((select coalesce(sum(greatest(round(os."quantity" * coalesce(os."price", 0) - os."discount", 2), 0)), 0) from sales_management_offer_services os where os."idOffer" = t2."id" and not os."deleted" and os."idStatus" = 1)) as "totalAccepted",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "sales_management_offers" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_offers" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted") limit 10001) counted) as total;

-- GET /sales-management/offer-services?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_offer_services" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted")) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idOffer" as "idOffer",
  t3."idService" as "idService",
  t3."order" as "order",
  t3."quantity" as "quantity",
  t3."price" as "price",
  t3."discount" as "discount",
  (greatest(round(t3."quantity" * coalesce(t3."price", 0) - t3."discount", 2), 0)) as "total",
  t3."idStatus" as "idStatus",
  t3."idReason" as "idReason",
  t3."idCouponService" as "idCouponService",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_offer_services" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_offer_services" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted")) limit 10001) counted) as total;

-- GET /sales-management/offer-comments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_offer_comments" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted")) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."message" as "message",
  t3."dateCreate" as "dateCreate",
  t3."dateChange" as "dateChange",
  t3."idOffer" as "idOffer",
  t3."idUser" as "idUser",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_offer_comments" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_offer_comments" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted")) limit 10001) counted) as total;

-- GET /sales-management/intakes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_intakes" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."kind" as "kind",
  t1."isActive" as "isActive",
  t1."idFunnel" as "idFunnel",
  t1."idSource" as "idSource",
  t1."title" as "title",
  t1."thanks" as "thanks",
  t1."key" as "key",
  (exists (select 1 from sales_management_intake_secrets s where s."idIntake" = t1."id")) as "hasSecret",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "sales_management_intakes" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "sales_management_intakes" t0 where not t0."deleted" limit 10001) counted) as total;
