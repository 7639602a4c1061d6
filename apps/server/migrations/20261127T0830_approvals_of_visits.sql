-- A question about a discount names the visit and what is asked for, so that a yes gives it there.
alter table "discounts_approvals" add column "idAppointment" bigint;
alter table "discounts_approvals" add column "unit" text;
alter table "discounts_approvals" add column "value" numeric(14,2);
alter table "discounts_approvals" add constraint "discounts_approvals_idAppointment_fkey" foreign key ("idAppointment") references "appointments" ("id") on delete set null;
create index "discounts_approvals_idAppointment_idx" on "discounts_approvals" ("idAppointment");
