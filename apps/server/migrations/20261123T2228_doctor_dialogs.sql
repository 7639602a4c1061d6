alter table "service_online" add column "paidSum" numeric(14,2);
alter table "service_online" add column "idService" bigint;
alter table "service_online" add column "datePaid" timestamptz;
alter table "service_online" add column "answerBy" timestamptz;
alter table "service_online" add column "idVisit" bigint;
alter table "service_online" add column "dateRefundDue" timestamptz;
alter table "service_online" add column "dateRefunded" timestamptz;
alter table "service_online" add constraint "service_online_idService_fkey" foreign key ("idService") references "services" ("id");
alter table "service_online" add constraint "service_online_idVisit_fkey" foreign key ("idVisit") references "appointments" ("id") on delete set null;
create index "service_online_idService_idx" on "service_online" ("idService") where not "deleted";
create index "service_online_idVisit_idx" on "service_online" ("idVisit") where not "deleted";

-- What a patient has asked a doctor, until it is paid; and by which payment.
create table portal_questions (
  "idDialog" bigint primary key references "service_online" ("id") on delete cascade,
  "text" text not null,
  -- Of the patient who pays, as the payment was asked with: a card may be joined with another later.
  "idCustomer" bigint not null references "customers" ("id") on delete cascade,
  "payKey" text
);
create index "portal_questions_idCustomer_idx" on portal_questions ("idCustomer");
-- Those of which something is still to be done.
create index "service_online_paid_idx" on "service_online" ("id")
  where "paidSum" is not null and "idVisit" is null and "dateRefunded" is null and not "deleted";
