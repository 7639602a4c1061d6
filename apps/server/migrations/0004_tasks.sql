-- Every file entity draws its ids from here, so that `GET /files/{id}` names one file whatever area it belongs to.
-- An area that declares a file entity says so of its table in the same way.
create sequence file_ids as bigint;
alter table tasks_management_files alter column "id" drop identity;
alter table tasks_management_files alter column "id" set default nextval('file_ids');
