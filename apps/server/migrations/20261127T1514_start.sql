-- «С чего начать»: who has taken a step or put it off. What is done the data say.
create table "start_marks" (
  "key" text primary key,
  "state" text not null check ("state" in ('taken', 'skipped')),
  "idUser" bigint references "users" ("id") on delete set null,
  "at" timestamptz not null default now()
);

-- What a ready set has made, in the order in which it was made.
create table "start_kit_records" (
  "number" bigint generated always as identity,
  "kit" text not null,
  "path" text not null,
  "idEntity" bigint not null,
  primary key ("path", "idEntity")
);
create index on "start_kit_records" ("kit");
