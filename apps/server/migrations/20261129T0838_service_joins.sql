-- Services that were joined: what was turned to the one that stays, and what it took over, for the undo.
create table "service_joins" (
  "id" bigint generated always as identity primary key,
  "idKept" bigint not null references "services" ("id"),
  "idMerged" bigint not null references "services" ("id"),
  "turned" jsonb not null,
  "lists" jsonb not null,
  "taken" jsonb not null,
  "idUser" bigint not null,
  "dateCreate" timestamptz not null default now(),
  "dateUndone" timestamptz
);
