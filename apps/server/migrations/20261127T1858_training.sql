-- A first day in the training clinic. In the clinic's schema: who has done which task, kept when the training clinic is
-- made anew. In the training clinic's own schema: as whom an employee has come in, and since when.
create table "training_done" (
  "idUser" bigint not null references "users" ("id") on delete cascade,
  "role" text not null,
  "task" text not null,
  "at" timestamptz not null,
  primary key ("idUser", "role", "task")
);

create table "training_entries" (
  "idUser" bigint not null references "users" ("id") on delete cascade,
  "role" text not null,
  -- The employee in the clinic.
  "idEmployee" bigint not null,
  "at" timestamptz not null default now(),
  primary key ("idUser", "role")
);
