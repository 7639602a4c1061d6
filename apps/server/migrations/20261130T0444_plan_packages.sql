-- A treatment plan that is sold as a package is a membership without a type.
alter table "memberships" alter column "idType" drop not null;
alter table "memberships" add column "idPlan" bigint;
alter table "memberships" add constraint "memberships_idPlan_fkey" foreign key ("idPlan") references "customer_plans" ("id") not valid;
alter table "memberships" validate constraint "memberships_idPlan_fkey";
