-- GET /tasks-management/boards?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_boards" t0 where not t0."deleted" and ((t0."isPublic" or t0."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t0."id" and sm."idUser" = $2::bigint and not sm."deleted"
))) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."description" as "description",
  t1."icon" as "icon",
  t1."color" as "color",
  t1."isPublic" as "isPublic",
  t1."approvedAllChildrenTasks" as "approvedAllChildrenTasks",
  t1."timeArchiveTaskCompleted" as "timeArchiveTaskCompleted",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."idUser" as "idUser",
  t1."idColumnNew" as "idColumnNew",
  t1."idColumnWork" as "idColumnWork",
  t1."idColumnWait" as "idColumnWait",
  t1."idColumnCompleted" as "idColumnCompleted",
  t1."idColumnExpired" as "idColumnExpired",
  (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $3::bigint and not bm."deleted" and bm."isFavourite")) as "isFavourite",
  (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $4::bigint and not bm."deleted")) as "isMember",
  ((select count(*)::int from "tasks_management_members" t2 where t2."idBoard" = t1."id" and not t2."deleted")) as "membersCount",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_boards" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_boards" t0 where not t0."deleted" and ((t0."isPublic" or t0."idUser" = $5::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t0."id" and sm."idUser" = $6::bigint and not sm."deleted"
))) limit 10001) counted) as total;

-- GET /tasks-management/columns?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_columns" t0 where not t0."deleted" and exists (select 1 from "tasks_management_boards" t1 where t1."id" = t0."idBoard" and not t1."deleted" and ((t1."isPublic" or t1."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t1."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."color" as "color",
  t2."order" as "order",
  t2."wipLimit" as "wipLimit",
  t2."idBoard" as "idBoard",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "tasks_management_columns" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_columns" t0 where not t0."deleted" and exists (select 1 from "tasks_management_boards" t1 where t1."id" = t0."idBoard" and not t1."deleted" and ((t1."isPublic" or t1."idUser" = $3::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t1."id" and sm."idUser" = $4::bigint and not sm."deleted"
)))) limit 10001) counted) as total;

-- GET /tasks-management/members?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_members" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idUser" as "idUser",
  t1."idBoard" as "idBoard",
  t1."description" as "description",
  t1."isDefaultResponsible" as "isDefaultResponsible",
  t1."isTaskDefaultResponsible" as "isTaskDefaultResponsible",
  t1."isTaskDefaultExecutor" as "isTaskDefaultExecutor",
  t1."isFavourite" as "isFavourite",
  t1."isConfirmCreate" as "isConfirmCreate",
  t1."openAfterCreate" as "openAfterCreate",
  t1."permissionToViewTasks" as "permissionToViewTasks",
  t1."permissionToEditTasks" as "permissionToEditTasks",
  t1."permissionToAssignTasks" as "permissionToAssignTasks",
  t1."permissionToDeleteTasks" as "permissionToDeleteTasks",
  t1."permissionToEditTemplates" as "permissionToEditTemplates",
  t1."canCreateTask" as "canCreateTask",
  t1."canRelationBoard" as "canRelationBoard",
  t1."canEditBoard" as "canEditBoard",
  t1."canEditColumn" as "canEditColumn",
  t1."canManuallyDragTask" as "canManuallyDragTask",
  t1."creatorClosesTaskAsExecutor" as "creatorClosesTaskAsExecutor",
  t1."dateCreate" as "dateCreate",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_members" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_members" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $3::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $4::bigint and not sm."deleted"
)))) limit 10001) counted) as total;

-- GET /tasks-management/relations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_relations" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idBoard" as "idBoard",
  t1."idRelationBoard" as "idRelationBoard",
  t1."idColumn" as "idColumn",
  ((select rb."name" from tasks_management_boards rb where rb."id" = t1."idRelationBoard" and not rb."deleted")) as "nameRelationBoard",
  ((select rc."name" from tasks_management_columns rc where rc."id" = t1."idColumn" and not rc."deleted")) as "nameColumn",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_relations" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_relations" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $3::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $4::bigint and not sm."deleted"
)))) limit 10001) counted) as total;

-- GET /tasks-management/resources?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_resources" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."url" as "url",
  t1."idBoard" as "idBoard",
  t1."idFile" as "idFile",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_resources" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_resources" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $3::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $4::bigint and not sm."deleted"
)))) limit 10001) counted) as total;

-- GET /tasks-management/tasks?count=1&limit=50
with asking0("of") as materialized (select array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) select * from (with few as materialized (select t2."idTask" as id from "tasks_management_sights" t2 where not t2."isGone" and not t2."deleted" and t2."principal" = any((select "of" from asking0)::bigint[]) and not (t2."isAgain" and exists (select 1 from "tasks_management_sights" t3 where t3."idTask" = t2."idTask" and t3."idAssigned" < t2."idAssigned" and not t3."isGone" and t3."principal" = any((select "of" from asking0)::bigint[]) offset 0)) limit 2001),
seen as materialized (select t0."id" from "tasks_management_tasks" t0 where t0."id" = any(array(select id from few)) and not t0."deleted"), page as materialized (select id, row_number() over () as n from ((select * from (select t0."id" from "tasks_management_tasks" t0 where t0."id" = any(array(select id from seen)) and (select count(*) from few) <= 2000 order by t0."dateCreate" desc, t0."id" desc limit 51) a) union all (select * from (select t0."id" from "tasks_management_tasks" t0 where not t0."deleted" and exists (select 1 from "tasks_management_sights" t1 where t1."idTask" = t0."id" and not t1."isGone" and t1."principal" = any((select "of" from asking0)::bigint[]) offset 0) and not (select count(*) from few) <= 2000 order by t0."dateCreate" desc, t0."id" desc limit 51) b)) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."name" as "name",
  t5."description" as "description",
  t5."importance" as "importance",
  t5."isCompleted" as "isCompleted",
  t5."isWaitCheck" as "isWaitCheck",
  t5."isNeedChange" as "isNeedChange",
  t5."isArchive" as "isArchive",
  t5."isTemplate" as "isTemplate",
  t5."dateStart" as "dateStart",
  t5."dateEnd" as "dateEnd",
  t5."dateWorkStart" as "dateWorkStart",
  t5."dateCompleted" as "dateCompleted",
  t5."dateExpired" as "dateExpired",
  t5."dateCreate" as "dateCreate",
  t5."dateChange" as "dateChange",
  t5."approvedAllChildrenTasks" as "approvedAllChildrenTasks",
  t5."notificationDate" as "notificationDate",
  t5."notificationDescription" as "notificationDescription",
  t5."notificationType" as "notificationType",
  t5."notificationCustomRepeatType" as "notificationCustomRepeatType",
  t5."notificationCustomRepeatValue" as "notificationCustomRepeatValue",
  t5."notificationTimeZone" as "notificationTimeZone",
  t5."notificationNext" as "notificationNext",
  t5."notificationRound" as "notificationRound",
  t5."idUser" as "idUser",
  t5."idCover" as "idCover",
  ((select count(distinct m."idUser")::int from (
select "idMember" from tasks_management_executors where "idTask" = t5."id"
union all select "idMember" from tasks_management_responsible where "idTask" = t5."id"
) p join tasks_management_members m on m."id" = p."idMember" and not m."deleted")) as "usersTotalCount",
  ((select count(*)::int from "tasks_management_task_files" t6 where t6."idTask" = t5."id" and not t6."deleted")) as "filesCount",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "tasks_management_tasks" t5 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
case when (select count(*) from few) <= 2000 then (select count(*) from seen) else (select count(*) from (select 1 from "tasks_management_sights" t2 where not t2."isGone" and not t2."deleted" and t2."principal" = any((select "of" from asking0)::bigint[]) and not (t2."isAgain" and exists (select 1 from "tasks_management_sights" t3 where t3."idTask" = t2."idTask" and t3."idAssigned" < t2."idAssigned" and not t3."isGone" and t3."principal" = any((select "of" from asking0)::bigint[]) offset 0)) limit 10001) counted) end as total) list;

-- GET /tasks-management/assigned?count=1&limit=50
with asking0("of") as materialized (select array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) select * from (with few as materialized (select t2."idAssigned" as id from "tasks_management_sights" t2 where t2."idAssigned" is not null and not t2."isGone" and not t2."deleted" and t2."principal" = any((select "of" from asking0)::bigint[])  limit 2001),
seen as materialized (select t0."id" from "tasks_management_assigned" t0 where t0."id" = any(array(select id from few)) and not t0."deleted"), page as materialized (select id, row_number() over () as n from ((select * from (select t0."id" from "tasks_management_assigned" t0 where t0."id" = any(array(select id from seen)) and (select count(*) from few) <= 2000 order by t0."order", t0."id" limit 51) a) union all (select * from (select t0."id" from "tasks_management_assigned" t0 where not t0."deleted" and exists (select 1 from "tasks_management_sights" t1 where t1."idTask" = t0."idTask" and t1."idAssigned" = t0."id" and not t1."deleted" and t1."principal" = any((select "of" from asking0)::bigint[]) offset 0) and not (select count(*) from few) <= 2000 order by t0."order", t0."id" limit 51) b)) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."idTask" as "idTask",
  t5."idColumn" as "idColumn",
  t5."order" as "order",
  t5."isArchive" as "isArchive",
  t5."dateCreate" as "dateCreate",
  t5."dateChange" as "dateChange",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
from page join "tasks_management_assigned" t5 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
case when (select count(*) from few) <= 2000 then (select count(*) from seen) else (select count(*) from (select 1 from "tasks_management_sights" t2 where t2."idAssigned" is not null and not t2."isGone" and not t2."deleted" and t2."principal" = any((select "of" from asking0)::bigint[])  limit 10001) counted) end as total) list;

-- GET /tasks-management/executors?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_executors" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMember" as "idMember",
  t3."idTask" as "idTask",
  t3."_version" as "_version") x) as j
from page join "tasks_management_executors" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_executors" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $6::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $7::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($8::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $9::bigint and not m."deleted" and w.holds
union all select $10::bigint)) offset 0)) limit 10001) counted) as total;

-- GET /tasks-management/responsible?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_responsible" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMember" as "idMember",
  t3."idTask" as "idTask",
  t3."_version" as "_version") x) as j
from page join "tasks_management_responsible" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_responsible" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $6::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $7::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($8::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $9::bigint and not m."deleted" and w.holds
union all select $10::bigint)) offset 0)) limit 10001) counted) as total;

-- GET /tasks-management/watchers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_watchers" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idTask" as "idTask",
  t3."idUser" as "idUser",
  t3."_version" as "_version") x) as j
from page join "tasks_management_watchers" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_watchers" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $6::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $7::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($8::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $9::bigint and not m."deleted" and w.holds
union all select $10::bigint)) offset 0)) limit 10001) counted) as total;

-- GET /tasks-management/tags?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_tags" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."icon" as "icon",
  t3."entityType" as "entityType",
  t3."idTask" as "idTask",
  t3."_version" as "_version") x) as j
from page join "tasks_management_tags" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_tags" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $6::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $7::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($8::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $9::bigint and not m."deleted" and w.holds
union all select $10::bigint)) offset 0)) limit 10001) counted) as total;

-- GET /tasks-management/files?count=1&limit=50
with asking0("of") as materialized (select array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) select * from (with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_files" t0 where not t0."deleted" and ((t0."idUser" = $6::bigint or exists (
select 1 from tasks_management_task_files f where f."idFile" = t0."id" and not f."deleted"
and exists (select 1 from tasks_management_sights sk
where sk."idTask" = f."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)) or exists (
select 1 from tasks_management_comment_files cf join tasks_management_comments co on co."id" = cf."idComment"
where cf."idFile" = t0."id" and not cf."deleted" and not co."deleted"
and (co."type" = 'task' and exists (select 1 from tasks_management_sights sk
where sk."idTask" = co."idEntity" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)
or co."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = co."idEntity" and not sb."deleted" and (sb."idUser" = $7::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $8::bigint and not sm."deleted"
))))) or exists (
select 1 from tasks_management_resources re where re."idFile" = t0."id" and not re."deleted"
and exists (
select 1 from tasks_management_boards sb
where sb."id" = re."idBoard" and not sb."deleted" and (sb."idUser" = $9::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $10::bigint and not sm."deleted"
)))) or exists (
select 1 from tasks_management_polls pl where pl."image" = t0."id" and not pl."deleted"
and (exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = pl."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)) or pl."idUser" = $11::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = pl."id" and not le."deleted" ))))) order by t0."id" desc limit 51) picked)
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
from page join "tasks_management_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_files" t0 where not t0."deleted" and ((t0."idUser" = $12::bigint or exists (
select 1 from tasks_management_task_files f where f."idFile" = t0."id" and not f."deleted"
and exists (select 1 from tasks_management_sights sk
where sk."idTask" = f."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)) or exists (
select 1 from tasks_management_comment_files cf join tasks_management_comments co on co."id" = cf."idComment"
where cf."idFile" = t0."id" and not cf."deleted" and not co."deleted"
and (co."type" = 'task' and exists (select 1 from tasks_management_sights sk
where sk."idTask" = co."idEntity" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)
or co."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = co."idEntity" and not sb."deleted" and (sb."idUser" = $13::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $14::bigint and not sm."deleted"
))))) or exists (
select 1 from tasks_management_resources re where re."idFile" = t0."id" and not re."deleted"
and exists (
select 1 from tasks_management_boards sb
where sb."id" = re."idBoard" and not sb."deleted" and (sb."idUser" = $15::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $16::bigint and not sm."deleted"
)))) or exists (
select 1 from tasks_management_polls pl where pl."image" = t0."id" and not pl."deleted"
and (exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = pl."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)) or pl."idUser" = $17::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = pl."id" and not le."deleted" ))))) limit 10001) counted) as total) list;

-- GET /tasks-management/task-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_task_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idTask" as "idTask",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "tasks_management_task_files" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_task_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $6::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $7::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($8::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $9::bigint and not m."deleted" and w.holds
union all select $10::bigint)) offset 0)) limit 10001) counted) as total;

-- GET /tasks-management/subtasks?count=1&limit=50
with asking0("of") as materialized (select array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) select * from (with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_subtasks" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0) and (t0."canViewUpperTask" or exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idParentTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)))) order by t0."index", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idParentTask" as "idParentTask",
  t1."idTask" as "idTask",
  t1."index" as "index",
  t1."canViewUpperTask" as "canViewUpperTask",
  ((select pt."name" from tasks_management_tasks pt where pt."id" = t1."idParentTask" and not pt."deleted")) as "nameParentTask",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_subtasks" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_subtasks" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0) and (t0."canViewUpperTask" or exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idParentTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any((select "of" from asking0)::bigint[]) offset 0)))) limit 10001) counted) as total) list;

-- GET /tasks-management/entities?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_entities" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idTask" as "idTask",
  t3."type" as "type",
  t3."idEntity" as "idEntity",
  t3."order" as "order",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "tasks_management_entities" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_entities" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and exists (select 1 from "tasks_management_sights" t2 where t2."idTask" = t1."id" and not t2."isGone" and t2."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $6::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $7::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($8::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $9::bigint and not m."deleted" and w.holds
union all select $10::bigint)) offset 0)) limit 10001) counted) as total;

-- GET /tasks-management/check-lists?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_check_lists" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t0."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t0."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t0."id" and not le."deleted" ))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_check_lists" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_check_lists" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t0."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)) or t0."idUser" = $12::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t0."id" and not le."deleted" ))) limit 10001) counted) as total;

-- GET /tasks-management/check-list-items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_check_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_check_lists" t1 where t1."id" = t0."idCheckList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t1."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t1."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t1."id" and not le."deleted" )))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."isCheck" as "isCheck",
  t2."order" as "order",
  t2."dateEnd" as "dateEnd",
  t2."idCheckList" as "idCheckList",
  t2."idExecutor" as "idExecutor",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "tasks_management_check_list_items" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_check_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_check_lists" t1 where t1."id" = t0."idCheckList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t1."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)) or t1."idUser" = $12::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'checklist' and le."idEntity" = t1."id" and not le."deleted" )))) limit 10001) counted) as total;

-- GET /tasks-management/client-lists?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_client_lists" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t0."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t0."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t0."id" and not le."deleted" ))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_client_lists" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_client_lists" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t0."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)) or t0."idUser" = $12::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t0."id" and not le."deleted" ))) limit 10001) counted) as total;

-- GET /tasks-management/client-list-items?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_client_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_client_lists" t1 where t1."id" = t0."idClientList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t1."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t1."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t1."id" and not le."deleted" )))) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($7::bigint, t2."id", 8) is null)) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idClientList" as "idClientList",
  t3."order" as "order",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "tasks_management_client_list_items" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_client_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_client_lists" t1 where t1."id" = t0."idClientList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t1."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $8::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $9::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($10::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $11::bigint and not m."deleted" and w.holds
union all select $12::bigint)) offset 0)) or t1."idUser" = $13::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'clientlist' and le."idEntity" = t1."id" and not le."deleted" )))) and not exists (select 1 from "customers" t2 where t2."id" = t0."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($14::bigint, t2."id", 8) is null)) limit 10001) counted) as total;

-- GET /tasks-management/polls?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_polls" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t0."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t0."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t0."id" and not le."deleted" ))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."image" as "image",
  t1."dateStart" as "dateStart",
  t1."dateEnd" as "dateEnd",
  t1."isMultiple" as "isMultiple",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_polls" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_polls" t0 where not t0."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t0."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)) or t0."idUser" = $12::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t0."id" and not le."deleted" ))) limit 10001) counted) as total;

-- GET /tasks-management/poll-options?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_poll_options" t0 where not t0."deleted" and exists (select 1 from "tasks_management_polls" t1 where t1."id" = t0."idPoll" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t1."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t1."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t1."id" and not le."deleted" )))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."name" as "name",
  t2."order" as "order",
  t2."idPoll" as "idPoll",
  ((select count(*)::int from "tasks_management_poll_results" t3 where t3."idOption" = t2."id" and not t3."deleted")) as "resultsCount",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "tasks_management_poll_options" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_poll_options" t0 where not t0."deleted" and exists (select 1 from "tasks_management_polls" t1 where t1."id" = t0."idPoll" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t1."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)) or t1."idUser" = $12::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t1."id" and not le."deleted" )))) limit 10001) counted) as total;

-- GET /tasks-management/poll-results?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_poll_results" t0 where not t0."deleted" and exists (select 1 from "tasks_management_poll_options" t1 where t1."id" = t0."idOption" and not t1."deleted" and exists (select 1 from "tasks_management_polls" t2 where t2."id" = t1."idPoll" and not t2."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t2."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)) or t2."idUser" = $6::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t2."id" and not le."deleted" ))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."idOption" as "idOption",
  t3."idUser" as "idUser",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "tasks_management_poll_results" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_poll_results" t0 where not t0."deleted" and exists (select 1 from "tasks_management_poll_options" t1 where t1."id" = t0."idOption" and not t1."deleted" and exists (select 1 from "tasks_management_polls" t2 where t2."id" = t1."idPoll" and not t2."deleted" and ((exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t2."id" and not le."deleted" and exists (select 1 from tasks_management_sights sk
where sk."idTask" = le."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)) or t2."idUser" = $12::bigint and not exists (select 1 from tasks_management_entities le
where le."type" = 'poll' and le."idEntity" = t2."id" and not le."deleted" ))))) limit 10001) counted) as total;

-- GET /tasks-management/comments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_comments" t0 where not t0."deleted" and ((t0."type" = 'task' and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idEntity" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)
or t0."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idEntity" and not sb."deleted" and (sb."idUser" = $6::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $7::bigint and not sm."deleted"
))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."message" as "message",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."meta" as "meta",
  t1."isSystem" as "isSystem",
  t1."type" as "type",
  t1."idEntity" as "idEntity",
  t1."idComment" as "idComment",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_comments" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_comments" t0 where not t0."deleted" and ((t0."type" = 'task' and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idEntity" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $8::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $9::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($10::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $11::bigint and not m."deleted" and w.holds
union all select $12::bigint)) offset 0)
or t0."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idEntity" and not sb."deleted" and (sb."idUser" = $13::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $14::bigint and not sm."deleted"
))))) limit 10001) counted) as total;

-- GET /tasks-management/comment-files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "tasks_management_comment_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_comments" t1 where t1."id" = t0."idComment" and not t1."deleted" and ((t1."type" = 'task' and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t1."idEntity" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $1::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $2::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($3::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $4::bigint and not m."deleted" and w.holds
union all select $5::bigint)) offset 0)
or t1."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = t1."idEntity" and not sb."deleted" and (sb."idUser" = $6::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $7::bigint and not sm."deleted"
)))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idComment" as "idComment",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "tasks_management_comment_files" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "tasks_management_comment_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_comments" t1 where t1."id" = t0."idComment" and not t1."deleted" and ((t1."type" = 'task' and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t1."idEntity" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $8::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $9::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($10::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $11::bigint and not m."deleted" and w.holds
union all select $12::bigint)) offset 0)
or t1."type" = 'board' and exists (
select 1 from tasks_management_boards sb
where sb."id" = t1."idEntity" and not sb."deleted" and (sb."idUser" = $13::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $14::bigint and not sm."deleted"
)))))) limit 10001) counted) as total;
