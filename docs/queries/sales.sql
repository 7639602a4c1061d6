-- GET /sales-management/funnels?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_funnels" t0 where not t0."deleted" order by t0."order", t0."id" limit $1) picked)
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
from page join "sales_management_funnels" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_funnels" t0 where not t0."deleted") as total;

-- GET /sales-management/stages?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "sales_management_stages" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."order" as "order",
  t3."idFunnel" as "idFunnel",
  t3."idType" as "idType",
  ((case t3."idType" when $2 then $3 when $4 then $5 when $6 then $7 end)::text) as "nameType",
  t3."requiredFields" as "requiredFields",
  t3."nextStages" as "nextStages",
  t3."daysLimit" as "daysLimit",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_stages" t3 using ("id") where page.n <= $8
) r
), '[]')::text as items,
(select count(*) > $9 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/stage-actions?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "sales_management_stage_actions" t0 where not t0."deleted" and exists (select 1 from "sales_management_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "sales_management_funnels" t2 where t2."id" = t1."idFunnel" and not t2."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idStage" as "idStage",
  t5."type" as "type",
  t5."order" as "order",
  t5."isActive" as "isActive",
  t5."idTemplate" as "idTemplate",
  t5."idUser" as "idUser",
  t5."hours" as "hours",
  t5."text" as "text",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "sales_management_stage_actions" t5 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/funnel-scripts?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "sales_management_funnel_scripts" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."order" as "order",
  t3."idFunnel" as "idFunnel",
  t3."idScript" as "idScript",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_funnel_scripts" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/leads?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_leads" t0 where not t0."deleted" order by t0."dateCreate" desc, t0."id" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."title" as "title",
  t1."description" as "description",
  t1."order" as "order",
  t1."price" as "price",
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
from page join "sales_management_leads" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_leads" t0 where not t0."deleted") as total;

-- GET /sales-management/responsible?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_responsible" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLead" as "idLead",
  t3."idUser" as "idUser",
  t3."_version" as "_version") x) as j
from page join "sales_management_responsible" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/tags?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_tags" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."icon" as "icon",
  t3."idLead" as "idLead",
  t3."_version" as "_version") x) as j
from page join "sales_management_tags" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/lead-comments?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_lead_comments" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."message" as "message",
  t3."dateCreate" as "dateCreate",
  t3."dateChange" as "dateChange",
  t3."isSystem" as "isSystem",
  t3."idLead" as "idLead",
  t3."idComment" as "idComment",
  t3."idUser" as "idUser",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_lead_comments" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/lead-tasks?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_lead_tasks" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLead" as "idLead",
  t3."idTaskAssignColumn" as "idTaskAssignColumn",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_lead_tasks" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/entities?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "sales_management_entities" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLead" as "idLead",
  t3."type" as "type",
  t3."idEntity" as "idEntity",
  t3."order" as "order",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_entities" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/lead-visits?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_lead_visits" t0 where exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLead" as "idLead",
  t3."idStage" as "idStage",
  t3."dateStart" as "dateStart",
  t3."dateEnd" as "dateEnd",
  t3."idNext" as "idNext",
  t3."idPassed" as "idPassed",
  t3."idLost" as "idLost",
  t3."_version" as "_version") x) as j
from page join "sales_management_lead_visits" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_files" t0 where not t0."deleted" order by t0."id" desc limit $1) picked)
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
from page join "sales_management_files" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_files" t0 where not t0."deleted") as total;

-- GET /sales-management/lead-files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_lead_files" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idLead" as "idLead",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_lead_files" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/lead-comment-files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_lead_comment_files" t0 where not t0."deleted" and exists (select 1 from "sales_management_lead_comments" t1 where t1."id" = t0."idComment" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idComment" as "idComment",
  t5."idFile" as "idFile",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "sales_management_lead_comment_files" t5 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/contacts?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_contacts" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
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
from page join "sales_management_contacts" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/offers?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_offers" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."dateCreate" as "dateCreate",
  t3."dateChange" as "dateChange",
  t3."idLead" as "idLead",
  t3."idUser" as "idUser",
  ((select case
when count(*) = 0 or bool_or(os."idStatus" = 4) then 1
when bool_and(os."idStatus" = 1) then 2
when bool_or(os."idStatus" = 1) then 3
else 4 end from sales_management_offer_services os where os."idOffer" = t3."id" and not os."deleted")) as "idStatus",
  ((select coalesce(sum(greatest(round(os."quantity" * coalesce(os."price", 0) - os."discount", 2), 0)), 0) from sales_management_offer_services os where os."idOffer" = t3."id" and not os."deleted" and os."idStatus" <> 2)) as "total",
  ((select coalesce(sum(greatest(round(os."quantity" * coalesce(os."price", 0) - os."discount", 2), 0)), 0) from sales_management_offer_services os where os."idOffer" = t3."id" and not os."deleted" and os."idStatus" = 1)) as "totalAccepted",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "sales_management_offers" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/offer-services?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "sales_management_offer_services" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idOffer" as "idOffer",
  t5."idService" as "idService",
  t5."order" as "order",
  t5."quantity" as "quantity",
  t5."price" as "price",
  t5."discount" as "discount",
  (greatest(round(t5."quantity" * coalesce(t5."price", 0) - t5."discount", 2), 0)) as "total",
  t5."idStatus" as "idStatus",
  t5."idReason" as "idReason",
  t5."idCouponService" as "idCouponService",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "sales_management_offer_services" t5 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/offer-comments?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_offer_comments" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."message" as "message",
  t5."dateCreate" as "dateCreate",
  t5."dateChange" as "dateChange",
  t5."idOffer" as "idOffer",
  t5."idUser" as "idUser",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "sales_management_offer_comments" t5 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/intakes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_intakes" t0 where not t0."deleted" order by t0."name", t0."id" limit $1) picked)
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
from page join "sales_management_intakes" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_intakes" t0 where not t0."deleted") as total;
