-- GET /users?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "users" t0 where not t0."deleted" order by t0."surname", t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."surname" as "surname",
  t1."name" as "name",
  t1."middleName" as "middleName",
  (coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio",
  (case when coalesce(t1."surname", '') = '' then coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени') else t1."surname" || coalesce(' ' || upper(left(nullif(t1."name", ''), 1)) || '.', '') || coalesce(' ' || upper(left(nullif(t1."middleName", ''), 1)) || '.', '') end) as "shortFio",
  t1."avatar" as "avatar",
  t1."post" as "post",
  t1."idSpeciality" as "idSpeciality",
  t1."filials" as "filials",
  t1."color" as "color",
  t1."phone" as "phone",
  t1."email" as "email",
  t1."description" as "description",
  t1."sex" as "sex",
  to_char(t1."birthday", 'DD.MM.YYYY') as "birthday",
  t1."sipPhone" as "sipPhone",
  t1."timeZone" as "timeZone",
  t1."isLiveAssist" as "isLiveAssist",
  t1."lastActive" as "lastActive",
  (coalesce(not t1."deleted" and not t1."isBlocked" and t1."lastActive" > now() - make_interval(secs => 210), false)) as "isOnline",
  ((not t1."deleted" and not t1."isBlocked")) as "isActive",
  (md5('users/' || t1."id")) as "hash",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "users" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "users" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /users/photos?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "users_photos" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
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
from page join "users_photos" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "users_photos" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /roles?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "roles" t0  order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."description" as "description",
  t1."permissions" as "permissions",
  t1."maxDiscount" as "maxDiscount",
  t1."requiresFactor" as "requiresFactor",
  t1."isSystem" as "isSystem",
  ((select count(*)::int from "user_roles" t2 where t2."idRole" = t1."id" and exists (select 1 from users u where u."id" = t2."idUser" and not u."deleted"))) as "usersCount",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."_version" as "_version") x) as j
from page join "roles" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "roles" t0  limit 10001) counted) as total;
