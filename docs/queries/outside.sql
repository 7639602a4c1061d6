-- GET /booking-channels?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "booking_channels" t0 where not t0."deleted" order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."kind" as "kind",
  t1."idFilial" as "idFilial",
  t1."idSource" as "idSource",
  t1."idServices" as "idServices",
  t1."idUsers" as "idUsers",
  t1."horizonDays" as "horizonDays",
  t1."leadHours" as "leadHours",
  t1."showPrice" as "showPrice",
  t1."active" as "active",
  t1."dateToken" as "dateToken",
  (exists (select from booking_channel_tokens t where t."idChannel" = t1."id")) as "hasSellerKey",
  t1."isAgreed" as "isAgreed",
  ((select case when not t1."active" or not (case t1."kind" when 'yandex' then t1."isAgreed" else t1."kind" = any ($1::text[])
and exists (select from booking_channel_tokens t where t."idChannel" = t1."id") end) then 'off'
when bool_or(p."error" is not null) then 'fails'
when max(p."datePushed") is null then 'waits' when bool_or(p."isQueued") then 'late' else 'works' end
from booking_pushes p where p."idChannel" = t1."id")) as "pushState",
  ((select max(p."datePushed") from booking_pushes p where p."idChannel" = t1."id")) as "datePushed",
  ((select p."error" from booking_pushes p
where p."idChannel" = t1."id" and p."error" is not null order by p."part" limit 1)) as "pushError",
  ((select max(b."dateCreate") from outside_bookings b where b."idChannel" = t1."id" and b."reason" is null)) as "dateBooked",
  ((select count(*)::int from outside_bookings b
where b."idChannel" = t1."id" and b."reason" is null and b."dateCreate" > now() - interval '30 days')) as "booked",
  ((select count(*)::int from outside_bookings b
where b."idChannel" = t1."id" and b."reason" is not null and b."dateCreate" > now() - interval '30 days')) as "refused",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "booking_channels" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "booking_channels" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /outside-bookings?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "outside_bookings" t0 where not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($1::bigint, t1."id", 8) is null)) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idChannel" as "idChannel",
  t2."outerId" as "outerId",
  (case when t2."reason" is not null then 'refused'
when not exists (select from appointments a where a."id" = t2."idAppointment" and not a."deleted"
and a."visitStatus" not in ('cancelled', 'moved')) then 'cancelled'
when t2."isConfirmed" then 'confirmed' else 'booked' end) as "state",
  t2."isConfirmed" as "isConfirmed",
  t2."idCustomer" as "idCustomer",
  t2."idAppointment" as "idAppointment",
  t2."question" as "question",
  t2."reason" as "reason",
  t2."dateCreate" as "dateCreate",
  t2."dateChange" as "dateChange",
  t2."_version" as "_version") x) as j
from page join "outside_bookings" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "outside_bookings" t0 where not exists (select 1 from "customers" t1 where t1."id" = t0."idCustomer" and (t1."secretLevel" <> 'none' and opened_because($2::bigint, t1."id", 8) is null)) limit 10001) counted) as total;

-- GET /booking-channels/matches?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "booking_channels_matches" t0 where not t0."deleted" and exists (select 1 from "booking_channels" t1 where t1."id" = t0."idChannel" and not t1."deleted") order by t0."kind", t0."outerName", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idChannel" as "idChannel",
  t2."kind" as "kind",
  t2."outerName" as "outerName",
  t2."outerCode" as "outerCode",
  t2."idUser" as "idUser",
  t2."idService" as "idService",
  t2."state" as "state",
  t2."dateChange" as "dateChange",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "booking_channels_matches" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "booking_channels_matches" t0 where not t0."deleted" and exists (select 1 from "booking_channels" t1 where t1."id" = t0."idChannel" and not t1."deleted") limit 10001) counted) as total;

-- GET /reviews?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "reviews" t0 where not t0."deleted" order by t0."dateReview" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."site" as "site",
  t1."idFilial" as "idFilial",
  t1."outerId" as "outerId",
  t1."url" as "url",
  t1."dateReview" as "dateReview",
  t1."author" as "author",
  t1."score" as "score",
  t1."text" as "text",
  t1."idDoctor" as "idDoctor",
  t1."answer" as "answer",
  t1."state" as "state",
  t1."dateAnswered" as "dateAnswered",
  t1."idAnswered" as "idAnswered",
  (round((extract(epoch from t1."dateAnswered" - t1."dateReview") / 3600)::numeric, 1)::float8) as "hoursToAnswer",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "reviews" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "reviews" t0 where not t0."deleted" limit 10001) counted) as total;
