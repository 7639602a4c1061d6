-- GET /bonuses?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "bonuses" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idCustomer" as "idCustomer",
  t3."kind" as "kind",
  t3."idProgram" as "idProgram",
  t3."idCouponService" as "idCouponService",
  t3."percent" as "percent",
  t3."sum" as "sum",
  t3."left" as "left",
  t3."owed" as "owed",
  t3."dateFrom" as "dateFrom",
  t3."dateTo" as "dateTo",
  t3."reason" as "reason",
  t3."idUser" as "idUser",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "bonuses" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "bonuses" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($3::bigint, t1."id", 8) is not null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /cash-desks?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "cash_desks" t0 where not t0."deleted" and (t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted"))) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idFilial" as "idFilial",
  t1."idOrganization" as "idOrganization",
  t1."refundLimit" as "refundLimit",
  t1."kktMode" as "kktMode",
  t1."idAgent" as "idAgent",
  t1."kktAddress" as "kktAddress",
  t1."kktModel" as "kktModel",
  t1."kktSerial" as "kktSerial",
  t1."terminalMode" as "terminalMode",
  t1."onlineGroup" as "onlineGroup",
  t1."onlineLogin" as "onlineLogin",
  t1."onlineEmail" as "onlineEmail",
  t1."onlineAddress" as "onlineAddress",
  t1."terminalProgram" as "terminalProgram",
  t1."terminalPay" as "terminalPay",
  t1."terminalRefund" as "terminalRefund",
  t1."terminalFiles" as "terminalFiles",
  t1."terminalEncoding" as "terminalEncoding",
  t1."terminalApproved" as "terminalApproved",
  t1."terminalDeclined" as "terminalDeclined",
  t1."terminalRrn" as "terminalRrn",
  t1."payShop" as "payShop",
  t1."dateOnlinePassword" as "dateOnlinePassword",
  t1."datePaySecret" as "datePaySecret",
  t1."isOnline" as "isOnline",
  t1."active" as "active",
  (exists (select 1 from cash_shifts s where s."idDesk" = t1."id" and s."dateClosed" is null)) as "isShiftOpen",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "cash_desks" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "cash_desks" t0 where not t0."deleted" and (t0."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted"))) limit 10001) counted) as total;

-- GET /cash-shifts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "cash_shifts" t0 where exists (select 1 from "cash_desks" t1 where t1."id" = t0."idDesk" and not t1."deleted" and (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDesk" as "idDesk",
  t2."number" as "number",
  t2."localDate" as "localDate",
  t2."dateOpened" as "dateOpened",
  t2."idCashier" as "idCashier",
  t2."dateClosed" as "dateClosed",
  t2."idCloser" as "idCloser",
  t2."opening" as "opening",
  t2."expected" as "expected",
  t2."counted" as "counted",
  t2."difference" as "difference",
  t2."zNumber" as "zNumber",
  t2."closing" as "closing",
  t2."_version" as "_version") x) as j
from page join "cash_shifts" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "cash_shifts" t0 where exists (select 1 from "cash_desks" t1 where t1."id" = t0."idDesk" and not t1."deleted" and (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")))) limit 10001) counted) as total;

-- GET /payments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payments" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."kind" as "kind",
  t2."idStatus" as "idStatus",
  t2."idCustomer" as "idCustomer",
  t2."idPayer" as "idPayer",
  t2."idOrganization" as "idOrganization",
  t2."idDesk" as "idDesk",
  t2."idShift" as "idShift",
  t2."localDate" as "localDate",
  t2."sum" as "sum",
  t2."bonus" as "bonus",
  t2."received" as "received",
  t2."change" as "change",
  t2."comment" as "comment",
  t2."lines" as "lines",
  t2."idCertificate" as "idCertificate",
  t2."idMembership" as "idMembership",
  t2."idRefundOf" as "idRefundOf",
  t2."idApprover" as "idApprover",
  t2."refusal" as "refusal",
  ((select coalesce(array_agg("method" order by "id"), '{}') from payments_parts where "idPayment" = t2."id")) as "methods",
  ((select coalesce(sum("sum"), 0) from payments where "idRefundOf" = t2."id" and "idStatus" = 2)) as "refunded",
  (coalesce((select "status" from fiscal_tasks where "idPayment" = t2."id"
order by "status" in ('failed', 'conflict') desc, "id" desc limit 1), 'none')) as "receipt",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "payments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payments" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($4::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /payments/parts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payments_parts" t0 where exists (select 1 from "payments" t1 where t1."id" = t0."idPayment" and not t1."deleted" and (exists (select 1 from cash_desks k where k."id" = t1."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idPayment" as "idPayment",
  t3."method" as "method",
  t3."sum" as "sum",
  t3."idGuarantee" as "idGuarantee",
  t3."idCertificate" as "idCertificate",
  t3."terminalState" as "terminalState",
  t3."terminal" as "terminal",
  t3."_version" as "_version") x) as j
from page join "payments_parts" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payments_parts" t0 where exists (select 1 from "payments" t1 where t1."id" = t0."idPayment" and not t1."deleted" and (exists (select 1 from cash_desks k where k."id" = t1."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /payment-links?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payment_links" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idDesk" as "idDesk",
  t2."sum" as "sum",
  t2."lines" as "lines",
  t2."about" as "about",
  t2."status" as "status",
  t2."error" as "error",
  t2."dateTo" as "dateTo",
  t2."idPayment" as "idPayment",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "payment_links" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payment_links" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $3::bigint and not d."deleted")))) and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($4::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /certificates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "certificates" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idBuyer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."number" as "number",
  t3."idOrganization" as "idOrganization",
  t3."idBuyer" as "idBuyer",
  t3."idCustomer" as "idCustomer",
  t3."sum" as "sum",
  t3."dateTo" as "dateTo",
  ((((select coalesce(-sum(e."amount"), 0) from ledger_accounts a
join ledger_entries e on e."idAccount" = a."id"
where a."kind" = 'certificate' and a."idOrganization" = t3."idOrganization" and a."mark" = t3."id"::text) - (
(select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
where t."idCertificate" = t3."id" and p."kind" = 'payment' and p."idStatus" = 1)
+ (select coalesce(sum(p."sum"), 0) from payments p
where p."idCertificate" = t3."id" and p."kind" = 'refund' and p."idStatus" in (1, 4))) * 100) / 100)::numeric(14,2)) as "rest",
  (case
when exists (select 1 from payments p where p."idCertificate" = t3."id" and p."kind" = 'payment'
and p."idStatus" = 1) then 'pending'
when (((select coalesce(-sum(e."amount"), 0) from ledger_accounts a
join ledger_entries e on e."idAccount" = a."id"
where a."kind" = 'certificate' and a."idOrganization" = t3."idOrganization" and a."mark" = t3."id"::text) - (
(select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
where t."idCertificate" = t3."id" and p."kind" = 'payment' and p."idStatus" = 1)
+ (select coalesce(sum(p."sum"), 0) from payments p
where p."idCertificate" = t3."id" and p."kind" = 'refund' and p."idStatus" in (1, 4))) * 100) / 100)::numeric(14,2) <= 0 then case when exists (select 1 from payments p where p."idCertificate" = t3."id"
and p."kind" = 'refund' and not p."deleted" and p."idStatus" <> 3) then 'returned' else 'spent' end
when t3."dateTo" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$3::text))::date then 'expired' else 'active' end) as "state",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "certificates" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "certificates" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idBuyer" and (t1."secretLevel" <> 'none' and opened_because($4::bigint, t1."id", 8) is null)) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($5::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /families?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "families" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idHead" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idHead" as "idHead",
  t2."state" as "state",
  t2."comment" as "comment",
  ((select count(*)::int from families_members m where m."idFamily" = t2."id" and not m."deleted")) as "members",
  (coalesce((select sum(greatest(0, -b.sum)) from (select sum(e."amount") / 100.0 as sum
from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
where a."kind" = 'patient' and a."idCustomer" = t2."idHead" group by a."idOrganization") b), 0)::numeric(14,2)) as "advance",
  (coalesce((select sum(coalesce((
select sum(case fp."kind" when 'payment' then ft."sum" else -ft."sum" end)
from payments fp join payments_parts ft on ft."idPayment" = fp."id" and ft."method" = 'advance'
left join payments fo on fo."id" = fp."idRefundOf"
where fp."idPayer" = t2."idHead" and fp."idCustomer" = m."idCustomer"
and (fp."idStatus" = 2 or fp."kind" = 'payment' and fp."idStatus" in (1, 4))
and fp."idStatus" <> 3
and date_trunc('month', coalesce(fo."localDate", fp."localDate")) = date_trunc('month', (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date::date)), 0)::numeric(14,2))
from families_members m where m."idFamily" = t2."id" and not m."deleted"), 0)::numeric(14,2)) as "spent",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "families" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "families" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idHead" and (t1."secretLevel" <> 'none' and opened_because($3::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /families/members?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "families_members" t0 where not t0."deleted" and exists (select 1 from "families" t1 where t1."id" = t0."idFamily" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idHead" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) and not exists (select 1 from "customers" t3 where t3."id" = t0."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idFamily" as "idFamily",
  t4."idCustomer" as "idCustomer",
  t4."limitMonth" as "limitMonth",
  t4."showsServices" as "showsServices",
  (coalesce((
select sum(case fp."kind" when 'payment' then ft."sum" else -ft."sum" end)
from payments fp join payments_parts ft on ft."idPayment" = fp."id" and ft."method" = 'advance'
left join payments fo on fo."id" = fp."idRefundOf"
where fp."idPayer" = (select f."idHead" from families f where f."id" = t4."idFamily") and fp."idCustomer" = t4."idCustomer"
and (fp."idStatus" = 2 or fp."kind" = 'payment' and fp."idStatus" in (1, 4))
and fp."idStatus" <> 3
and date_trunc('month', coalesce(fo."localDate", fp."localDate")) = date_trunc('month', (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$3::text))::date::date)), 0)::numeric(14,2)) as "spent",
  t4."dateCreate" as "dateCreate",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "families_members" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "families_members" t0 where not t0."deleted" and exists (select 1 from "families" t1 where t1."id" = t0."idFamily" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idHead" and (t2."secretLevel" <> 'none' and opened_because($4::bigint, t2."id", 8) is null))) and not exists (select 1 from "customers" t3 where t3."id" = t0."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($5::bigint, t3."id", 8) is null)) limit 10001) counted) as total;

-- GET /memberships?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "memberships" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idBuyer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."idType" as "idType",
  t2."idPlan" as "idPlan",
  t2."idOrganization" as "idOrganization",
  t2."idBuyer" as "idBuyer",
  t2."price" as "price",
  t2."covers" as "covers",
  t2."whose" as "whose",
  t2."startsAt" as "startsAt",
  t2."refundRule" as "refundRule",
  t2."days" as "days",
  t2."freezeDays" as "freezeDays",
  t2."frozenDays" as "frozenDays",
  t2."frozenFrom" as "frozenFrom",
  t2."frozenTo" as "frozenTo",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  ((case when exists (select 1 from membership_units u where u."idMembership" = t2."id") then (select count(*)::int from membership_units u where u."idMembership" = t2."id" and true) end)) as "total",
  ((select count(*)::int from membership_units u where u."idMembership" = t2."id" and u."idTx" is not null)) as "used",
  ((select count(*)::int from membership_units u where u."idMembership" = t2."id" and u."idLine" is not null and u."idTx" is null)) as "reserved",
  ((case when exists (select 1 from membership_units u where u."idMembership" = t2."id") then (select count(*)::int from membership_units u where u."idMembership" = t2."id" and u."idLine" is null and not exists (select 1 from payments z where z."id" = u."idRefund"
and z."idStatus" <> 3)) end)) as "rest",
  (((select coalesce(-sum(e."amount"), 0) from ledger_accounts a
join ledger_entries e on e."idAccount" = a."id"
where a."kind" = 'membership' and a."idOrganization" = t2."idOrganization" and a."mark" = t2."id"::text) / 100.0)::numeric(14,2)) as "held",
  (case
when not exists (select 1 from payments z where z."idMembership" = t2."id"
and z."kind" = 'payment' and z."idStatus" = 2) then 'pending'
when exists (select 1 from payments z where z."idMembership" = t2."id"
and z."kind" = 'refund' and z."idStatus" = 2 and z."idStatus" <> 3) then 'returned'
when exists (select 1 from payments z where z."idMembership" = t2."id"
and z."kind" = 'refund' and z."idStatus" <> 2 and z."idStatus" <> 3) then 'returning'
when exists (select 1 from membership_units u where u."idMembership" = t2."id") and (select count(*)::int from membership_units u where u."idMembership" = t2."id" and u."idLine" is null and not exists (select 1 from payments z where z."id" = u."idRefund"
and z."idStatus" <> 3)) = 0
and (select count(*)::int from membership_units u where u."idMembership" = t2."id" and u."idLine" is not null and u."idTx" is null) = 0 then 'spent'
when t2."dateTo" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$2::text))::date then 'expired'
when (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$3::text))::date between t2."frozenFrom" and t2."frozenTo" then 'frozen'
when t2."dateFrom" is null or t2."dateFrom" > (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$4::text))::date then 'waiting' else 'active' end) as "state",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "memberships" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "memberships" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idBuyer" and (t1."secretLevel" <> 'none' and opened_because($5::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /guarantee-letters?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "guarantee_letters" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."dateTo" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."idInsurer" as "idInsurer",
  t2."number" as "number",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."limit" as "limit",
  ((
(select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
where t."idGuarantee" = t2."id" and p."idStatus" = 2)
+ (select coalesce(sum(l."insurer"), 0) from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
where l."idGuarantee" = t2."id" and l."id" <> 0 and not l."deleted" and not l."cancelled" and not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('noShow','cancelled','moved'))
- (select coalesce(sum(m."amount"), 0) from letter_moves m where m."idGuarantee" = t2."id" and m."as" <> 'paid'))::numeric(14,2)) as "used",
  t2."services" as "services",
  t2."status" as "status",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "guarantee_letters" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "guarantee_letters" t0 where not t0."deleted" and not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /fiscal-tasks?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "fiscal_tasks" t0 where exists (select 1 from "cash_desks" t1 where t1."id" = t0."idDesk" and not t1."deleted" and (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idDesk" as "idDesk",
  t2."idShift" as "idShift",
  t2."idPayment" as "idPayment",
  t2."kind" as "kind",
  t2."status" as "status",
  t2."key" as "key",
  t2."fn" as "fn",
  t2."request" as "request",
  t2."expectedFd" as "expectedFd",
  t2."fd" as "fd",
  t2."fpd" as "fpd",
  t2."error" as "error",
  t2."task" as "task",
  t2."totals" as "totals",
  t2."dateCreate" as "dateCreate",
  t2."dateDone" as "dateDone",
  t2."_version" as "_version") x) as j
from page join "fiscal_tasks" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "fiscal_tasks" t0 where exists (select 1 from "cash_desks" t1 where t1."id" = t0."idDesk" and not t1."deleted" and (t1."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")))) limit 10001) counted) as total;
