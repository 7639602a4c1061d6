-- GET /tasks-management/boards?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0",
  t0."id" as "k1" from "tasks_management_boards" t0 where not t0."deleted" and ((t0."isPublic" or t0."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t0."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
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
  (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $4::bigint and not bm."deleted" and bm."isFavourite")) as "isFavourite",
  (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $5::bigint and not bm."deleted")) as "isMember",
  ((select count(*)::int from "tasks_management_members" t2 where t2."idBoard" = t1."id" and not t2."deleted")) as "membersCount",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_boards" t1 using ("id") where page.n <= $6
) r
), '[]')::text as items,
(select count(*) > $7 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/columns?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "tasks_management_columns" t0 where not t0."deleted" and exists (select 1 from "tasks_management_boards" t1 where t1."id" = t0."idBoard" and not t1."deleted" and ((t1."isPublic" or t1."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t1."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."order" as "order",
  t3."wipLimit" as "wipLimit",
  t3."idBoard" as "idBoard",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
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
from page join "tasks_management_members" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idBoard" as "idBoard",
  t1."idRelationBoard" as "idRelationBoard",
  t1."idColumn" as "idColumn",
  ((select rb."name" from tasks_management_boards rb where rb."id" = t1."idRelationBoard" and not rb."deleted")) as "nameRelationBoard",
  ((select rc."name" from tasks_management_columns rc where rc."id" = t1."idColumn" and not rc."deleted")) as "nameColumn",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_relations" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/resources?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0",
  t0."id" as "k1" from "tasks_management_resources" t0 where not t0."deleted" and (exists (
select 1 from tasks_management_boards sb
where sb."id" = t0."idBoard" and not sb."deleted" and (sb."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = sb."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."url" as "url",
  t1."idBoard" as "idBoard",
  t1."idFile" as "idFile",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_resources" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/tasks?count=1&limit=50
with seen as materialized (select t0."id", t0."dateCreate" as "k0",
  t0."id" as "k1" from "tasks_management_tasks" t0 where not t0."deleted" and ((case when t0."isTemplate" then (exists (
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."description" as "description",
  t1."importance" as "importance",
  t1."isCompleted" as "isCompleted",
  t1."isWaitCheck" as "isWaitCheck",
  t1."isNeedChange" as "isNeedChange",
  t1."isArchive" as "isArchive",
  t1."isTemplate" as "isTemplate",
  t1."dateStart" as "dateStart",
  t1."dateEnd" as "dateEnd",
  t1."dateWorkStart" as "dateWorkStart",
  t1."dateCompleted" as "dateCompleted",
  t1."dateExpired" as "dateExpired",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."approvedAllChildrenTasks" as "approvedAllChildrenTasks",
  t1."notificationDate" as "notificationDate",
  t1."notificationDescription" as "notificationDescription",
  t1."notificationType" as "notificationType",
  t1."notificationCustomRepeatType" as "notificationCustomRepeatType",
  t1."notificationCustomRepeatValue" as "notificationCustomRepeatValue",
  t1."notificationTimeZone" as "notificationTimeZone",
  t1."notificationNext" as "notificationNext",
  t1."notificationRound" as "notificationRound",
  t1."idUser" as "idUser",
  t1."idCover" as "idCover",
  ((select count(distinct m."idUser")::int from (
select "idMember" from tasks_management_executors where "idTask" = t1."id"
union all select "idMember" from tasks_management_responsible where "idTask" = t1."id"
) p join tasks_management_members m on m."id" = p."idMember" and not m."deleted")) as "usersTotalCount",
  ((select count(*)::int from "tasks_management_task_files" t2 where t2."idTask" = t1."id" and not t2."deleted")) as "filesCount",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_tasks" t1 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/assigned?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "tasks_management_assigned" t0 where not t0."deleted" and (exists (select 1 from tasks_management_tasks own where own."id" = t0."idTask" and not own."deleted" and (
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idTask" as "idTask",
  t1."idColumn" as "idColumn",
  t1."order" as "order",
  t1."isArchive" as "isArchive",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMember" as "idMember",
  t3."idTask" as "idTask",
  t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idMember" as "idMember",
  t3."idTask" as "idTask",
  t3."_version" as "_version") x) as j
from page join "tasks_management_responsible" t3 using ("id") where page.n <= $18
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idTask" as "idTask",
  t3."idUser" as "idUser",
  t3."_version" as "_version") x) as j
from page join "tasks_management_watchers" t3 using ("id") where page.n <= $18
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."color" as "color",
  t3."icon" as "icon",
  t3."entityType" as "entityType",
  t3."idTask" as "idTask",
  t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idTask" as "idTask",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "tasks_management_task_files" t3 using ("id") where page.n <= $18
) r
), '[]')::text as items,
(select count(*) > $19 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/subtasks?count=1&limit=50
with seen as materialized (select t0."id", t0."index" as "k0",
  t0."id" as "k1" from "tasks_management_subtasks" t0 where not t0."deleted" and ((exists (
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idParentTask" as "idParentTask",
  t1."idTask" as "idTask",
  t1."index" as "index",
  t1."canViewUpperTask" as "canViewUpperTask",
  ((select pt."name" from tasks_management_tasks pt where pt."id" = t1."idParentTask" and not pt."deleted")) as "nameParentTask",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_subtasks" t1 using ("id") where page.n <= $34
) r
), '[]')::text as items,
(select count(*) > $35 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/entities?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "tasks_management_entities" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((case when t1."isTemplate" then (exists (
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idTask" as "idTask",
  t3."type" as "type",
  t3."idEntity" as "idEntity",
  t3."order" as "order",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_check_lists" t1 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/check-list-items?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "tasks_management_check_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_check_lists" t1 where t1."id" = t0."idCheckList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."isCheck" as "isCheck",
  t3."order" as "order",
  t3."dateEnd" as "dateEnd",
  t3."idCheckList" as "idCheckList",
  t3."idExecutor" as "idExecutor",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_client_lists" t1 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/client-list-items?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "tasks_management_client_list_items" t0 where not t0."deleted" and exists (select 1 from "tasks_management_client_lists" t1 where t1."id" = t0."idClientList" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idClientList" as "idClientList",
  t3."order" as "order",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."image" as "image",
  t1."dateStart" as "dateStart",
  t1."dateEnd" as "dateEnd",
  t1."isMultiple" as "isMultiple",
  t1."idUser" as "idUser",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "tasks_management_polls" t1 using ("id") where page.n <= $19
) r
), '[]')::text as items,
(select count(*) > $20 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/poll-options?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0",
  t0."id" as "k1" from "tasks_management_poll_options" t0 where not t0."deleted" and exists (select 1 from "tasks_management_polls" t1 where t1."id" = t0."idPoll" and not t1."deleted" and ((exists (select 1 from tasks_management_entities le
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."name" as "name",
  t3."order" as "order",
  t3."idPoll" as "idPoll",
  ((select count(*)::int from "tasks_management_poll_results" t4 where t4."idOption" = t3."id" and not t4."deleted")) as "resultsCount",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t5."id" as "id",
  t5."name" as "name",
  t5."idOption" as "idOption",
  t5."idUser" as "idUser",
  t5."deleted" as "deleted",
  t5."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idComment" as "idComment",
  t3."idFile" as "idFile",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "tasks_management_comment_files" t3 using ("id") where page.n <= $20
) r
), '[]')::text as items,
(select count(*) > $21 from page) as more,
null as last,
(select count(*) from seen) as total;
