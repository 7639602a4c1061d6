-- GET /users?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "users" t0 where not t0."deleted" order by t0."surname", t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."surname" as "surname", t1."name" as "name", t1."middleName" as "middleName", (coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio", (case when coalesce(t1."surname", '') = '' then coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени') else t1."surname" || coalesce(' ' || upper(left(nullif(t1."name", ''), 1)) || '.', '') || coalesce(' ' || upper(left(nullif(t1."middleName", ''), 1)) || '.', '') end) as "shortFio", t1."avatar" as "avatar", t1."post" as "post", t1."phone" as "phone", t1."email" as "email", t1."description" as "description", t1."sex" as "sex", to_char(t1."birthday", 'DD.MM.YYYY') as "birthday", t1."sipPhone" as "sipPhone", t1."timeZone" as "timeZone", t1."isLiveAssist" as "isLiveAssist", t1."lastActive" as "lastActive", (coalesce(not t1."deleted" and not t1."isBlocked" and t1."lastActive" > now() - make_interval(secs => 210), false)) as "isOnline", ((not t1."deleted" and not t1."isBlocked")) as "isActive", (md5('users/' || t1."id")) as "hash", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "users" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "users" t0 where not t0."deleted") as total;

-- GET /roles?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "roles" t0  order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."permissions" as "permissions", t1."isSystem" as "isSystem", ((select count(*)::int from "user_roles" t2 where t2."idRole" = t1."id" and exists (select 1 from users u where u."id" = t2."idUser" and not u."deleted"))) as "usersCount", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."_version" as "_version") x) as j
from page join "roles" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "roles" t0 ) as total;

-- GET /user-roles?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "user_roles" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."idRole" as "idRole", t1."dateCreate" as "dateCreate", t1."_version" as "_version") x) as j
from page join "user_roles" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "user_roles" t0 ) as total;

-- GET /user-permissions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "user_permissions" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."permission" as "permission", t1."reason" as "reason", t1."dateCreate" as "dateCreate", t1."_version" as "_version") x) as j
from page join "user_permissions" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "user_permissions" t0 ) as total;

-- GET /user-settings?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0", t0."id" as "k1" from "user_settings" t0 where not t0."deleted" and (t0."idUser" = $1::bigint)), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."value" as "value", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "user_settings" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /notifications?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "notifications" t0 where not t0."deleted" and (t0."idUser" = $1::bigint)), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."kind" as "kind", t1."title" as "title", t1."text" as "text", t1."path" as "path", t1."idEntity" as "idEntity", t1."link" as "link", t1."idActor" as "idActor", t1."dateCreate" as "dateCreate", t1."dateRead" as "dateRead", t1."dateMailed" as "dateMailed", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "notifications" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /imports?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "imports" t0 where not t0."deleted" and (t0."idUser" = $1::bigint)), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."kind" as "kind", t1."fileName" as "fileName", t1."params" as "params", t1."state" as "state", t1."total" as "total", t1."done" as "done", t1."created" as "created", t1."failed" as "failed", t1."message" as "message", t1."idUser" as "idUser", t1."dateCreate" as "dateCreate", t1."dateEnd" as "dateEnd", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "imports" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /customers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "customers" t0 where not t0."deleted" order by t0."surname", t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."surname" as "surname", t1."name" as "name", t1."middleName" as "middleName", (coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio", (case when coalesce(t1."surname", '') = '' then coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени') else t1."surname" || coalesce(' ' || upper(left(nullif(t1."name", ''), 1)) || '.', '') || coalesce(' ' || upper(left(nullif(t1."middleName", ''), 1)) || '.', '') end) as "shortFio", t1."phone" as "phone", t1."phoneExtended" as "phoneExtended", t1."phoneMother" as "phoneMother", t1."phoneFather" as "phoneFather", t1."phoneWork" as "phoneWork", t1."email" as "email", t1."gender" as "gender", to_char(t1."birthday", 'DD.MM.YYYY') as "birthday", t1."work" as "work", t1."addressWork" as "addressWork", t1."post" as "post", t1."familyStatus" as "familyStatus", t1."educationLevel" as "educationLevel", t1."employment" as "employment", t1."regionCodeFact" as "regionCodeFact", t1."factAddressAsString" as "factAddressAsString", t1."nameCityFact" as "nameCityFact", t1."snils" as "snils", t1."numberPassport" as "numberPassport", t1."datePassport" as "datePassport", t1."issuedByPassport" as "issuedByPassport", t1."issuedByPassportCode" as "issuedByPassportCode", t1."address" as "address", t1."region" as "region", t1."district" as "district", t1."nameCity" as "nameCity", t1."nameStreet" as "nameStreet", t1."numberStreet" as "numberStreet", t1."numberRoom" as "numberRoom", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "customers" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "customers" t0 where not t0."deleted") as total;

-- GET /live-assist?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "live_assist" t0 where not t0."deleted" order by t0."dateChange" desc, t0."id" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."phone" as "phone", t1."email" as "email", t1."status" as "status", t1."source" as "source", t1."sourceName" as "sourceName", t1."banned" as "banned", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."idUser" as "idUser", t1."idCustomer" as "idCustomer", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "live_assist" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "live_assist" t0 where not t0."deleted") as total;

-- GET /calls?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "calls" t0  order by t0."dateCreate" desc, t0."id" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."dateCreate" as "dateCreate", t1."dateEnd" as "dateEnd", ((extract(epoch from t1."dateEnd" - t1."dateCreate")::int)) as "duration", t1."callType" as "callType", t1."contactPhone" as "contactPhone", t1."localPhone" as "localPhone", t1."destPhone" as "destPhone", t1."idCustomer" as "idCustomer", t1."isPrimaryCustomer" as "isPrimaryCustomer", t1."idUser" as "idUser", t1."recall" as "recall", t1."idCallSession" as "idCallSession", t1."fileLink" as "fileLink", t1."_version" as "_version") x) as j
from page join "calls" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "calls" t0 ) as total;

-- GET /service-types?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "service_types" t0 where not t0."deleted" order by t0."nameServiceType", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."nameServiceType" as "nameServiceType", t1."color" as "color", t1."iconClass" as "iconClass", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "service_types" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "service_types" t0 where not t0."deleted") as total;

-- GET /services-groups?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "services_groups" t0 where not t0."deleted" order by t0."nameServiceGroup", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."nameServiceGroup" as "nameServiceGroup", t1."color" as "color", t1."groupKeywords" as "groupKeywords", t1."groupCode" as "groupCode", t1."servicesGroupsType" as "servicesGroupsType", t1."idParentGroup" as "idParentGroup", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "services_groups" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "services_groups" t0 where not t0."deleted") as total;

-- GET /services?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "services" t0 where not t0."deleted" order by t0."nameService", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."nameService" as "nameService", t1."shortNameService" as "shortNameService", t1."priceService" as "priceService", t1."description" as "description", t1."code" as "code", t1."labCode" as "labCode", t1."article" as "article", t1."barcode" as "barcode", t1."active" as "active", t1."activeShop" as "activeShop", t1."friendlyUrl" as "friendlyUrl", t1."approximately" as "approximately", t1."hidePrice" as "hidePrice", t1."serviceCategory" as "serviceCategory", t1."unit" as "unit", t1."idGroup" as "idGroup", t1."idType" as "idType", t1."userCreate" as "userCreate", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "services" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "services" t0 where not t0."deleted") as total;

-- GET /script-groups?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "script_groups" t0 where not t0."deleted" order by t0."order", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."order" as "order", t1."idParentGroup" as "idParentGroup", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "script_groups" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "script_groups" t0 where not t0."deleted") as total;

-- GET /old-scripts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "old_scripts" t0 where not t0."deleted" order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."active" as "active", t1."description" as "description", t1."idGroup" as "idGroup", t1."params" as "params", t1."dateChange" as "dateChange", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "old_scripts" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "old_scripts" t0 where not t0."deleted") as total;

-- GET /sales-management/funnel-stage-types?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_funnel_stage_types" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."_version" as "_version") x) as j
from page join "sales_management_funnel_stage_types" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_funnel_stage_types" t0 ) as total;

-- GET /sales-management/funnels?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_funnels" t0 where not t0."deleted" order by t0."order", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."order" as "order", t1."canCompleteDealsWithoutOffers" as "canCompleteDealsWithoutOffers", t1."canCompleteDealsInWorkOfferStatus" as "canCompleteDealsInWorkOfferStatus", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_funnels" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_funnels" t0 where not t0."deleted") as total;

-- GET /sales-management/stages?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "sales_management_stages" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."color" as "color", t3."order" as "order", t3."idFunnel" as "idFunnel", t3."idType" as "idType", ((case t3."idType" when $2 then $3 when $4 then $5 when $6 then $7 end)::text) as "nameType", t3."requiredFields" as "requiredFields", t3."nextStages" as "nextStages", t3."daysLimit" as "daysLimit", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "sales_management_stages" t3 using ("id") where page.n <= $8
) r
), '[]')::text as items,
(select count(*) > $9 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/stage-actions?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "sales_management_stage_actions" t0 where not t0."deleted" and exists (select 1 from "sales_management_stages" t1 where t1."id" = t0."idStage" and not t1."deleted" and exists (select 1 from "sales_management_funnels" t2 where t2."id" = t1."idFunnel" and not t2."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idStage" as "idStage", t5."type" as "type", t5."order" as "order", t5."isActive" as "isActive", t5."idTemplate" as "idTemplate", t5."idUser" as "idUser", t5."hours" as "hours", t5."text" as "text", t5."deleted" as "deleted", t5."_version" as "_version") x) as j
from page join "sales_management_stage_actions" t5 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/funnel-scripts?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "sales_management_funnel_scripts" t0 where not t0."deleted" and exists (select 1 from "sales_management_funnels" t1 where t1."id" = t0."idFunnel" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."order" as "order", t3."idFunnel" as "idFunnel", t3."idScript" as "idScript", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "sales_management_funnel_scripts" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/sources?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_sources" t0 where not t0."deleted" order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."UTM" as "UTM", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_sources" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_sources" t0 where not t0."deleted") as total;

-- GET /sales-management/loss-reasons?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_loss_reasons" t0 where not t0."deleted" order by t0."order", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."order" as "order", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_loss_reasons" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_loss_reasons" t0 where not t0."deleted") as total;

-- GET /sales-management/companies?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_companies" t0 where not t0."deleted" order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."phone" as "phone", t1."email" as "email", t1."city" as "city", t1."address" as "address", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_companies" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_companies" t0 where not t0."deleted") as total;

-- GET /sales-management/leads?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_leads" t0 where not t0."deleted" order by t0."dateCreate" desc, t0."id" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."title" as "title", t1."description" as "description", t1."order" as "order", t1."price" as "price", t1."idStage" as "idStage", ((select ls."idType" from sales_management_stages ls where ls."id" = t1."idStage")) as "typeStage", ((select ls."idFunnel" from sales_management_stages ls where ls."id" = t1."idStage")) as "idFunnel", t1."idSource" as "idSource", t1."utm" as "utm", t1."idCompany" as "idCompany", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."dateStage" as "dateStage", t1."dateExpected" as "dateExpected", t1."dateClosed" as "dateClosed", t1."nextStep" as "nextStep", t1."dateNextStep" as "dateNextStep", t1."dateReminded" as "dateReminded", t1."idLossReason" as "idLossReason", t1."lossNote" as "lossNote", t1."idUser" as "idUser", (coalesce((
select (lf."canCompleteDealsWithoutOffers" or exists (select 1 from sales_management_offers lo where lo."idLead" = t1."id" and not lo."deleted" and true))
and (lf."canCompleteDealsInWorkOfferStatus" or not exists (select 1 from sales_management_offers lo where lo."idLead" = t1."id" and not lo."deleted" and (select case
when count(*) = 0 or bool_or(os."idStatus" = 4) then 1
when bool_and(os."idStatus" = 1) then 2
when bool_or(os."idStatus" = 1) then 3
else 4 end from sales_management_offer_services os where os."idOffer" = lo."id" and not os."deleted") = 1))
from sales_management_stages ls join sales_management_funnels lf on lf."id" = ls."idFunnel"
where ls."id" = t1."idStage"), true)) as "canComplete", ((t1."id" is not null and true)) as "isEditable", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idLead" as "idLead", t3."idUser" as "idUser", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."color" as "color", t3."icon" as "icon", t3."idLead" as "idLead", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."message" as "message", t3."dateCreate" as "dateCreate", t3."dateChange" as "dateChange", t3."isSystem" as "isSystem", t3."idLead" as "idLead", t3."idComment" as "idComment", t3."idUser" as "idUser", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idLead" as "idLead", t3."idTaskAssignColumn" as "idTaskAssignColumn", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "sales_management_lead_tasks" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/entities?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "sales_management_entities" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idLead" as "idLead", t3."type" as "type", t3."idEntity" as "idEntity", t3."order" as "order", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idLead" as "idLead", t3."idStage" as "idStage", t3."dateStart" as "dateStart", t3."dateEnd" as "dateEnd", t3."idNext" as "idNext", t3."idPassed" as "idPassed", t3."idLost" as "idLost", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."extension" as "extension", t1."size" as "size", t1."meta" as "meta", t1."key" as "key", t1."dateCreate" as "dateCreate", t1."idUser" as "idUser", ('/files/' || t1."id") as "url", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idLead" as "idLead", t3."idFile" as "idFile", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idComment" as "idComment", t5."idFile" as "idFile", t5."deleted" as "deleted", t5."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."surname" as "surname", t3."name" as "name", t3."middleName" as "middleName", (coalesce(nullif(btrim(coalesce(nullif(t3."surname", '') || ' ', '') || coalesce(nullif(t3."name", '') || ' ', '') || coalesce(nullif(t3."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio", t3."phone" as "phone", t3."email" as "email", t3."gender" as "gender", to_char(t3."birthday", 'DD.MM.YYYY') as "birthday", t3."city" as "city", t3."address" as "address", t3."idCustomer" as "idCustomer", t3."idLead" as "idLead", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "sales_management_contacts" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/offer-status?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_offer_status" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."color" as "color", t1."_version" as "_version") x) as j
from page join "sales_management_offer_status" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_offer_status" t0 ) as total;

-- GET /sales-management/offer-service-status?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_offer_service_status" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."color" as "color", t1."isReason" as "isReason", t1."_version" as "_version") x) as j
from page join "sales_management_offer_service_status" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_offer_service_status" t0 ) as total;

-- GET /sales-management/offer-service-reason?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_offer_service_reason" t0 where not t0."deleted" order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_offer_service_reason" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_offer_service_reason" t0 where not t0."deleted") as total;

-- GET /sales-management/offers?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "sales_management_offers" t0 where not t0."deleted" and exists (select 1 from "sales_management_leads" t1 where t1."id" = t0."idLead" and not t1."deleted")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."dateCreate" as "dateCreate", t3."dateChange" as "dateChange", t3."idLead" as "idLead", t3."idUser" as "idUser", ((select case
when count(*) = 0 or bool_or(os."idStatus" = 4) then 1
when bool_and(os."idStatus" = 1) then 2
when bool_or(os."idStatus" = 1) then 3
else 4 end from sales_management_offer_services os where os."idOffer" = t3."id" and not os."deleted")) as "idStatus", ((select coalesce(sum(greatest(round(os."quantity" * coalesce(os."price", 0) - os."discount", 2), 0)), 0) from sales_management_offer_services os where os."idOffer" = t3."id" and not os."deleted" and os."idStatus" <> 2)) as "total", ((select coalesce(sum(greatest(round(os."quantity" * coalesce(os."price", 0) - os."discount", 2), 0)), 0) from sales_management_offer_services os where os."idOffer" = t3."id" and not os."deleted" and os."idStatus" = 1)) as "totalAccepted", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "sales_management_offers" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /sales-management/offer-services?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "sales_management_offer_services" t0 where not t0."deleted" and exists (select 1 from "sales_management_offers" t1 where t1."id" = t0."idOffer" and not t1."deleted" and exists (select 1 from "sales_management_leads" t2 where t2."id" = t1."idLead" and not t2."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idOffer" as "idOffer", t5."idService" as "idService", t5."order" as "order", t5."quantity" as "quantity", t5."price" as "price", t5."discount" as "discount", (greatest(round(t5."quantity" * coalesce(t5."price", 0) - t5."discount", 2), 0)) as "total", t5."idStatus" as "idStatus", t5."idReason" as "idReason", t5."idCouponService" as "idCouponService", t5."deleted" as "deleted", t5."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."message" as "message", t5."dateCreate" as "dateCreate", t5."dateChange" as "dateChange", t5."idOffer" as "idOffer", t5."idUser" as "idUser", t5."deleted" as "deleted", t5."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."kind" as "kind", t1."isActive" as "isActive", t1."idFunnel" as "idFunnel", t1."idSource" as "idSource", t1."title" as "title", t1."thanks" as "thanks", t1."key" as "key", (exists (select 1 from sales_management_intake_secrets s where s."idIntake" = t1."id")) as "hasSecret", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_intakes" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_intakes" t0 where not t0."deleted") as total;

-- GET /sales-management/requests?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "sales_management_requests" t0 where not t0."deleted" order by t0."id" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."state" as "state", t1."name" as "name", t1."phone" as "phone", t1."email" as "email", t1."message" as "message", t1."page" as "page", t1."utm" as "utm", t1."brand" as "brand", t1."idSource" as "idSource", t1."idIntake" as "idIntake", t1."idExternal" as "idExternal", t1."idLead" as "idLead", t1."idUser" as "idUser", t1."reason" as "reason", t1."dateCreate" as "dateCreate", t1."dateSorted" as "dateSorted", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "sales_management_requests" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "sales_management_requests" t0 where not t0."deleted") as total;

-- GET /tasks-management/boards?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0", t0."id" as "k1" from "tasks_management_boards" t0 where not t0."deleted" and ((t0."isPublic" or t0."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t0."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."icon" as "icon", t1."color" as "color", t1."isPublic" as "isPublic", t1."approvedAllChildrenTasks" as "approvedAllChildrenTasks", t1."timeArchiveTaskCompleted" as "timeArchiveTaskCompleted", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."idUser" as "idUser", t1."idColumnNew" as "idColumnNew", t1."idColumnWork" as "idColumnWork", t1."idColumnWait" as "idColumnWait", t1."idColumnCompleted" as "idColumnCompleted", t1."idColumnExpired" as "idColumnExpired", (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $4::bigint and not bm."deleted" and bm."isFavourite")) as "isFavourite", (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $5::bigint and not bm."deleted")) as "isMember", ((select count(*)::int from "tasks_management_members" t2 where t2."idBoard" = t1."id" and not t2."deleted")) as "membersCount", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_boards" t1 using ("id") where page.n <= $6
) r
), '[]')::text as items,
(select count(*) > $7 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/columns?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_columns" t0 where not t0."deleted" and exists (select 1 from "tasks_management_boards" t1 where t1."id" = t0."idBoard" and not t1."deleted" and ((t1."isPublic" or t1."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t1."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."color" as "color", t3."order" as "order", t3."wipLimit" as "wipLimit", t3."idBoard" as "idBoard", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_columns" t3 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/members?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_members" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."idBoard" as "idBoard", t1."description" as "description", t1."isDefaultResponsible" as "isDefaultResponsible", t1."isTaskDefaultResponsible" as "isTaskDefaultResponsible", t1."isTaskDefaultExecutor" as "isTaskDefaultExecutor", t1."isFavourite" as "isFavourite", t1."isConfirmCreate" as "isConfirmCreate", t1."openAfterCreate" as "openAfterCreate", t1."permissionToViewTasks" as "permissionToViewTasks", t1."permissionToEditTasks" as "permissionToEditTasks", t1."permissionToAssignTasks" as "permissionToAssignTasks", t1."permissionToDeleteTasks" as "permissionToDeleteTasks", t1."permissionToEditTemplates" as "permissionToEditTemplates", t1."canCreateTask" as "canCreateTask", t1."canRelationBoard" as "canRelationBoard", t1."canEditBoard" as "canEditBoard", t1."canEditColumn" as "canEditColumn", t1."canManuallyDragTask" as "canManuallyDragTask", t1."creatorClosesTaskAsExecutor" as "creatorClosesTaskAsExecutor", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_members" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/tasks?count=1&limit=50
with seen as materialized (select t0."id", t0."dateCreate" as "k0", t0."id" as "k1" from "tasks_management_tasks" t0 where not t0."deleted" and ((case when t0."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t0."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t0."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t0."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t0."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t0."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t0."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t0."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t0."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t0."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t0."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t0."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t0."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc, "k1" desc limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."importance" as "importance", t1."isCompleted" as "isCompleted", t1."isWaitCheck" as "isWaitCheck", t1."isNeedChange" as "isNeedChange", t1."isArchive" as "isArchive", t1."isTemplate" as "isTemplate", t1."dateStart" as "dateStart", t1."dateEnd" as "dateEnd", t1."dateWorkStart" as "dateWorkStart", t1."dateCompleted" as "dateCompleted", t1."dateExpired" as "dateExpired", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."approvedAllChildrenTasks" as "approvedAllChildrenTasks", t1."notificationDate" as "notificationDate", t1."notificationDescription" as "notificationDescription", t1."notificationType" as "notificationType", t1."notificationCustomRepeatType" as "notificationCustomRepeatType", t1."notificationCustomRepeatValue" as "notificationCustomRepeatValue", t1."notificationTimeZone" as "notificationTimeZone", t1."notificationNext" as "notificationNext", t1."notificationRound" as "notificationRound", t1."idUser" as "idUser", t1."idCover" as "idCover", ((select count(*)::int from (
select pm."idUser" from tasks_management_executors p join tasks_management_members pm on pm."id" = p."idMember" and not pm."deleted"
where p."idTask" = t1."id" union select pm."idUser" from tasks_management_responsible p join tasks_management_members pm on pm."id" = p."idMember" and not pm."deleted"
where p."idTask" = t1."id") people)) as "usersTotalCount", ((select count(*)::int from "tasks_management_task_files" t2 where t2."idTask" = t1."id" and not t2."deleted")) as "filesCount", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_tasks" t1 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/assigned?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_assigned" t0 where not t0."deleted" and (exists (select 1 from tasks_management_tasks own where own."id" = t0."idTask" and not own."deleted" and (
own."isTemplate" and t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (m."id" is not null))
or t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $2::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $3::bigint or m."permissionToViewTasks" = 'all'))
or t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $4::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))
and ((exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" and pm."idUser" = $5::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" and pm."idUser" = $6::bigint)) or own."idUser" = $7::bigint and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" )))
or t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" )))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $9) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idTask" as "idTask", t1."idColumn" as "idColumn", t1."order" as "order", t1."isArchive" as "isArchive", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_assigned" t1 using ("id") where page.n <= $10
) r
), '[]')::text as items,
(select count(*) > $11 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/executors?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_executors" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idMember" as "idMember", t3."idTask" as "idTask", t3."_version" as "_version") x) as j
from page join "tasks_management_executors" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/responsible?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_responsible" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idMember" as "idMember", t3."idTask" as "idTask", t3."_version" as "_version") x) as j
from page join "tasks_management_responsible" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/tags?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_tags" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."color" as "color", t3."icon" as "icon", t3."entityType" as "entityType", t3."idTask" as "idTask", t3."_version" as "_version") x) as j
from page join "tasks_management_tags" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_files" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or exists (
select 1 from tasks_management_task_files f where f."idFile" = t0."id" and not f."deleted"
and exists (
select 1 from tasks_management_tasks st where st."id" = f."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $2::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $3::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $4::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $6::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $7::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $8::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $10::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $11::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $12::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $14::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $15::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $16::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $17::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or exists (
select 1 from tasks_management_comment_files cf join tasks_management_comments co on co."id" = cf."idComment"
where cf."idFile" = t0."id" and not cf."deleted" and not co."deleted"
and (co."type" = 'task' and exists (
select 1 from tasks_management_tasks st where st."id" = co."idEntity" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $18::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $19::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $20::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $21::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $22::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $23::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $24::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $25::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $26::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $27::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $28::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $29::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $30::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $31::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $32::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $33::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))
or co."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = co."idEntity" and not sb."deleted" and (sb."idUser" = $34::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $35::bigint and not sm."deleted"
))))) or exists (
select 1 from tasks_management_resources re where re."idFile" = t0."id" and not re."deleted"
and exists (
select 1 from tasks_management_boards sb
where sb."id" = re."idBoard" and not sb."deleted" and (sb."idUser" = $36::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $37::bigint and not sm."deleted"
)))) or exists (
select 1 from tasks_management_polls pl where pl."image" = t0."id" and not pl."deleted"
and (exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = pl."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $38::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $39::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $40::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $41::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $42::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $43::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $44::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $45::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $46::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $47::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $48::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $49::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $50::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $51::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $52::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $53::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or pl."idUser" = $54::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = pl."id" and not le."deleted" )))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $55) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."extension" as "extension", t1."size" as "size", t1."meta" as "meta", t1."key" as "key", t1."dateCreate" as "dateCreate", t1."idUser" as "idUser", ('/files/' || t1."id") as "url", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_files" t1 using ("id") where page.n <= $56
) r
), '[]')::text as items,
(select count(*) > $57 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/task-files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_task_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idTask" as "idTask", t3."idFile" as "idFile", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_task_files" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/watchers?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_watchers" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idTask" as "idTask", t3."idUser" as "idUser", t3."_version" as "_version") x) as j
from page join "tasks_management_watchers" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/subtasks?count=1&limit=50
with seen as materialized (select t0."id", t0."index" as "k0", t0."id" as "k1" from "tasks_management_subtasks" t0 where not t0."deleted" and ((exists (
select 1 from tasks_management_tasks st where st."id" = t0."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)) and (t0."canViewUpperTask" or exists (
select 1 from tasks_management_tasks st where st."id" = t0."idParentTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $17::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $18::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $19::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $20::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $21::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $22::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $23::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $24::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $25::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $26::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $27::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $28::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $29::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $30::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $31::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $32::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $33) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idParentTask" as "idParentTask", t1."idTask" as "idTask", t1."index" as "index", t1."canViewUpperTask" as "canViewUpperTask", ((select pt."name" from tasks_management_tasks pt where pt."id" = t1."idParentTask" and not pt."deleted")) as "nameParentTask", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_subtasks" t1 using ("id") where page.n <= $34
) r
), '[]')::text as items,
(select count(*) > $35 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/entities?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_entities" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or t1."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = t1."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = t1."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $17) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idTask" as "idTask", t3."type" as "type", t3."idEntity" as "idEntity", t3."order" as "order", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_entities" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/check-lists?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_check_lists" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t0."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t0."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t0."id" and not le."deleted" )))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_check_lists" t1 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/check-list-items?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_check_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_check_lists" t1 where t1."id" = t0."idCheckList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t1."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t1."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t1."id" and not le."deleted" ))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."isCheck" as "isCheck", t3."order" as "order", t3."dateEnd" as "dateEnd", t3."idCheckList" as "idCheckList", t3."idExecutor" as "idExecutor", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_check_list_items" t3 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/client-lists?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_client_lists" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t0."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t0."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t0."id" and not le."deleted" )))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_client_lists" t1 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/client-list-items?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_client_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_client_lists" t1 where t1."id" = t0."idClientList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t1."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t1."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t1."id" and not le."deleted" ))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idClientList" as "idClientList", t3."order" as "order", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_client_list_items" t3 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/polls?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_polls" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t0."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t0."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t0."id" and not le."deleted" )))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."image" as "image", t1."dateStart" as "dateStart", t1."dateEnd" as "dateEnd", t1."isMultiple" as "isMultiple", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_polls" t1 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/poll-options?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_poll_options" t0 where not t0."deleted" and exists (select 1 from "tasks_management_polls" t1 where t1."id" = t0."idPoll" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t1."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t1."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t1."id" and not le."deleted" ))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."order" as "order", t3."idPoll" as "idPoll", ((select count(*)::int from "tasks_management_poll_results" t4 where t4."idOption" = t3."id" and not t4."deleted")) as "resultsCount", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_poll_options" t3 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/poll-results?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_poll_results" t0 where not t0."deleted" and exists (select 1 from "tasks_management_poll_options" t1 where t1."id" = t0."idOption" and not t1."deleted" and exists (select 1 from "tasks_management_polls" t2 where t2."id" = t1."idPoll" and not t2."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t2."id" and not le."deleted" and exists (
select 1 from tasks_management_tasks st where st."id" = le."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))) or t2."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t2."id" and not le."deleted" )))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $18) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."name" as "name", t5."idOption" as "idOption", t5."idUser" as "idUser", t5."deleted" as "deleted", t5."_version" as "_version") x) as j
from page join "tasks_management_poll_results" t5 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/comments?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_comments" t0 where not t0."deleted" and ((t0."type" = 'task' and exists (
select 1 from tasks_management_tasks st where st."id" = t0."idEntity" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))
or t0."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idEntity" and not sb."deleted" and (sb."idUser" = $17::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $18::bigint and not sm."deleted"
)))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $19) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."message" as "message", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."meta" as "meta", t1."isSystem" as "isSystem", t1."type" as "type", t1."idEntity" as "idEntity", t1."idComment" as "idComment", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_comments" t1 using ("id") where page.n <= $20
) r
), '[]')::text as items,
(select count(*) > $21 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/comment-files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_comment_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_comments" t1 where t1."id" = t0."idComment" and not t1."deleted" and ((t1."type" = 'task' and exists (
select 1 from tasks_management_tasks st where st."id" = t1."idEntity" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $7::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $8::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $10::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $11::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $12::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $13::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $15::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $16::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))
or t1."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = t1."idEntity" and not sb."deleted" and (sb."idUser" = $17::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $18::bigint and not sm."deleted"
))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $19) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idComment" as "idComment", t3."idFile" as "idFile", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_comment_files" t3 using ("id") where page.n <= $20
) r
), '[]')::text as items,
(select count(*) > $21 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/relations?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_relations" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idBoard" as "idBoard", t1."idRelationBoard" as "idRelationBoard", t1."idColumn" as "idColumn", ((select rb."name" from tasks_management_boards rb where rb."id" = t1."idRelationBoard" and not rb."deleted")) as "nameRelationBoard", ((select rc."name" from tasks_management_columns rc where rc."id" = t1."idColumn" and not rc."deleted")) as "nameColumn", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_relations" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/resources?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0", t0."id" as "k1" from "tasks_management_resources" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."url" as "url", t1."idBoard" as "idBoard", t1."idFile" as "idFile", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_resources" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0", t0."id" as "k1" from "regulations" t0 where not t0."deleted" and ((
t0."status" = 'active' or t0."idUser" = $1::bigint or t0."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t0."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t0."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t0."id" and d."idUser" = $5::bigint and not d."deleted")))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."type" as "type", t1."status" as "status", t1."idRole" as "idRole", t1."idResponsibleUser" as "idResponsibleUser", t1."idUser" as "idUser", t1."created_at" as "created_at", t1."updated_at" as "updated_at", t1."version" as "version", t1."idFirst" as "idFirst", t1."idPrevious" as "idPrevious", t1."rejectionReason" as "rejectionReason", t1."dateEffective" as "dateEffective", t1."dateApproved" as "dateApproved", t1."dateActive" as "dateActive", t1."dateArchived" as "dateArchived", t1."reviewMonths" as "reviewMonths", t1."dateReview" as "dateReview", t1."dateReviewReminded" as "dateReviewReminded", t1."readDays" as "readDays", t1."passScore" as "passScore", ((select o."name" from roles o where o."id" = t1."idRole")) as "role", ((select count(*)::int from "regulations_steps" t2 where t2."idRegulation" = t1."id" and not t2."deleted")) as "stagesCount", ((select coalesce(sum(s."timeEstimate"), 0)::int from regulations_steps s where s."idRegulation" = t1."id" and not s."deleted")) as "timeEstimate", (coalesce(jsonb_array_length(t1."test"->'questions'), 0)) as "hasTest", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "regulations" t1 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/steps?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "regulations_steps" t0 where not t0."deleted" and exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $1::bigint or t1."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $5::bigint and not d."deleted"))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idRegulation" as "idRegulation", t3."order" as "order", t3."title" as "title", t3."description" as "description", t3."timeEstimate" as "timeEstimate", t3."status" as "status", t3."importance" as "importance", t3."type" as "type", t3."responsible" as "responsible", t3."idOrigin" as "idOrigin", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "regulations_steps" t3 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_files" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint
or exists (
select 1 from regulations_step_images a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
join regulations r on r."id" = s."idRegulation" and not r."deleted"
where a."idFile" = t0."id" and (
r."status" = 'active' or r."idUser" = $2::bigint or r."idResponsibleUser" = $3::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = $4::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = $5::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = r."id" and d."idUser" = $6::bigint and not d."deleted"))) or exists (
select 1 from regulations_step_documents a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
join regulations r on r."id" = s."idRegulation" and not r."deleted"
where a."idFile" = t0."id" and (
r."status" = 'active' or r."idUser" = $7::bigint or r."idResponsibleUser" = $8::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = $9::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = $10::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = r."id" and d."idUser" = $11::bigint and not d."deleted")))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $12) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."extension" as "extension", t1."size" as "size", t1."meta" as "meta", t1."key" as "key", t1."dateCreate" as "dateCreate", t1."idUser" as "idUser", ('/files/' || t1."id") as "url", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "regulations_files" t1 using ("id") where page.n <= $13
) r
), '[]')::text as items,
(select count(*) > $14 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/step-images?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "regulations_step_images" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted")))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idStep" as "idStep", t5."idFile" as "idFile", t5."description" as "description", t5."order" as "order", ('/files/' || t5."idFile") as "url", t5."_version" as "_version") x) as j
from page join "regulations_step_images" t5 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/step-documents?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "regulations_step_documents" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted")))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idStep" as "idStep", t5."idFile" as "idFile", t5."order" as "order", t5."_version" as "_version") x) as j
from page join "regulations_step_documents" t5 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/step-scripts?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "regulations_step_scripts" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted")))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idStep" as "idStep", t5."idScript" as "idScript", t5."order" as "order", t5."_version" as "_version") x) as j
from page join "regulations_step_scripts" t5 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/step-responsibles?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_step_responsibles" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted")))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id", t5."idStep" as "idStep", t5."idUser" as "idUser", t5."_version" as "_version") x) as j
from page join "regulations_step_responsibles" t5 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/reviewers?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_reviewers" t0 where exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $1::bigint or t1."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $5::bigint and not d."deleted"))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idRegulation" as "idRegulation", t3."idUser" as "idUser", t3."kind" as "kind", t3."decision" as "decision", t3."dateDecision" as "dateDecision", t3."comment" as "comment", t3."_version" as "_version") x) as j
from page join "regulations_reviewers" t3 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/audience?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_audience" t0 where exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $1::bigint or t1."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $5::bigint and not d."deleted"))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $6) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idRegulation" as "idRegulation", t3."idUser" as "idUser", t3."idRole" as "idRole", t3."_version" as "_version") x) as j
from page join "regulations_audience" t3 using ("id") where page.n <= $7
) r
), '[]')::text as items,
(select count(*) > $8 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/reads?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_reads" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $2::bigint)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idRegulation" as "idRegulation", t1."idUser" as "idUser", t1."dateCreate" as "dateCreate", t1."dateDue" as "dateDue", t1."dateRead" as "dateRead", t1."score" as "score", t1."attempts" as "attempts", t1."dateReminded" as "dateReminded", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "regulations_reads" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/runs?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_runs" t0 where not t0."deleted" and (((t0."idUser" = $1::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $6::bigint)
or t0."idTask" is not null and exists (
select 1 from tasks_management_tasks st where st."id" = t0."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $7::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $8::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $10::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $11::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $12::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $13::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $15::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $16::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $17::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $18::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $19::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $20::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $21::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $22::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $23) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idRegulation" as "idRegulation", t1."idTask" as "idTask", t1."idUser" as "idUser", t1."state" as "state", t1."dateStart" as "dateStart", t1."dateEnd" as "dateEnd", ((select count(*)::int from "regulations_run_steps" t2 where t2."idRun" = t1."id")) as "stepsTotalCount", ((select count(*)::int from "regulations_run_steps" t3 where t3."idRun" = t1."id" and t3."state" <> 'waiting')) as "stepsMarkedCount", ((select count(*)::int from "regulations_violations" t4 where t4."idRun" = t1."id" and not t4."deleted")) as "violationsCount", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "regulations_runs" t1 using ("id") where page.n <= $24
) r
), '[]')::text as items,
(select count(*) > $25 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/run-steps?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_run_steps" t0 where exists (select 1 from "regulations_runs" t1 where t1."id" = t0."idRun" and not t1."deleted" and (((t1."idUser" = $1::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t1."idRegulation" and r."idResponsibleUser" = $6::bigint)
or t1."idTask" is not null and exists (
select 1 from tasks_management_tasks st where st."id" = t1."idTask" and not st."deleted"
and (case when st."isTemplate" then (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $7::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $8::bigint or case when m."id" is not null then 'all' end = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $9::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $10::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $11::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $12::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $13::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $14::bigint and not m."deleted"
where not b."deleted" and (case when m."id" is not null then 'all' end in ('my', 'emptymy'))))))) else (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $15::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $16::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $17::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $18::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $19::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $20::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" ))))
or st."idUser" = $21::bigint and (not exists (
select 1 from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
join tasks_management_boards b on b."id" = c."idBoard"
where a."idTask" = st."id" and not a."deleted" and not c."deleted" and not b."deleted") or (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = st."id" and not pm."deleted" )) and exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $22::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))) end)))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $23) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idRun" as "idRun", t3."idStep" as "idStep", t3."state" as "state", t3."note" as "note", t3."dateStart" as "dateStart", t3."dateEnd" as "dateEnd", t3."idUser" as "idUser", t3."_version" as "_version") x) as j
from page join "regulations_run_steps" t3 using ("id") where page.n <= $24
) r
), '[]')::text as items,
(select count(*) > $25 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /regulations/violations?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "regulations_violations" t0 where not t0."deleted" and (((t0."idUser" = $1::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $6::bigint)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $7) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idRegulation" as "idRegulation", t1."idStep" as "idStep", t1."idUser" as "idUser", t1."idRun" as "idRun", t1."level" as "level", t1."source" as "source", t1."description" as "description", t1."state" as "state", t1."explanation" as "explanation", t1."dateCreate" as "dateCreate", t1."idAuthor" as "idAuthor", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "regulations_violations" t1 using ("id") where page.n <= $8
) r
), '[]')::text as items,
(select count(*) > $9 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /news/intakes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "news_intakes" t0 where not t0."deleted" order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."source" as "source", t1."isActive" as "isActive", t1."publish" as "publish", t1."key" as "key", (exists (select 1 from news_intake_secrets s where s."idIntake" = t1."id")) as "hasSecret", t1."idUser" as "idUser", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "news_intakes" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "news_intakes" t0 where not t0."deleted") as total;

-- GET /news?count=1&limit=50
with seen as materialized (select t0."id", t0."dateCreate" as "k0", t0."id" as "k1" from "news" t0 where not t0."deleted" and (t0."active")), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc, "k1" desc limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idExternal" as "idExternal", t1."title" as "title", t1."text" as "text", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."source" as "source", t1."active" as "active", t1."isPinned" as "isPinned", t1."dateActive" as "dateActive", t1."dateReminded" as "dateReminded", t1."idIntake" as "idIntake", t1."idUser" as "idUser", (exists (select 1 from news_reads d where d."idNews" = t1."id" and d."idUser" = $2::bigint and not d."deleted")) as "isRead", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "news" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /news/images/files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "news_images_files" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or exists (select 1 from news_images i
where i."idFileRegister" = t0."id" and not i."deleted" and exists (select 1 from news n where n."id" = i."idNews" and n."active" and not n."deleted"))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."extension" as "extension", t1."size" as "size", t1."meta" as "meta", t1."key" as "key", t1."dateCreate" as "dateCreate", t1."idUser" as "idUser", ('/files/' || t1."id") as "url", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "news_images_files" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /news/images?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "news_images" t0 where not t0."deleted" and exists (select 1 from "news" t1 where t1."id" = t0."idNews" and not t1."deleted" and (t1."active"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idNews" as "idNews", t3."idFileRegister" as "idFileRegister", t3."idExternal" as "idExternal", t3."size" as "size", t3."urlExternal" as "urlExternal", t3."key" as "key", t3."dateCreate" as "dateCreate", ('/files/' || t3."idFileRegister" || '/' || t3."size") as "url", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "news_images" t3 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /news/reads?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "news_reads" t0 where not t0."deleted" and (t0."idUser" = $1::bigint)), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idNews" as "idNews", t1."idUser" as "idUser", t1."dateRead" as "dateRead", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "news_reads" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /news/comments?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "news_comments" t0 where not t0."deleted" and (exists (select 1 from news n where n."id" = t0."idNews" and n."active" and not n."deleted"))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."message" as "message", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."isSystem" as "isSystem", t1."idNews" as "idNews", t1."idComment" as "idComment", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "news_comments" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from seen) as total;
