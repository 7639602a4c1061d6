-- What was asked to be taken off a visit, by whom, and the order by which its discounts are given now.
create table visit_discounts (
  "idAppointment" bigint primary key references appointments ("id") on delete cascade,
  "code" text,
  "manual" jsonb,
  "approvals" bigint[] not null default '{}',
  "idUser" bigint references users ("id"),
  -- `visit-<id>-<turn>` while it is given.
  "turn" integer not null default 0,
  "given" boolean not null default false,
  -- Of what it was given: anything else is given anew.
  "basis" text
);
