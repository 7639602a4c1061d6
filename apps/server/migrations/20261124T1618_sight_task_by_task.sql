-- A task at a time: of an array the planner cannot tell that the people of its tasks are few, and went through all
-- executors and responsible people of the clinic at each write of a card or a person (8 ms at 20,000 tasks).
create or replace function tasks_management_renew_sights(tasks bigint[]) returns void language plpgsql as $$
declare
  task bigint;
begin
  if tasks is null then return; end if;
  perform from tasks_management_tasks where "id" = any(tasks) order by "id" for no key update;
  for task in select distinct unnest(tasks) loop
    with due as materialized (
      select * from tasks_management_sights_due where "idTask" = task
    ), gone as (
      delete from tasks_management_sights k where k."idTask" = task
        and not exists (select from due d where row(d.*) is not distinct from row(k.*))
    )
    insert into tasks_management_sights
      select * from due d where not exists (
        select from tasks_management_sights k where k."idTask" = task and row(d.*) is not distinct from row(k.*));
  end loop;
end $$;
