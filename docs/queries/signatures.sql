-- GET /signatures/certificates?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "signatures_certificates" t0 where not t0."deleted" order by t0."dateTo", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."owner" as "owner",
  t1."organization" as "organization",
  t1."snils" as "snils",
  t1."ogrn" as "ogrn",
  t1."inn" as "inn",
  t1."issuer" as "issuer",
  t1."serial" as "serial",
  t1."thumbprint" as "thumbprint",
  t1."kind" as "kind",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."purpose" as "purpose",
  t1."idUser" as "idUser",
  t1."active" as "active",
  t1."warned" as "warned",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "signatures_certificates" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "signatures_certificates" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /signatures/powers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "signatures_powers" t0 where not t0."deleted" and exists (select 1 from "signatures_certificates" t1 where t1."id" = t0."idCertificate" and not t1."deleted") order by t0."dateTo" desc, t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idCertificate" as "idCertificate",
  t2."number" as "number",
  t2."dateFrom" as "dateFrom",
  t2."dateTo" as "dateTo",
  t2."powers" as "powers",
  t2."warned" as "warned",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "signatures_powers" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "signatures_powers" t0 where not t0."deleted" and exists (select 1 from "signatures_certificates" t1 where t1."id" = t0."idCertificate" and not t1."deleted") limit 10001) counted) as total;
