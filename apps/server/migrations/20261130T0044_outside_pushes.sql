-- What sellers of free times are sent: their keys, what each of them knows, and the contract of Яндекс.
alter table booking_channels add column "isAgreed" boolean not null default false;

create table booking_channel_tokens (
  "idChannel" bigint primary key references booking_channels ("id") on delete cascade,
  "token" text not null
);

-- The mark of the click by which a patient came from Яндекс, for the confirmation of the booking.
alter table portal_bookings add column "click" text;

-- A part of what a seller is sent. `known`: hashes of its pieces that the seller has taken.
create table booking_pushes (
  "idChannel" bigint not null references booking_channels ("id") on delete cascade,
  "part" text not null,
  "known" jsonb not null default '{}',
  "serial" integer not null default 0,
  "isQueued" boolean not null default false,
  "dateWhole" timestamptz,
  "datePushed" timestamptz,
  "dateFailed" timestamptz,
  "error" text,
  primary key ("idChannel", "part")
);
