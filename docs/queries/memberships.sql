-- GET /membership-types/items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "membership_types_items" t0 where not t0."deleted" and exists (select 1 from "membership_types" t1 where t1."id" = t0."idType" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idType" as "idType",
  t2."idService" as "idService",
  t2."idGroup" as "idGroup",
  t2."qty" as "qty",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "membership_types_items" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "membership_types_items" t0 where not t0."deleted" and exists (select 1 from "membership_types" t1 where t1."id" = t0."idType" and not t1."deleted") limit 10001) counted) as total;

-- GET /memberships/users?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "memberships_users" t0 where not t0."deleted" and exists (select 1 from "memberships" t1 where t1."id" = t0."idMembership" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idBuyer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) and not exists (select 1 from "customers" t3 where t3."id" = t0."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($2::bigint, t3."id", 8) is null)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idMembership" as "idMembership",
  t4."idCustomer" as "idCustomer",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "memberships_users" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "memberships_users" t0 where not t0."deleted" and exists (select 1 from "memberships" t1 where t1."id" = t0."idMembership" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idBuyer" and (t2."secretLevel" <> 'none' and opened_because($3::bigint, t2."id", 8) is null))) and not exists (select 1 from "customers" t3 where t3."id" = t0."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($4::bigint, t3."id", 8) is null)) limit 10001) counted) as total;

-- GET /memberships/moves?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "memberships_moves" t0 where exists (select 1 from "memberships" t1 where t1."id" = t0."idMembership" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idBuyer" and (t2."secretLevel" <> 'none' and opened_because($1::bigint, t2."id", 8) is null))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMembership" as "idMembership",
  t3."kind" as "kind",
  t3."localDate" as "localDate",
  t3."visits" as "visits",
  t3."sum" as "sum",
  t3."idCouponService" as "idCouponService",
  t3."comment" as "comment",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."_version" as "_version") x) as j
from page join "memberships_moves" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "memberships_moves" t0 where exists (select 1 from "memberships" t1 where t1."id" = t0."idMembership" and not t1."deleted" and not exists (select 1 from "customers" t2 where t2."id" = t1."idBuyer" and (t2."secretLevel" <> 'none' and opened_because($2::bigint, t2."id", 8) is null))) limit 10001) counted) as total;
