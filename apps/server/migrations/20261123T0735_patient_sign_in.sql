-- Patients sign in apart from the staff: nothing of these tables opens anything of the back office.
-- What a text message has brought is kept as a keyed hash alone, until it is sent as an empty one.
create table portal_codes (
  "id" bigint generated always as identity primary key,
  "phone" text not null,
  "address" text not null,
  "hash" text not null default '',
  "tries" integer not null default 0,
  -- Of the demo clinic alone, which sends no messages.
  "shown" text,
  "dateCreate" timestamptz not null default now(),
  "dateExpires" timestamptz not null
);
create index "portal_codes_phone_idx" on portal_codes ("phone", "id");
create index "portal_codes_address_idx" on portal_codes ("address", "dateCreate");
create index "portal_codes_dateCreate_idx" on portal_codes ("dateCreate");

create table portal_links (
  "id" bigint generated always as identity primary key,
  "hash" text not null unique,
  "idCustomer" bigint not null references "customers" ("id") on delete cascade,
  "idUser" bigint references "users" ("id") on delete set null,
  "tries" integer not null default 0,
  "dateCreate" timestamptz not null default now(),
  "dateExpires" timestamptz not null,
  "dateOpened" timestamptz
);
create index "portal_links_idCustomer_idx" on portal_links ("idCustomer", "dateCreate");
create index "portal_links_idUser_idx" on portal_links ("idUser");
create index "portal_links_dateExpires_idx" on portal_links ("dateExpires");

create table portal_sessions (
  "id" bigint generated always as identity primary key,
  "hash" text not null unique,
  "idCustomer" bigint not null references "customers" ("id") on delete cascade,
  "idLink" bigint references portal_links ("id") on delete cascade,
  -- By a code, or by the birthday that a link asks for; without it nothing medical is shown.
  "isProven" boolean not null,
  "dateCreate" timestamptz not null default now(),
  "dateSeen" timestamptz not null default now(),
  "dateExpires" timestamptz not null
);
create index "portal_sessions_idCustomer_idx" on portal_sessions ("idCustomer");
create index "portal_sessions_idLink_idx" on portal_sessions ("idLink");
create index "portal_sessions_dateExpires_idx" on portal_sessions ("dateExpires");
