-- GET /programme-rules?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "programme_rules" t0 where not t0."deleted" and exists (select 1 from "organizations_programmes" t1 where t1."id" = t0."idProgramme" and not t1."deleted" and exists (select 1 from "organizations" t2 where t2."id" = t1."idOrganization" and not t2."deleted")) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idProgramme" as "idProgramme",
  t3."order" as "order",
  t3."kind" as "kind",
  t3."idService" as "idService",
  t3."idGroup" as "idGroup",
  t3."codeMask" as "codeMask",
  t3."diagnoses" as "diagnoses",
  t3."qty" as "qty",
  t3."sum" as "sum",
  t3."period" as "period",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "programme_rules" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "programme_rules" t0 where not t0."deleted" and exists (select 1 from "organizations_programmes" t1 where t1."id" = t0."idProgramme" and not t1."deleted" and exists (select 1 from "organizations" t2 where t2."id" = t1."idOrganization" and not t2."deleted")) limit 10001) counted) as total;

-- GET /payer-registries?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payer_registries" t0 where not t0."deleted" order by t0."month" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idContract" as "idContract",
  t1."month" as "month",
  t1."number" as "number",
  t1."state" as "state",
  t1."dateSent" as "dateSent",
  t1."dateDue" as "dateDue",
  ((select count(*)::int from payer_registries_lines z where z."idRegistry" = t1."id")) as "lines",
  ((select coalesce(sum(z."sum"), 0)::numeric(14,2) from payer_registries_lines z where z."idRegistry" = t1."id")) as "claimed",
  ((select coalesce(sum(z."accepted"), 0)::numeric(14,2) from payer_registries_lines z where z."idRegistry" = t1."id")) as "accepted",
  ((select coalesce(sum(z."cut"), 0)::numeric(14,2) from payer_registries_lines z where z."idRegistry" = t1."id")) as "cut",
  ((select coalesce(sum(z."sum" - z."accepted" - z."cut"), 0)::numeric(14,2) from payer_registries_lines z where z."idRegistry" = t1."id")) as "open",
  (coalesce((select sum(m."amount") from payer_moves m
where m."idRegistry" = t1."id" and m."as" = 'paid'), 0)::numeric(14,2)) as "paid",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "payer_registries" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payer_registries" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /payer-registries/lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "payer_registries_lines" t0 where exists (select 1 from "payer_registries" t1 where t1."id" = t0."idRegistry" and not t1."deleted") and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idRegistry" as "idRegistry",
  t3."idCouponService" as "idCouponService",
  t3."idCustomer" as "idCustomer",
  t3."sum" as "sum",
  t3."accepted" as "accepted",
  t3."cut" as "cut",
  t3."state" as "state",
  t3."reason" as "reason",
  t3."reasonCode" as "reasonCode",
  t3."idReissueOf" as "idReissueOf",
  t3."values" as "values",
  t3."_version" as "_version") x) as j
from page join "payer_registries_lines" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "payer_registries_lines" t0 where exists (select 1 from "payer_registries" t1 where t1."id" = t0."idRegistry" and not t1."deleted") and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null)) limit 10001) counted) as total;
