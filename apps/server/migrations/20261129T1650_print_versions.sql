-- Former versions of a numbered document: what it said of the parties, and why it was made anew.
alter table print_numbers add column "version" integer not null default 1;
create table "print_versions" (
  "idTemplate" bigint not null,
  "idEntity" bigint not null,
  "version" integer not null,
  "kept" jsonb not null,
  "reason" text not null,
  "idUser" bigint not null references "users" ("id"),
  "dateCreate" timestamptz not null default now(),
  primary key ("idTemplate", "idEntity", "version"),
  foreign key ("idTemplate", "idEntity") references "print_numbers" ("idTemplate", "idEntity") on delete cascade
);
