-- The permissions that the program had when it last started: what it has gained since is an upgrade's.
create table known_permissions (
  "name" text primary key,
  "dateCreate" timestamptz not null default now()
);
