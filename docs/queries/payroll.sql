-- GET /payroll/schemes?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_schemes" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idUser" as "idUser",
  t1."post" as "post",
  t1."idFilial" as "idFilial",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."accrual" as "accrual",
  t1."over" as "over",
  t1."rules" as "rules",
  t1."note" as "note",
  (exists (select 1 from payroll_lines l join payroll_slips s on s."id" = l."idSlip"
join payroll_periods p on p."id" = s."idPeriod" and p."status" = 'closed' where l."idScheme" = t1."id")) as "isUsed",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idAuthor" as "idAuthor",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "payroll_schemes" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_schemes" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /payroll/periods?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_periods" t0 where not t0."deleted" order by t0."month" desc, t0."idFilial", t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."month" as "month",
  t1."idFilial" as "idFilial",
  t1."status" as "status",
  t1."dateCalculated" as "dateCalculated",
  t1."payerIncome" as "payerIncome",
  t1."dateApproved" as "dateApproved",
  t1."idApprover" as "idApprover",
  t1."dateClosed" as "dateClosed",
  ((select count(*)::int from payroll_slips s where s."idPeriod" = t1."id")) as "people",
  (coalesce((select sum((s."salary" + s."percent" + s."kpi" + coalesce((
select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
where j."idSlip" = s."id" and not j."deleted" and true), 0)::numeric(14,2))) from payroll_slips s where s."idPeriod" = t1."id"), 0)::numeric(14,2)) as "total",
  (coalesce((select sum(coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = s."id"), 0)::numeric(14,2)) from payroll_slips s where s."idPeriod" = t1."id"), 0)::numeric(14,2)) as "paid",
  (coalesce((select sum((s."salary" + s."percent" + s."kpi" + coalesce((
select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
where j."idSlip" = s."id" and not j."deleted" and true), 0)::numeric(14,2)) - coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = s."id"), 0)::numeric(14,2)) from payroll_slips s where s."idPeriod" = t1."id"), 0)::numeric(14,2)) as "left",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "payroll_periods" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_periods" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /payroll/slips?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_slips" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint and exists (select 1 from payroll_periods p
where p."id" = t0."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed')))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idPeriod" as "idPeriod",
  t1."idUser" as "idUser",
  t1."post" as "post",
  ((select p."month" from payroll_periods p join filials f on f."id" = p."idFilial" where p."id" = t1."idPeriod")) as "month",
  ((select f."nameFilial" from payroll_periods p join filials f on f."id" = p."idFilial" where p."id" = t1."idPeriod")) as "nameFilial",
  ((select p."status" from payroll_periods p join filials f on f."id" = p."idFilial" where p."id" = t1."idPeriod")) as "status",
  t1."salary" as "salary",
  t1."percent" as "percent",
  t1."kpi" as "kpi",
  (coalesce((
select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
where j."idSlip" = t1."id" and not j."deleted" and j."kind" in ('bonus', 'extra')), 0)::numeric(14,2)) as "bonus",
  (coalesce((
select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
where j."idSlip" = t1."id" and not j."deleted" and j."kind" in ('reduction', 'deduction')), 0)::numeric(14,2)) as "deduction",
  ((t1."salary" + t1."percent" + t1."kpi" + coalesce((
select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
where j."idSlip" = t1."id" and not j."deleted" and true), 0)::numeric(14,2))) as "total",
  (coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = t1."id"), 0)::numeric(14,2)) as "paid",
  (((t1."salary" + t1."percent" + t1."kpi" + coalesce((
select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end) from payroll_adjustments j
where j."idSlip" = t1."id" and not j."deleted" and true), 0)::numeric(14,2)) - coalesce((select sum(o."sum") from payroll_payouts o where o."idSlip" = t1."id"), 0)::numeric(14,2))) as "left",
  t1."hours" as "hours",
  t1."shifts" as "shifts",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "payroll_slips" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_slips" t0 where not t0."deleted" and ((t0."idUser" = $2::bigint and exists (select 1 from payroll_periods p
where p."id" = t0."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed')))) limit 10001) counted) as total;

-- GET /payroll/lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_lines" t0 where exists (select 1 from "payroll_slips" t1 where t1."id" = t0."idSlip" and not t1."deleted" and ((t1."idUser" = $1::bigint and exists (select 1 from payroll_periods p
where p."id" = t1."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed'))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idSlip" as "idSlip",
  t2."type" as "type",
  t2."name" as "name",
  t2."idScheme" as "idScheme",
  t2."rule" as "rule",
  t2."idCouponService" as "idCouponService",
  t2."localDate" as "localDate",
  t2."base" as "base",
  t2."rate" as "rate",
  t2."sum" as "sum",
  t2."idOfPeriod" as "idOfPeriod",
  ((select p."month" from payroll_periods p where p."id" = t2."idOfPeriod")) as "ofMonth",
  ((select coalesce((select coalesce(z."sold"->'service', '{}') || jsonb_build_object(
'nameService', z."sold"->'name', 'paymentSubject', z."sold"->'subject', 'vatCode', z."sold"->'tax', 'priceService', l."price")
from ledger_lines z where z."idLine" = l."id" and z."sold" is not null)->>'nameService', s."nameService") from coupon_services l join services s on s."id" = l."idService"
where l."id" = t2."idCouponService")) as "service",
  t2."_version" as "_version") x) as j
from page join "payroll_lines" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_lines" t0 where exists (select 1 from "payroll_slips" t1 where t1."id" = t0."idSlip" and not t1."deleted" and ((t1."idUser" = $2::bigint and exists (select 1 from payroll_periods p
where p."id" = t1."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed'))))) limit 10001) counted) as total;

-- GET /payroll/adjustments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_adjustments" t0 where not t0."deleted" and exists (select 1 from "payroll_slips" t1 where t1."id" = t0."idSlip" and not t1."deleted" and ((t1."idUser" = $1::bigint and exists (select 1 from payroll_periods p
where p."id" = t1."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed'))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idSlip" as "idSlip",
  t2."kind" as "kind",
  t2."sum" as "sum",
  t2."reason" as "reason",
  t2."idViolation" as "idViolation",
  ((case when t2."kind" in ('bonus', 'extra') then t2."sum" else -t2."sum" end)) as "amount",
  t2."dateCreate" as "dateCreate",
  t2."idAuthor" as "idAuthor",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "payroll_adjustments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_adjustments" t0 where not t0."deleted" and exists (select 1 from "payroll_slips" t1 where t1."id" = t0."idSlip" and not t1."deleted" and ((t1."idUser" = $2::bigint and exists (select 1 from payroll_periods p
where p."id" = t1."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed'))))) limit 10001) counted) as total;

-- GET /payroll/payouts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_payouts" t0 where exists (select 1 from "payroll_slips" t1 where t1."id" = t0."idSlip" and not t1."deleted" and ((t1."idUser" = $1::bigint and exists (select 1 from payroll_periods p
where p."id" = t1."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed'))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idSlip" as "idSlip",
  t2."kind" as "kind",
  t2."sum" as "sum",
  t2."localDate" as "localDate",
  t2."payFrom" as "payFrom",
  t2."idDesk" as "idDesk",
  t2."idShift" as "idShift",
  t2."idBankAccount" as "idBankAccount",
  t2."dateCreate" as "dateCreate",
  t2."idAuthor" as "idAuthor",
  t2."_version" as "_version") x) as j
from page join "payroll_payouts" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_payouts" t0 where exists (select 1 from "payroll_slips" t1 where t1."id" = t0."idSlip" and not t1."deleted" and ((t1."idUser" = $2::bigint and exists (select 1 from payroll_periods p
where p."id" = t1."idPeriod" and not p."deleted" and p."status" in ('approved', 'paid', 'closed'))))) limit 10001) counted) as total;

-- GET /payroll/runs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payroll_runs" t0 where exists (select 1 from "payroll_periods" t1 where t1."id" = t0."idPeriod" and not t1."deleted") order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idPeriod" as "idPeriod",
  t2."isTrial" as "isTrial",
  t2."status" as "status",
  t2."progress" as "progress",
  t2."stage" as "stage",
  t2."before" as "before",
  t2."after" as "after",
  t2."added" as "added",
  t2."changed" as "changed",
  t2."removed" as "removed",
  t2."corrections" as "corrections",
  t2."differences" as "differences",
  t2."error" as "error",
  t2."dateEnd" as "dateEnd",
  t2."dateCreate" as "dateCreate",
  t2."idAuthor" as "idAuthor",
  t2."_version" as "_version") x) as j
from page join "payroll_runs" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payroll_runs" t0 where exists (select 1 from "payroll_periods" t1 where t1."id" = t0."idPeriod" and not t1."deleted") limit 10001) counted) as total;
