-- What somebody is just booking by themselves: known by a cookie of its own, whose hash alone is kept.
create table portal_bookings (
  "id" bigint generated always as identity primary key,
  "hash" text not null unique,
  "idService" bigint not null references "services" ("id") on delete cascade,
  "idUser" bigint not null references "users" ("id") on delete cascade,
  "idFilial" bigint not null references "filials" ("id") on delete cascade,
  "localDate" date not null,
  "localStart" text not null,
  -- Rubles, as it was shown; null where the clinic hides it.
  "price" numeric(12, 2),
  "idHold" bigint references "appointments_holds" ("id") on delete set null,
  "address" text not null,
  -- Confirmed by a code that came to it; it may be of nobody's card.
  "phone" text,
  "idAppointment" bigint references "appointments" ("id") on delete set null,
  "dateCreate" timestamptz not null default now(),
  "dateExpires" timestamptz not null
);
create index "portal_bookings_idService_idx" on portal_bookings ("idService");
create index "portal_bookings_idUser_idx" on portal_bookings ("idUser");
create index "portal_bookings_idFilial_idx" on portal_bookings ("idFilial");
create index "portal_bookings_idHold_idx" on portal_bookings ("idHold");
create index "portal_bookings_idAppointment_idx" on portal_bookings ("idAppointment");
create index "portal_bookings_address_idx" on portal_bookings ("address", "dateCreate");
create index "portal_bookings_phone_idx" on portal_bookings ("phone", "dateCreate");
create index "portal_bookings_dateExpires_idx" on portal_bookings ("dateExpires");

-- A code for who books goes to any phone; one to sign in by only to a patient's.
alter table portal_codes add column "anybody" boolean not null default false;

-- Of what a patient does nobody of the staff is the author.
alter table "appointments" alter column "idAuthor" drop not null;
alter table "appointments_moves" alter column "idAuthor" drop not null;
alter table "appointments_holds" alter column "idAuthor" drop not null;
