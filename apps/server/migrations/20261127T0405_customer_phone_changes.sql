-- Phones of patients that an employee has changed: for three days such a phone alone does not open the patient's room.
create table "customer_phone_changes" (
  "id" bigint generated always as identity primary key,
  "idCustomer" bigint not null references "customers" ("id") on delete cascade,
  "idUser" bigint not null references "users" ("id"),
  "former" text,
  "dateCreate" timestamptz not null default now(),
  -- When the former number was told; null: not yet, or there was none.
  "dateTold" timestamptz
);
create index "customer_phone_changes_recent" on "customer_phone_changes" ("idCustomer", "dateCreate");
