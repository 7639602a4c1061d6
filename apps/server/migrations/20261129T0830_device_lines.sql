-- Connections of analysers as the processes report them. "isOwner": the process dials this device, one of all.
create table "laboratory_lines" (
  "idDevice" bigint not null references "laboratory_devices" ("id") on delete cascade,
  "life" uuid not null,
  "isOwner" boolean not null default false,
  "error" text,
  "connections" integer not null default 0,
  "waiting" integer not null default 0,
  primary key ("idDevice", "life")
);
create unique index "laboratory_lines_owner_idx" on "laboratory_lines" ("idDevice") where "isOwner";

-- Work lists on their way to a device, sent by the process that is connected to it.
create table "laboratory_sendings" (
  "id" bigint generated always as identity primary key,
  "idDevice" bigint not null references "laboratory_devices" ("id") on delete cascade,
  "records" bytea[] not null,
  "state" text not null default 'waiting',
  "dateCreate" timestamptz not null default now()
);
create index "laboratory_sendings_waiting_idx" on "laboratory_sendings" ("idDevice", "id") where "state" = 'waiting';

alter table "laboratory_devices" add column "pinnedHost" text, add column "askedHost" text,
  add column "patientData" text not null default 'none';
alter table "laboratory_strays" add column "times" integer not null default 1;
