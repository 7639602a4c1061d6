-- Devices of patients that are told without a word of what: a server of the browser's maker carries it.
create table portal_devices (
  "id" bigint generated always as identity primary key,
  "idCustomer" bigint not null references "customers" ("id") on delete cascade,
  "idSession" bigint not null references portal_sessions ("id") on delete cascade,
  "endpoint" text not null unique,
  "dateCreate" timestamptz not null default now()
);
create index "portal_devices_idCustomer_idx" on portal_devices ("idCustomer");
create index "portal_devices_idSession_idx" on portal_devices ("idSession");

-- Up to which answer of a dialogue its devices were told.
create table portal_told (
  "idDialog" bigint primary key references "service_online" ("id") on delete cascade,
  "no" integer not null
);

create index "service_online_unread_idx" on "service_online" ("id") where "outCount" > "readOut" and not "deleted";
