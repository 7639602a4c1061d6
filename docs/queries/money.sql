-- GET /bonuses?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "bonuses" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($1::bigint, t1."id", 8) is not null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCustomer" as "idCustomer",
  t2."kind" as "kind",
  t2."idProgram" as "idProgram",
  t2."idCouponService" as "idCouponService",
  t2."percent" as "percent",
  t2."sum" as "sum",
  t2."left" as "left",
  t2."owed" as "owed",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."reason" as "reason",
  t2."idUser" as "idUser",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "bonuses" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "bonuses" t0 where exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and not t1."deleted" and (not (t1."secretLevel" <> 'none') or opened_because($2::bigint, t1."id", 8) is not null)) limit 10001) counted) as total;

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
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."kind" as "kind",
  t1."idStatus" as "idStatus",
  t1."idCustomer" as "idCustomer",
  t1."idPayer" as "idPayer",
  t1."idOrganization" as "idOrganization",
  t1."idDesk" as "idDesk",
  t1."idShift" as "idShift",
  t1."localDate" as "localDate",
  t1."sum" as "sum",
  t1."bonus" as "bonus",
  t1."received" as "received",
  t1."change" as "change",
  t1."comment" as "comment",
  t1."lines" as "lines",
  t1."idCertificate" as "idCertificate",
  t1."idRefundOf" as "idRefundOf",
  t1."idApprover" as "idApprover",
  t1."refusal" as "refusal",
  ((select coalesce(array_agg("method" order by "id"), '{}') from payments_parts where "idPayment" = t1."id")) as "methods",
  ((select coalesce(sum("sum"), 0) from payments where "idRefundOf" = t1."id" and "idStatus" = 2)) as "refunded",
  (coalesce((select "status" from fiscal_tasks where "idPayment" = t1."id"
order by "status" in ('failed', 'conflict') desc, "id" desc limit 1), 'none')) as "receipt",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "payments" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payments" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")))) limit 10001) counted) as total;

-- GET /payments/parts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payments_parts" t0 where exists (select 1 from "payments" t1 where t1."id" = t0."idPayment" and not t1."deleted" and (exists (select 1 from cash_desks k where k."id" = t1."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted"))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idPayment" as "idPayment",
  t2."method" as "method",
  t2."sum" as "sum",
  t2."idGuarantee" as "idGuarantee",
  t2."idCertificate" as "idCertificate",
  t2."terminalState" as "terminalState",
  t2."terminal" as "terminal",
  t2."_version" as "_version") x) as j
from page join "payments_parts" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payments_parts" t0 where exists (select 1 from "payments" t1 where t1."id" = t0."idPayment" and not t1."deleted" and (exists (select 1 from cash_desks k where k."id" = t1."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted"))))) limit 10001) counted) as total;

-- GET /payment-links?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payment_links" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $1::bigint and not d."deleted")))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCustomer" as "idCustomer",
  t1."idDesk" as "idDesk",
  t1."sum" as "sum",
  t1."lines" as "lines",
  t1."about" as "about",
  t1."status" as "status",
  t1."error" as "error",
  t1."dateTo" as "dateTo",
  t1."idPayment" as "idPayment",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "payment_links" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payment_links" t0 where not t0."deleted" and (exists (select 1 from cash_desks k where k."id" = t0."idDesk"
and k."idFilial" = any (array(select d."idFilial" from filials_desks d where d."idUser" = $2::bigint and not d."deleted")))) limit 10001) counted) as total;

-- GET /certificates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "certificates" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."number" as "number",
  t1."idOrganization" as "idOrganization",
  t1."idBuyer" as "idBuyer",
  t1."idCustomer" as "idCustomer",
  t1."sum" as "sum",
  t1."dateTo" as "dateTo",
  ((((select coalesce(-sum(e."amount"), 0) from ledger_accounts a
join ledger_entries e on e."idAccount" = a."id"
where a."kind" = 'certificate' and a."idOrganization" = t1."idOrganization" and a."mark" = t1."id"::text) - (
(select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
where t."idCertificate" = t1."id" and p."kind" = 'payment' and p."idStatus" = 1)
+ (select coalesce(sum(p."sum"), 0) from payments p
where p."idCertificate" = t1."id" and p."kind" = 'refund' and p."idStatus" in (1, 4))) * 100) / 100)::numeric(14,2)) as "rest",
  (case
when exists (select 1 from payments p where p."idCertificate" = t1."id" and p."kind" = 'payment'
and p."idStatus" = 1) then 'pending'
when (((select coalesce(-sum(e."amount"), 0) from ledger_accounts a
join ledger_entries e on e."idAccount" = a."id"
where a."kind" = 'certificate' and a."idOrganization" = t1."idOrganization" and a."mark" = t1."id"::text) - (
(select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
where t."idCertificate" = t1."id" and p."kind" = 'payment' and p."idStatus" = 1)
+ (select coalesce(sum(p."sum"), 0) from payments p
where p."idCertificate" = t1."id" and p."kind" = 'refund' and p."idStatus" in (1, 4))) * 100) / 100)::numeric(14,2) <= 0 then case when exists (select 1 from payments p where p."idCertificate" = t1."id"
and p."kind" = 'refund' and not p."deleted" and p."idStatus" <> 3) then 'returned' else 'spent' end
when t1."dateTo" < (now() at time zone coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
$1::text))::date then 'expired' else 'active' end) as "state",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "certificates" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "certificates" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /guarantee-letters?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "guarantee_letters" t0 where not t0."deleted" order by t0."dateTo" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idCustomer" as "idCustomer",
  t1."idInsurer" as "idInsurer",
  t1."number" as "number",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."limit" as "limit",
  ((
(select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
where t."idGuarantee" = t1."id" and p."idStatus" = 2)
- (select coalesce(sum(m."amount"), 0) from letter_moves m where m."idGuarantee" = t1."id" and m."as" <> 'paid'))::numeric(14,2)) as "used",
  t1."services" as "services",
  t1."status" as "status",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "guarantee_letters" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "guarantee_letters" t0 where not t0."deleted" limit 10001) counted) as total;

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
