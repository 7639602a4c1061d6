-- Names of doctors and services that a file has and nobody here bears, with their rows: the page of the plan shows them,
-- and is not to go through the rows of all files for it.
create table "moving_unknown" (
  "idFile" bigint not null references "moving_files" ("id") on delete cascade,
  "kind" text not null,
  "name" text not null,
  "rows" integer not null
);
create index "moving_unknown_file_idx" on "moving_unknown" ("idFile");
insert into "moving_unknown" ("idFile", "kind", "name", "rows")
  select r."idFile", u.kind, u.name, count(*) from "moving_rows" r
    cross join jsonb_to_recordset(r."unknown") as u(kind text, name text)
  where r."unknown" is not null group by 1, 2, 3;
drop index "moving_rows_unknown_idx";
