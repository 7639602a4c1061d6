alter table "calls" add column "recallTries" integer not null default 0;
alter table "calls" add column "gaveUp" boolean not null default false;
alter table "calls" add column "idTask" bigint references "tasks_management_tasks" ("id") on delete set null;
create index "calls_idTask_idx" on "calls" ("idTask");
alter table "live_assist" add column "snoozeHard" boolean not null default false;
