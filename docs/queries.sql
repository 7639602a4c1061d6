-- GET /users?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "users" t0 where not t0."deleted" order by t0."surname", t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."surname" as "surname", t1."name" as "name", t1."middleName" as "middleName", (coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени')) as "fio", (case when coalesce(t1."surname", '') = '' then coalesce(nullif(btrim(coalesce(nullif(t1."surname", '') || ' ', '') || coalesce(nullif(t1."name", '') || ' ', '') || coalesce(nullif(t1."middleName", '') || ' ', '')), ''), 'Без имени') else t1."surname" || coalesce(' ' || upper(left(nullif(t1."name", ''), 1)) || '.', '') || coalesce(' ' || upper(left(nullif(t1."middleName", ''), 1)) || '.', '') end) as "shortFio", t1."avatar" as "avatar", t1."post" as "post", t1."phone" as "phone", t1."email" as "email", t1."description" as "description", t1."sex" as "sex", to_char(t1."birthday", 'DD.MM.YYYY') as "birthday", t1."sipPhone" as "sipPhone", t1."timeZone" as "timeZone", t1."isLiveAssist" as "isLiveAssist", t1."lastActive" as "lastActive", (coalesce(not t1."deleted" and not t1."isBlocked" and t1."lastActive" > now() - make_interval(secs => 210), false)) as "isOnline", ((not t1."deleted" and not t1."isBlocked")) as "isActive", (md5('users/' || t1."id")) as "hash", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "users" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "users" t0 where not t0."deleted") as total;

-- GET /roles?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "roles" t0  order by t0."name", t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."permissions" as "permissions", t1."isSystem" as "isSystem", ((select count(*)::int from user_roles ur join users u on u.id = ur."idUser"
where ur."idRole" = t1."id" and not u.deleted)) as "usersCount", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."_version" as "_version") x) as j
from page join "roles" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "roles" t0 ) as total;

-- GET /user-roles?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "user_roles" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."idRole" as "idRole", t1."dateCreate" as "dateCreate", t1."_version" as "_version") x) as j
from page join "user_roles" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "user_roles" t0 ) as total;

-- GET /user-permissions?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "user_permissions" t0  order by t0."id" limit $1) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."permission" as "permission", t1."reason" as "reason", t1."dateCreate" as "dateCreate", t1."_version" as "_version") x) as j
from page join "user_permissions" t1 using ("id") where page.n <= $2
) r
), '[]')::text as items,
(select count(*) > $3 from page) as more,
null as last,
(select count(*) from "user_permissions" t0 ) as total;

-- GET /user-settings?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0", t0."id" as "k1" from "user_settings" t0 where not t0."deleted" and (t0."idUser" = $1::bigint)), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $2) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."value" as "value", t1."idUser" as "idUser", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "user_settings" t1 using ("id") where page.n <= $3
) r
), '[]')::text as items,
(select count(*) > $4 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/boards?count=1&limit=50
with seen as materialized (select t0."id", t0."name" as "k0", t0."id" as "k1" from "tasks_management_boards" t0 where not t0."deleted" and ((t0."isPublic" or t0."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t0."id" and sm."idUser" = $2::bigint and not sm."deleted"
)))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."icon" as "icon", t1."color" as "color", t1."isPublic" as "isPublic", t1."approvedAllChildrenTasks" as "approvedAllChildrenTasks", t1."timeArchiveTaskCompleted" as "timeArchiveTaskCompleted", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."idUser" as "idUser", t1."idColumnNew" as "idColumnNew", t1."idColumnWork" as "idColumnWork", t1."idColumnWait" as "idColumnWait", t1."idColumnCompleted" as "idColumnCompleted", t1."idColumnExpired" as "idColumnExpired", (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $4::bigint and not bm."deleted" and bm."isFavourite")) as "isFavourite", (exists (select 1 from tasks_management_members bm where bm."idBoard" = t1."id" and bm."idUser" = $5::bigint and not bm."deleted")) as "isMember", ((select count(*)::int from tasks_management_members bm where bm."idBoard" = t1."id" and not bm."deleted")) as "membersCount", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_boards" t1 using ("id") where page.n <= $6
) r
), '[]')::text as items,
(select count(*) > $7 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/columns?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_columns" t0 where not t0."deleted" and exists (select 1 from "tasks_management_boards" t1 where t1."id" = t0."idBoard" and not t1."deleted" and ((t1."isPublic" or t1."idUser" = $1::bigint or exists (
select 1 from tasks_management_members sm where sm."idBoard" = t1."id" and sm."idUser" = $2::bigint and not sm."deleted"
))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $3) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."color" as "color", t3."order" as "order", t3."idBoard" as "idBoard", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
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
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idUser" as "idUser", t1."idBoard" as "idBoard", t1."description" as "description", t1."isDefaultResponsible" as "isDefaultResponsible", t1."isTaskDefaultResponsible" as "isTaskDefaultResponsible", t1."isTaskDefaultExecutor" as "isTaskDefaultExecutor", t1."isFavourite" as "isFavourite", t1."isConfirmCreate" as "isConfirmCreate", t1."openAfterCreate" as "openAfterCreate", t1."permissionToViewTasks" as "permissionToViewTasks", t1."permissionToEditTasks" as "permissionToEditTasks", t1."permissionToAssignTasks" as "permissionToAssignTasks", t1."permissionToDeleteTasks" as "permissionToDeleteTasks", t1."permissionToEditTemplates" as "permissionToEditTemplates", t1."canCreateTask" as "canCreateTask", t1."canRelationBoard" as "canRelationBoard", t1."canEditBoard" as "canEditBoard", t1."canEditColumn" as "canEditColumn", t1."canManuallyDragTask" as "canManuallyDragTask", t1."creatorClosesTaskAsExecutor" as "creatorClosesTaskAsExecutor", t1."dateCreate" as "dateCreate", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_members" t1 using ("id") where page.n <= $4
) r
), '[]')::text as items,
(select count(*) > $5 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/tasks?count=1&limit=50
with seen as materialized (select t0."id", t0."dateCreate" as "k0", t0."id" as "k1" from "tasks_management_tasks" t0 where not t0."deleted" and ((exists (
select 1 from tasks_management_assigned a where a."idTask" = t0."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
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
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc, "k1" desc limit $9) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."description" as "description", t1."importance" as "importance", t1."isCompleted" as "isCompleted", t1."isWaitCheck" as "isWaitCheck", t1."isNeedChange" as "isNeedChange", t1."isArchive" as "isArchive", t1."isTemplate" as "isTemplate", t1."dateStart" as "dateStart", t1."dateEnd" as "dateEnd", t1."dateWorkStart" as "dateWorkStart", t1."dateCompleted" as "dateCompleted", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."approvedAllChildrenTasks" as "approvedAllChildrenTasks", t1."idUser" as "idUser", t1."idCover" as "idCover", ((select count(*)::int from (
select pm."idUser" from tasks_management_executors p join tasks_management_members pm on pm."id" = p."idMember" and not pm."deleted"
where p."idTask" = t1."id" union select pm."idUser" from tasks_management_responsible p join tasks_management_members pm on pm."id" = p."idMember" and not pm."deleted"
where p."idTask" = t1."id") people)) as "usersTotalCount", ((select count(*)::int from tasks_management_task_files tf where tf."idTask" = t1."id" and not tf."deleted")) as "filesCount", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_tasks" t1 using ("id") where page.n <= $10
) r
), '[]')::text as items,
(select count(*) > $11 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/assigned?count=1&limit=50
with seen as materialized (select t0."id", t0."order" as "k0", t0."id" as "k1" from "tasks_management_assigned" t0 where not t0."deleted" and (exists (select 1 from tasks_management_tasks own where own."id" = t0."idTask" and not own."deleted" and (
t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or m."permissionToViewTasks" = 'all'))
or t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))
and ((exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" and pm."idUser" = $5::bigint)) or own."idUser" = $6::bigint and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" )))
or t0."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $7::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" ) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = own."id" and not pm."deleted" )))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0", "k1" limit $8) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."idTask" as "idTask", t1."idColumn" as "idColumn", t1."order" as "order", t1."isArchive" as "isArchive", t1."dateCreate" as "dateCreate", t1."dateChange" as "dateChange", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_assigned" t1 using ("id") where page.n <= $9
) r
), '[]')::text as items,
(select count(*) > $10 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/executors?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_executors" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
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
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $9) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idMember" as "idMember", t3."idTask" as "idTask", t3."_version" as "_version") x) as j
from page join "tasks_management_executors" t3 using ("id") where page.n <= $10
) r
), '[]')::text as items,
(select count(*) > $11 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/responsible?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_responsible" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
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
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $9) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idMember" as "idMember", t3."idTask" as "idTask", t3."_version" as "_version") x) as j
from page join "tasks_management_responsible" t3 using ("id") where page.n <= $10
) r
), '[]')::text as items,
(select count(*) > $11 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/tags?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_tags" t0 where exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
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
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $9) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."name" as "name", t3."color" as "color", t3."icon" as "icon", t3."entityType" as "entityType", t3."idTask" as "idTask", t3."_version" as "_version") x) as j
from page join "tasks_management_tags" t3 using ("id") where page.n <= $10
) r
), '[]')::text as items,
(select count(*) > $11 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_files" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or exists (
select 1 from tasks_management_task_files f where f."idFile" = t0."id" and not f."deleted"
and exists (
select 1 from tasks_management_tasks st where st."id" = f."idTask" and not st."deleted"
and (exists (
select 1 from tasks_management_assigned a where a."idTask" = st."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $2::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $3::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $4::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $6::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $7::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
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
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))))))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" desc limit $10) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id", t1."name" as "name", t1."extension" as "extension", t1."size" as "size", t1."meta" as "meta", t1."key" as "key", t1."dateCreate" as "dateCreate", t1."idUser" as "idUser", ('/files/' || t1."id") as "url", t1."deleted" as "deleted", t1."_version" as "_version") x) as j
from page join "tasks_management_files" t1 using ("id") where page.n <= $11
) r
), '[]')::text as items,
(select count(*) > $12 from page) as more,
null as last,
(select count(*) from seen) as total;

-- GET /tasks-management/task-files?count=1&limit=50
with seen as materialized (select t0."id", t0."id" as "k0" from "tasks_management_task_files" t0 where not t0."deleted" and exists (select 1 from "tasks_management_tasks" t1 where t1."id" = t0."idTask" and not t1."deleted" and ((exists (
select 1 from tasks_management_assigned a where a."idTask" = t1."id" and not a."deleted" and (a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $1::bigint and not m."deleted"
where not b."deleted" and (b."idUser" = $2::bigint or m."permissionToViewTasks" = 'all'))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $3::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy'))) and (exists (
select 1 from tasks_management_executors sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $4::bigint) or exists (
select 1 from tasks_management_responsible sp join tasks_management_members pm on pm."id" = sp."idMember"
where sp."idTask" = a."idTask" and not pm."deleted" and pm."idUser" = $5::bigint))
or a."idColumn" in (select c."id" from tasks_management_boards b
join tasks_management_columns c on c."idBoard" = b."id" and not c."deleted"
left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = $6::bigint and not m."deleted"
where not b."deleted" and (m."permissionToViewTasks" = 'emptymy')) and not (exists (
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
where not b."deleted" and (m."permissionToViewTasks" in ('my', 'emptymy')))))))))), page as materialized (select id, row_number() over () as n from (select "id" from seen order by "k0" limit $9) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id", t3."idTask" as "idTask", t3."idFile" as "idFile", t3."deleted" as "deleted", t3."_version" as "_version") x) as j
from page join "tasks_management_task_files" t3 using ("id") where page.n <= $10
) r
), '[]')::text as items,
(select count(*) > $11 from page) as more,
null as last,
(select count(*) from seen) as total;
