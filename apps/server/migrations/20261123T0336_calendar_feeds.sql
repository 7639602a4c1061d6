-- The secret address of somebody's schedule, for other calendars: only its hash is here.
create table "calendar_feeds" (
  "idUser" bigint primary key references "users" ("id") on delete cascade,
  "token" bytea not null unique,
  "made" timestamptz not null default now(),
  "read" timestamptz
);
