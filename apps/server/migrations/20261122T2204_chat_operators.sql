alter table "live_assist" add column "dateAssigned" timestamptz;
alter table "live_assist" add column "returns" integer not null default 0;

-- What an operator has chosen, and the last signs of the program and of the person: written every half a minute, and so
-- no record with a history.
create table "live_assist_operators" (
  "idUser" bigint primary key references "users" ("id") on delete cascade,
  "status" text check ("status" in ('online', 'away', 'offline')),
  "dateStatus" timestamptz,
  "dateSeen" timestamptz not null default now(),
  "dateActive" timestamptz not null default now(),
  -- When a chat was given to them last.
  "dateGiven" timestamptz
);

-- What an operator has open.
create index "live_assist_open" on "live_assist" ("idUser", "queuedAt") where "status" = 'active' and not "deleted";

-- To supervise operators is a right of its own: who manages has it from now on.
update "roles" set "permissions" = "permissions" || array['superviseLiveAssist']
  where 'displayTableLiveAssist' = any ("permissions") and "permissions" && array['mainSettings', 'editUsers', 'viewKpiReport']
    and not 'superviseLiveAssist' = any ("permissions");
