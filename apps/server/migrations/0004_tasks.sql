-- Every file entity draws its ids from here, so that `GET /files/{id}` names one file whatever area it belongs to.
-- An area that declares a file entity says so of its table in the same way.
create sequence file_ids as bigint;
alter table tasks_management_files alter column "id" drop identity;
alter table tasks_management_files alter column "id" set default nextval('file_ids');

-- The default order of tasks, over all boards: without it each list sorts every task there is.
create index tasks_management_tasks_created_idx on tasks_management_tasks ("dateCreate" desc, "id" desc) where not "deleted";
