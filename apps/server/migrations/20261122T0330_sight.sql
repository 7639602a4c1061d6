-- Who sees a task, kept beside it, so that a list, a count and a search take it from an index. A principal is what
-- somebody may ask by (areas/tasks/sight.ts): of a card, its workspace's number above and, below, whom of the
-- workspace it is for; of a task on no workspace, its creator alone.
create table tasks_management_sights (
  "principal" bigint not null,
  "idTask" bigint not null,
  -- The card that the sight goes by, and its column; null: the task is on no living workspace.
  "idAssigned" bigint,
  "idColumn" bigint,
  -- The card is deleted: it may be brought back by who would see it, but the task is not seen by it.
  "isGone" boolean not null,
  -- An earlier card of the task may be seen by the same person.
  "isAgain" boolean not null,
  -- The task is deleted.
  "deleted" boolean not null
);

create view tasks_management_sight_people as
  select p."idTask", m."idUser" from (
    select "idTask", "idMember" from tasks_management_executors
    union all select "idTask", "idMember" from tasks_management_responsible
  ) p join tasks_management_members m on m."id" = p."idMember" and not m."deleted";

create view tasks_management_sight_cards as
  select a."id" as "idAssigned", a."idTask", a."idColumn", c."idBoard" << 32 as "board", t."isTemplate", t."idUser",
    a."deleted" as "isGone", t."deleted",
    exists (select from tasks_management_assigned o where o."idTask" = a."idTask" and o."id" < a."id" and not o."deleted") as "isAgain"
  from tasks_management_assigned a
  join tasks_management_tasks t on t."id" = a."idTask"
  join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
  join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted";

-- What is to be kept: 0 stands for the whole workspace, 4294967295 for tasks with nobody on them, 4294967294 for
-- templates, and a user's id for what that user is in.
create view tasks_management_sights_due as
  select k."board" | case when k."isTemplate" then 4294967294 else 0 end as "principal",
    k."idTask", k."idAssigned", k."idColumn", k."isGone", k."isAgain", k."deleted"
  from tasks_management_sight_cards k
  union all
  select k."board" | 4294967295, k."idTask", k."idAssigned", k."idColumn", k."isGone", k."isAgain", k."deleted"
  from tasks_management_sight_cards k
  where not k."isTemplate" and not exists (select from tasks_management_sight_people p where p."idTask" = k."idTask")
  union all
  select distinct k."board" | w."idUser", k."idTask", k."idAssigned", k."idColumn", k."isGone", k."isAgain", k."deleted"
  from tasks_management_sight_cards k
  join tasks_management_sight_people p on p."idTask" = k."idTask"
  cross join lateral (values (p."idUser"), (k."idUser")) w ("idUser")
  where not k."isTemplate"
  union all
  select t."idUser", t."id", null, null, false, false, t."deleted"
  from tasks_management_tasks t
  where not exists (select from tasks_management_sight_cards k where k."idTask" = t."id" and not k."isGone");

insert into tasks_management_sights select * from tasks_management_sights_due;

create index tasks_management_sights_principal_idx on tasks_management_sights ("principal", "idColumn")
  include ("idTask", "isAgain") where not "isGone" and not "deleted";
create index tasks_management_sights_idTask_idx on tasks_management_sights ("idTask", "principal");

-- Brings what is kept of these tasks to what is due. The tasks are locked first, so that of two writers the later one
-- reckons with what the earlier one has written.
create function tasks_management_renew_sights(tasks bigint[]) returns void language plpgsql as $$
begin
  if tasks is null then return; end if;
  perform from tasks_management_tasks where "id" = any(tasks) order by "id" for no key update;
  with due as materialized (
    select * from tasks_management_sights_due where "idTask" = any(tasks)
  ), gone as (
    delete from tasks_management_sights k where k."idTask" = any(tasks)
      and not exists (select from due d where row(d.*) is not distinct from row(k.*))
  )
  insert into tasks_management_sights
    select * from due d where not exists (
      select from tasks_management_sights k where k."idTask" = d."idTask" and row(d.*) is not distinct from row(k.*));
end $$;

create function tasks_management_task_sights() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tasks_management_sights values (new."idUser", new."id", null, null, false, false, new."deleted");
  elsif tg_op = 'DELETE' then
    delete from tasks_management_sights where "idTask" = old."id";
  elsif new."isTemplate" = old."isTemplate" and new."idUser" = old."idUser" then
    update tasks_management_sights set "deleted" = new."deleted" where "idTask" = new."id";
  else
    perform tasks_management_renew_sights(array[new."id"]);
  end if;
  return null;
end $$;
create trigger sights_insert after insert on tasks_management_tasks
  for each row execute function tasks_management_task_sights();
create trigger sights_delete after delete on tasks_management_tasks
  for each row execute function tasks_management_task_sights();
create trigger sights_update after update on tasks_management_tasks for each row
  when (old."isTemplate" <> new."isTemplate" or old."idUser" <> new."idUser" or old."deleted" <> new."deleted")
  execute function tasks_management_task_sights();

-- Cards, executors and responsible people come, go and change in any number at once.
create function tasks_management_new_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((select array_agg(distinct "idTask") from fresh));
  return null;
end $$;
create function tasks_management_old_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((select array_agg(distinct "idTask") from stale));
  return null;
end $$;
create function tasks_management_changed_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((select array_agg(distinct "idTask") from fresh) || (select array_agg(distinct "idTask") from stale));
  return null;
end $$;
create function tasks_management_moved_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((
    select array_agg(distinct t."id") from fresh n join stale o on o."id" = n."id"
      cross join lateral (values (n."idTask"), (o."idTask")) t ("id")
    where (n."idTask", n."idColumn", n."deleted") is distinct from (o."idTask", o."idColumn", o."deleted")));
  return null;
end $$;
create trigger sights_insert after insert on tasks_management_assigned referencing new table as fresh
  for each statement execute function tasks_management_new_sights();
create trigger sights_delete after delete on tasks_management_assigned referencing old table as stale
  for each statement execute function tasks_management_old_sights();
create trigger sights_update after update on tasks_management_assigned referencing new table as fresh old table as stale
  for each statement execute function tasks_management_moved_sights();
create trigger sights_insert after insert on tasks_management_executors referencing new table as fresh
  for each statement execute function tasks_management_new_sights();
create trigger sights_delete after delete on tasks_management_executors referencing old table as stale
  for each statement execute function tasks_management_old_sights();
create trigger sights_update after update on tasks_management_executors referencing new table as fresh old table as stale
  for each statement execute function tasks_management_changed_sights();
create trigger sights_insert after insert on tasks_management_responsible referencing new table as fresh
  for each statement execute function tasks_management_new_sights();
create trigger sights_delete after delete on tasks_management_responsible referencing old table as stale
  for each statement execute function tasks_management_old_sights();
create trigger sights_update after update on tasks_management_responsible referencing new table as fresh old table as stale
  for each statement execute function tasks_management_changed_sights();

-- Who leaves a workspace no longer counts on its tasks; what is on a column or a workspace that goes, goes with it.
create function tasks_management_member_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((select array_agg(distinct p."idTask") from (
    select "idTask" from tasks_management_executors where "idMember" = new."id"
    union all select "idTask" from tasks_management_responsible where "idMember" = new."id") p));
  return null;
end $$;
create trigger sights_update after update on tasks_management_members for each row
  when (old."deleted" <> new."deleted" or old."idUser" <> new."idUser")
  execute function tasks_management_member_sights();
create function tasks_management_column_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((
    select array_agg(distinct "idTask") from tasks_management_assigned where "idColumn" = new."id"));
  return null;
end $$;
create trigger sights_update after update on tasks_management_columns for each row
  when (old."deleted" <> new."deleted" or old."idBoard" <> new."idBoard")
  execute function tasks_management_column_sights();
create function tasks_management_board_sights() returns trigger language plpgsql as $$
begin
  perform tasks_management_renew_sights((
    select array_agg(distinct a."idTask") from tasks_management_columns c
    join tasks_management_assigned a on a."idColumn" = c."id" where c."idBoard" = new."id"));
  return null;
end $$;
create trigger sights_update after update on tasks_management_boards for each row
  when (old."deleted" <> new."deleted") execute function tasks_management_board_sights();
