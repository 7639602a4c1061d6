-- What a stage does by itself is done by the rights of who has set it up.
alter table "sales_management_stage_actions" add column "idAuthor" bigint;
update sales_management_stage_actions a set "idAuthor" = made."idUser"
  from (
    select distinct on ("idEntity") "idEntity", "idUser" from history
    where "path" = 'sales-management/stage-actions' and "idUser" is not null
      and ("action" = 'create' or "changes" ?| array['type', 'idTemplate', 'idUser'])
    order by "idEntity", "id" desc
  ) made where made."idEntity" = a."id";
alter table "sales_management_stage_actions" add constraint "sales_management_stage_actions_idAuthor_fkey" foreign key ("idAuthor") references "users" ("id");
create index "sales_management_stage_actions_idAuthor_idx" on "sales_management_stage_actions" ("idAuthor") where not "deleted";
