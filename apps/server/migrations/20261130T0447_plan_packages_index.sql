-- no transaction
create index concurrently if not exists "memberships_idPlan_idx" on "memberships" ("idPlan") where not "deleted";
